import { Effect, Result } from "effect"
import { type Charge, type ChargeFailure } from "../../credits/Credits.ts"
import { decodeAssumptions } from "../../forecast/Assumptions.ts"
import { type ForecastCall, Forecasts } from "../../forecast/Forecasts.ts"
import { continueAll, mapInTurns } from "../../Many.ts"
import { ForecastGroup } from "../api/ForecastApi.ts"
import { type Answer, batchHandler, type Call } from "./BatchHandler.ts"
import { idempotencyKey, replayed } from "./IdempotencyKey.ts"
import { parseJson } from "./JsonBody.ts"

const { forecast, legacyForecast } = ForecastGroup.endpoints

/** What a call asks for. */
const decode = ({ body, endpoint, headers, key }: Call) =>
  Result.gen(function* () {
    const assumptions = yield* decodeAssumptions(yield* parseJson(yield* body))
    const idempotency = yield* idempotencyKey(headers)
    const { method, path } = endpoint === legacyForecast.identifier ? legacyForecast : forecast
    const call: ForecastCall = {
      keyId: key.id,
      kind: endpoint === legacyForecast.identifier ? "legacy" : "forecast",
      assumptions,
      idempotency: idempotency === undefined ? undefined : { operation: `${method} ${path}`, key: idempotency }
    }
    return call
  })

function* decodeInTurn(call: Call) {
  yield
  return decode(call)
}

const toAnswer = (charged: Result.Result<Charge, ChargeFailure>) =>
  Result.map(charged, ({ answer, balance, reference }): Answer => ({
    body: answer,
    headers: reference === undefined ? replayed : {},
    balance,
    charge: reference
  }))

/** Forecasts, and those of the legacy path, charged together. */
export const forecastHandler = Effect.map(Forecasts, ({ forecastAll }) =>
  batchHandler([forecast, legacyForecast], (calls) =>
    Effect.flatMap(mapInTurns(calls, decodeInTurn), (decoded) =>
      continueAll(decoded, (wanted) => Effect.map(forecastAll(wanted), (charged) => charged.map(toAnswer)))
    )
  )
)
