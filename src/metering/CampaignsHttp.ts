import { Effect, Layer } from "effect"
import { HttpApiBuilder, HttpApiGroup } from "effect/http-api"
import { CampaignForecasts } from "./CampaignForecasts.ts"
import { CurrentKey } from "../keys/AuthenticationApi.ts"
import { forecasts } from "./CampaignsApi.ts"
import { contentTypes, formatOf } from "../http/mediaTypes.ts"
import { apiOf } from "../http/problems/ProblemAnswers.ts"
import * as Authenticating from "../keys/AuthenticationHttp.ts"
import { BodiesInFlight } from "../http/RequestBody.ts"
import { makeReadCampaigns } from "./CampaignBodyHttp.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { makeGate } from "../http/limits/makeGate.ts"
import { callerAt, respond } from "./MeteredHttp.ts"

/** The most requests processed at a time, once their bodies have arrived: each holds several mebibytes of memory. */
const mostAtOnce = 50

const callerOf = callerAt(forecasts)

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
        const caller = yield* callerOf(request)
        const format = formatOf(request.headers)
        const charged = yield* admit(
          campaignForecasts.forecast({
            ...caller,
            body,
            format,
            onAbandoned: (forecasts) => limits.countAbandoned(id, forecasts)
          })
        )
        return yield* respond(charged, contentTypes[format])
      })
    )
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(
  Layer.provide(handlers),
  Layer.provide([Authenticating.layer, BodiesInFlight.layer])
)
