import { Effect, Layer } from "effect"
import { HttpEffect, type HttpServerRequest, HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import type { Receipt } from "../../credits/Credits.ts"
import { decodeAssumptions } from "../../forecast/Assumptions.ts"
import { type ForecastOrder, Forecasts } from "../../forecast/Forecasts.ts"
import { Api } from "../api/Api.ts"
import { Authentication, CurrentKey } from "../api/Authentication.ts"
import { Deprecation } from "../api/ForecastApi.ts"
import { idempotencyKey, replayed } from "./IdempotencyKey.ts"
import { readJson } from "./JsonBody.ts"
import { CurrentRequest } from "../RequestState.ts"
import { deprecated } from "../ResponseHeaders.ts"

/** Notes what was charged, for the headers and the log line; no interruption comes between the charge and its note. */
const noted = <E>(sold: Effect.Effect<Receipt, E>) =>
  Effect.uninterruptible(
    Effect.tap(sold, ({ balance, reference }) =>
      Effect.map(CurrentRequest, (request) => {
        request.balance = balance
        request.charge = reference
      })
    )
  )

/** Answers a request by a sale of what its body asks for. */
const sold = <E>(operation: string, sell: (order: ForecastOrder) => Effect.Effect<Receipt, E>) =>
  Effect.fnUntraced(function* ({ request }: { readonly request: HttpServerRequest.HttpServerRequest }) {
    const { id } = yield* CurrentKey
    const assumptions = yield* decodeAssumptions(yield* readJson(request))
    const key = yield* idempotencyKey(request)
    const order = { keyId: id, assumptions, retry: key === undefined ? undefined : { operation, key } }
    const { answer, reference } = yield* noted(sell(order))
    return HttpServerResponse.text(answer, {
      contentType: "application/json",
      headers: reference === undefined ? replayed : {}
    })
  })

const handlers = HttpApiBuilder.group(
  Api,
  "forecasts",
  Effect.fnUntraced(function* (handlers) {
    const forecasts = yield* Forecasts
    return handlers
      .handleRaw("forecast", sold("POST /api/v1/forecast", forecasts.forecast))
      .handleRaw("legacyForecast", sold("POST /api/v1/service/roi", forecasts.legacyForecast))
  })
)

const deprecation = Layer.succeed(Deprecation, (httpEffect) =>
  HttpEffect.withPreResponseHandler(httpEffect, (_, response) =>
    Effect.succeed(HttpServerResponse.setHeaders(response, deprecated))
  )
)

export const layer = handlers.pipe(Layer.provide([Authentication.layer, deprecation]))
