import type { OperationCall } from "../../metering/OperationCall.ts"

/** The call of a list by programs. */
export const listCall = {
  path: "/api/v1/forecasts",
  clientMethod: "forecasts",
  about: "the comparison"
} as const satisfies OperationCall
