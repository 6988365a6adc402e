import type { OperationCall } from "../../metering/OperationCall.ts"

/** How programs call campaigns in flight. */
export const progressCall = {
  path: "/api/v1/progress",
  clientMethod: "progress",
  about: "the campaign in flight"
} as const satisfies OperationCall
