import { Array as Arr, Effect, Result } from "effect"
import type { Charge, ChargeFailure } from "../../credits/Credits.ts"
import { decodeAssumptions } from "../../forecast/Assumptions.ts"
import { type ForecastCall, Forecasts, takesLong } from "../../forecast/Forecasts.ts"
import { continueAll, mapInTurns } from "../../Many.ts"
import { ForecastGroup } from "../api/ForecastApi.ts"
import { type Answer, batchHandler, type Call, type LongAnswer } from "./BatchHandler.ts"
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

const toAnswer = ({ answer, balance, reference }: Charge): Answer => ({
  body: answer,
  headers: reference === undefined ? replayed : {},
  balance,
  charge: reference
})

/** Forecasts, and those of the legacy path, charged together; those that take long by themselves. */
export const forecastHandler = Effect.map(Forecasts, (forecasts) => {
  const answerAll = Effect.fnUntraced(function* (calls: ReadonlyArray<ForecastCall>) {
    const quick = calls.filter((call) => !takesLong(call))
    const charged = new Map(Arr.zip(quick, yield* forecasts.forecastAll(quick)))
    return calls.map((call): Result.Result<Answer | LongAnswer<ChargeFailure>, ChargeFailure> => {
      const result = charged.get(call)
      return result === undefined
        ? Result.succeed(Effect.map(forecasts.forecast(call), toAnswer))
        : Result.map(result, toAnswer)
    })
  })
  return batchHandler([forecast, legacyForecast], (calls) =>
    Effect.flatMap(mapInTurns(calls, decodeInTurn), (decoded) => continueAll(decoded, answerAll))
  )
})
