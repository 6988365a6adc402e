import { Effect, Layer, Result } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiGroup } from "effect/http-api"
import { Forecaster } from "../forecast/Forecaster.ts"
import { Forecasts } from "./Forecasts.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import { forecasts } from "./CampaignsApi.ts"
import { contentTypes, formatOf } from "../http/RequestHeaders.ts"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { makeReceiveLarge, mediaTypeOf, readBody } from "../http/RequestBody.ts"
import { ClientAddress } from "../http/ClientAddress.ts"
import { Limits } from "../Limits.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { listOperation } from "./Operations.ts"
import { callerAt, noteCharge } from "./ForecastsHttp.ts"

/** The largest body, in KiB, and its media types. */
const accepted = { limit: listOperation.limit, types: ["application/json", "text/csv"] }

const callerOf = callerAt(forecasts)

const api = apiOf(HttpApiGroup.make("forecasts").add(forecasts))

const handlers = HttpApiBuilder.group(
  api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const forecaster = yield* Forecaster
    const forecasts = yield* Forecasts
    const limits = yield* KeyLimits
    const receiveLarge = yield* makeReceiveLarge

    return handlers.handleRaw(
      "forecasts",
      Effect.fnUntraced(function* ({ request }) {
        const key = yield* CurrentKey
        const { id } = key
        const caller = callerOf(request.headers, key)
        const answer = formatOf(request.headers)
        const type = mediaTypeOf(request.headers) === "text/csv" ? "csv" : "json"
        const decode = receiveLarge(request, id, (count) =>
          Effect.flatMap(readBody(request, accepted, count), (text) => forecaster.list({ text, type, answer }, id))
        )
        // A body that is too large is refused before an invalid Idempotency-Key.
        if (Result.isFailure(caller)) return yield* Effect.andThen(Effect.scoped(decode), Effect.fail(caller.failure))
        const charged = yield* forecasts.list({
          ...caller.success,
          decode,
          answer,
          onWasted: (forecasts) => limits.countWasted(id, forecasts)
        })
        const headers = yield* noteCharge(charged)
        return HttpServerResponse.text(charged.answer, { contentType: contentTypes[answer], headers })
      }, Effect.uninterruptible)
    )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, ClientAddress.layer, Limits.layer])
)
