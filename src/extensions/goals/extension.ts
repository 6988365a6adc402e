import type { Extension } from "../../Extension.ts"
import { goalOperation } from "./goalOperation.ts"
import { GoalGroup } from "./GoalsApi.ts"

/** Goals: what it takes to reach a number of clients, a revenue or a profit. */
export const goals = {
  operations: [goalOperation],
  groups: [{ after: "forecasts", group: GoalGroup }]
} as const satisfies Extension
