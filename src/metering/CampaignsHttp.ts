import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder, HttpApiGroup } from "effect/http-api"
import { CampaignForecasts } from "./CampaignForecasts.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import { forecasts } from "./CampaignsApi.ts"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { BodiesInFlight } from "../http/limits/BodiesInFlight.ts"
import { formatOf, makeReadCampaigns } from "./CampaignBodyHttp.ts"
import { idempotencyKey, replayed } from "../idempotency/IdempotencyKey.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { makeGate } from "../http/limits/makeGate.ts"

/** How many requests are answered at a time, once their bodies are there: each has a body and an answer of some mebibytes in memory. */
const mostAtOnce = 50

const operation = `${forecasts.method} ${forecasts.path}`

const contentTypes = { json: "application/json", csv: "text/csv; charset=utf-8" } as const

/** Single forecasts are answered together. */
const api = apiOf(HttpApiGroup.make("forecasts").add(forecasts))

const handlers = HttpApiBuilder.group(
  api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const campaignForecasts = yield* CampaignForecasts
    const limits = yield* KeyLimits
    const readCampaigns = yield* makeReadCampaigns
    const admit = makeGate(mostAtOnce)

    return handlers.handleRaw(
      "forecasts",
      Effect.fnUntraced(function* ({ request }) {
        const { id } = yield* CurrentKey
        const body = yield* readCampaigns(request, id)
        const key = yield* Effect.fromResult(idempotencyKey(request.headers))
        const format = formatOf(request)
        const charged = yield* admit(
          campaignForecasts.forecast({
            keyId: id,
            body,
            format,
            idempotency: key === undefined ? undefined : { operation, key },
            onAbandoned: (forecasts) => limits.countAbandoned(id, forecasts)
          })
        )
        const state = yield* CurrentRequest
        state.balance = charged.balance
        state.charge = charged.reference
        return HttpServerResponse.text(charged.answer, {
          contentType: contentTypes[format],
          headers: charged.reference === undefined ? replayed : {}
        })
      })
    )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, BodiesInFlight.layer])
)
