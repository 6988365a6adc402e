import type { OperationCall } from "../../metering/OperationCall.ts"

/** How programs call lists. */
export const listCall = {
  path: "/api/v1/forecasts",
  clientMethod: "forecasts",
  about: "the comparison"
} as const satisfies OperationCall
