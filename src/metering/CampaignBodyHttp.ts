import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { CampaignsFormat } from "../forecast/list/CampaignList.ts"
import type { KeyId } from "../KeyId.ts"
import { weightOf } from "../http/mediaTypes.ts"
import { PayloadTooLarge } from "../http/problems/HttpFailures.ts"
import { BodiesInFlight } from "../http/limits/BodiesInFlight.ts"
import { mediaTypeOf, refusedByHeaders } from "../http/JsonBody.ts"
import { discardRest } from "../http/RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The largest body, in KiB, and what it may be. */
const accepted = { limit: 1024, types: ["application/json", "text/csv"] }

/**
 * Makes a reader of the bodies of requests with campaigns, JSON or CSV of at most 1 MiB. It fails with PayloadTooLarge,
 * UnsupportedMediaType or MalformedJson, in this order.
 */
export const makeReadCampaigns = Effect.map(BodiesInFlight, (bodies) =>
  Effect.fnUntraced(function* (request: Request, keyId: KeyId) {
    const refusal = refusedByHeaders(request.headers, accepted)
    if (refusal instanceof PayloadTooLarge) yield* discardRest(request)
    if (refusal !== undefined) return yield* refusal
    const text = yield* bodies
      .readText(request, accepted.limit, keyId)
      .pipe(Effect.tapErrorTag("PayloadTooLarge", () => discardRest(request)))
    const format: CampaignsFormat = mediaTypeOf(request.headers) === "text/csv" ? "csv" : "json"
    return { text, format }
  })
)

/** CSV where the caller names it, and does not want JSON as much; else JSON. */
export const formatOf = ({ headers }: Request): CampaignsFormat => {
  const accept = headers["accept"] ?? ""
  const csv = weightOf(accept, "text/csv") ?? 0
  return csv > (weightOf(accept, "application/json") ?? 0) ? "csv" : "json"
}
