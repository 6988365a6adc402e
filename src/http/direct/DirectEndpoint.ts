import type { IncomingMessage } from "node:http"
import type { Effect } from "effect"
import type { HttpApiEndpoint } from "effect/http-api"
import type { HeaderFields } from "../ResponseHeaders.ts"

/** The 200 of an endpoint: a JSON text, and headers other than those of every response. */
export interface DirectAnswer {
  readonly json: string
  readonly headers: HeaderFields
}

/** An endpoint that is answered without the router. */
export interface DirectEndpoint<F> {
  readonly method: string
  readonly path: `/${string}`
  /** The headers of all its responses, including refusals. */
  readonly headers: HeaderFields
  readonly answer: (request: IncomingMessage) => Effect.Effect<DirectAnswer, F>
}

/** Creates the direct endpoint for an endpoint of the API, which declares every failure of `answer`. */
export const directEndpoint = <Endpoint extends HttpApiEndpoint.Top>(
  { method, path }: Endpoint,
  answer: DirectEndpoint<HttpApiEndpoint.Errors<Endpoint>>["answer"],
  headers: HeaderFields = {}
): DirectEndpoint<HttpApiEndpoint.Errors<Endpoint>> => ({ method, path: `/${path.slice(1)}`, headers, answer })
