import { Effect, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiMiddleware } from "effect/http-api"
import { deprecated } from "./ResponseHeaders.ts"

/** Marks every response of an endpoint, including refusals, as deprecated. */
export class Deprecation extends HttpApiMiddleware.Service<Deprecation>()("outreach-forecast/http/Deprecation") {}

export const layer = Layer.succeed(Deprecation, (httpEffect) =>
  HttpEffect.withPreResponseHandler(httpEffect, (_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, deprecated))
  )
)
