import type { RequestState } from "./RequestState.ts"

/** The headers that every answer has, with those of an answer to a key. */
export const responseHeaders = ({ balance, id }: RequestState, isLast: boolean): Record<string, string> => {
  const headers: Record<string, string> = {
    "x-request-id": id,
    "x-content-type-options": "nosniff",
    // A key, a balance and what a form was sent with are for the caller alone.
    "cache-control": "no-store"
  }
  if (balance !== undefined) {
    headers["ratelimit-policy"] = `"credits";q=${balance.granted}`
    headers["ratelimit"] = `"credits";r=${balance.remaining}`
  }
  if (isLast) headers["connection"] = "close"
  return headers
}
