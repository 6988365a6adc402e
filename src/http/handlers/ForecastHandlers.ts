import { Effect, Layer } from "effect"
import { HttpEffect, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { decodeAssumptions } from "../../forecast/Assumptions.ts"
import { Forecasts } from "../../forecast/Forecasts.ts"
import type { Receipt } from "../../credits/Credits.ts"
import { Api } from "../Api.ts"
import { Authentication, CurrentKey } from "../Authentication.ts"
import { Deprecation } from "../ForecastApi.ts"
import { readJson } from "../JsonBody.ts"
import { CurrentRequest } from "../RequestContext.ts"

/** Notes what was charged, for the headers and the log line; no interruption comes between the charge and its note. */
const noted = <A extends { readonly receipt: Receipt }, E>(charge: Effect.Effect<A, E>) =>
  Effect.uninterruptible(
    Effect.tap(charge, ({ receipt }) =>
      Effect.map(CurrentRequest, (request) => {
        request.balance = receipt.balance
        request.charge = receipt.reference
      })
    )
  )

const handlers = HttpApiBuilder.group(
  Api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const forecasts = yield* Forecasts
    return handlers
      .handleRaw(
        "forecast",
        Effect.fnUntraced(function* ({ request }) {
          const key = yield* CurrentKey
          const assumptions = yield* decodeAssumptions(yield* readJson(request))
          const { forecast, receipt } = yield* noted(forecasts.forecast(key.id, assumptions))
          return { ...forecast, usage: receipt.usage }
        })
      )
      .handleRaw(
        "legacyForecast",
        Effect.fnUntraced(function* ({ request }) {
          const key = yield* CurrentKey
          const assumptions = yield* decodeAssumptions(yield* readJson(request))
          const { forecast, receipt, score } = yield* noted(forecasts.legacyForecast(key.id, assumptions))
          return {
            ...forecast,
            calculation_notes: [...forecast.calculation_notes, ...score.notes],
            campaign_score: score.campaignScore,
            risk_level: score.riskLevel,
            usage: receipt.usage
          }
        })
      )
  })
)

/** The legacy path has been deprecated since 2026-11-21T00:00:00Z, the day of its first release. */
const deprecated = { deprecation: "@1795219200", link: '</api/v1/forecast>; rel="successor-version"' }

const deprecation = Layer.succeed(Deprecation, (httpEffect) =>
  HttpEffect.withPreResponseHandler(httpEffect, (_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, deprecated))
  )
)

export const layer = handlers.pipe(Layer.provide([Authentication.layer, deprecation]))
