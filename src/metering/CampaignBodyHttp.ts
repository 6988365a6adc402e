import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { CampaignsFormat } from "../forecast/list/CampaignList.ts"
import type { KeyId } from "../KeyId.ts"
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
