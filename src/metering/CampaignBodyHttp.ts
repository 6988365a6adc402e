import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { CampaignsFormat } from "../forecast/list/CampaignList.ts"
import type { KeyId } from "../KeyId.ts"
import { weightOf } from "../http/mediaTypes.ts"
import { BodiesInFlight, mediaTypeOf, readBody } from "../http/RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest

/** The largest body, in KiB, and its media types. */
const accepted = { limit: 1024, types: ["application/json", "text/csv"] }

/** Creates a reader of bodies with campaigns, JSON or CSV of at most 1 MiB; see `readBody` for its failures. */
export const makeReadCampaigns = Effect.map(BodiesInFlight, (bodies) =>
  Effect.fnUntraced(function* (request: Request, keyId: KeyId) {
    const text = yield* readBody(request, accepted, bodies.receive(request, keyId))
    const format: CampaignsFormat = mediaTypeOf(request.headers) === "text/csv" ? "csv" : "json"
    return { text, format }
  })
)

/** CSV if the Accept header prefers it to JSON; otherwise JSON. */
export const formatOf = ({ headers }: Request): CampaignsFormat => {
  const accept = headers["accept"] ?? ""
  const csv = weightOf(accept, "text/csv") ?? 0
  return csv > (weightOf(accept, "application/json") ?? 0) ? "csv" : "json"
}
