import type { Extension } from "../../Extension.ts"
import { ProgressGroup } from "./ProgressApi.ts"
import { progressOperation } from "./progressOperation.ts"

/** Campaigns in flight: where a campaign that is being sent will end. */
export const progress = {
  operations: [progressOperation],
  groups: [{ after: "forecasts", group: ProgressGroup }]
} as const satisfies Extension
