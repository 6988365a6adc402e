import type { Extension } from "../../Extension.ts"
import { BenchmarkGroup } from "../../metering/BenchmarksApi.ts"
import * as BenchmarksHttp from "../../metering/BenchmarksHttp.ts"

/** The published figures that flags and advice stand on. */
export const benchmarks = {
  groups: [{ after: "forecasts", group: BenchmarkGroup }],
  routes: BenchmarksHttp.layer
} as const satisfies Extension
