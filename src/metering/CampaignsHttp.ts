import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiGroup } from "effect/http-api"
import { CampaignForecasts } from "./CampaignForecasts.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import { forecasts } from "./CampaignsApi.ts"
import { contentTypes, formatOf } from "../http/mediaTypes.ts"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { makeReceiveLarge, mediaTypeOf, readBody } from "../http/RequestBody.ts"
import { ClientAddress } from "../http/limits/ClientAddress.ts"
import { Limits } from "../http/limits/Limits.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { callerAt, noteCharge } from "./ForecastsHttp.ts"

/** The largest body, in KiB, and its media types. */
const accepted = { limit: 1024, types: ["application/json", "text/csv"] }

const callerOf = callerAt(forecasts)

const api = apiOf(HttpApiGroup.make("forecasts").add(forecasts))

const handlers = HttpApiBuilder.group(
  api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const campaignForecasts = yield* CampaignForecasts
    const limits = yield* KeyLimits
    const receiveLarge = yield* makeReceiveLarge

    return handlers.handleRaw(
      "forecasts",
      Effect.fnUntraced(function* ({ request }) {
        const key = yield* CurrentKey
        const { id } = key
        const text = yield* receiveLarge(request, id, (count) => readBody(request, accepted, count))
        const caller = yield* Effect.fromResult(callerOf(request.headers, key))
        const format = formatOf(request.headers)
        const charged = yield* campaignForecasts.forecast({
          ...caller,
          body: { text, format: mediaTypeOf(request.headers) === "text/csv" ? "csv" : "json" },
          format,
          onWasted: (forecasts) => limits.countWasted(id, forecasts)
        })
        const headers = yield* noteCharge(charged)
        return HttpServerResponse.text(charged.answer, { contentType: contentTypes[format], headers })
      })
    )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, ClientAddress.layer, Limits.layer])
)
