import type { OperationCall } from "../../metering/OperationCall.ts"

/** The call of a goal by programs. */
export const goalCall = {
  path: "/api/v1/goals",
  clientMethod: "goal",
  about: "the goal"
} as const satisfies OperationCall
