import type { Extension } from "../../Extension.ts"
import { BenchmarkGroup } from "./BenchmarksApi.ts"
import * as BenchmarksHttp from "./BenchmarksHttp.ts"

/** The published figures that flags and advice stand on. */
export const benchmarks = {
  groups: [{ after: "forecasts", group: BenchmarkGroup }],
  routes: BenchmarksHttp.layer
} as const satisfies Extension
