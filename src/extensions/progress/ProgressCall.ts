import type { OperationCall } from "../../metering/OperationCall.ts"

/** The call of a campaign in flight by programs. */
export const progressCall = {
  path: "/api/v1/progress",
  clientMethod: "progress",
  about: "the campaign in flight"
} as const satisfies OperationCall
