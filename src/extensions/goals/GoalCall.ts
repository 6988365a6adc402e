import type { OperationCall } from "../../metering/OperationCall.ts"

/** How programs call goals. */
export const goalCall = {
  path: "/api/v1/goals",
  clientMethod: "goal",
  about: "the goal"
} as const satisfies OperationCall
