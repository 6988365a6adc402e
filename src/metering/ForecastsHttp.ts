import { Array as Arr, Effect, Result } from "effect"
import type { Charge, ChargeFailure } from "../credits/Credits.ts"
import { type AskedKind, askedKinds, decodeAsked, takesLong } from "./Asked.ts"
import { type ForecastCall, Forecasts } from "./Forecasts.ts"
import { parseBody } from "../input/ExactJson.ts"
import { continueAll } from "../Many.ts"
import type { Overloaded } from "../http/problems/HttpFailures.ts"
import { ForecastGroup } from "./ForecastsApi.ts"
import { GoalGroup } from "./GoalsApi.ts"
import { ProgressGroup } from "./ProgressApi.ts"
import { type Answer, batchHandler, type Call, type LongAnswer } from "../http/batch/BatchHandler.ts"
import { idempotencyKey, replayed } from "../idempotency/IdempotencyKey.ts"

/** The endpoint at which each kind of answer is asked for. */
const endpoints = {
  forecast: ForecastGroup.endpoints.forecast,
  legacy: ForecastGroup.endpoints.legacyForecast,
  goal: GoalGroup.endpoints.goal,
  progress: ProgressGroup.endpoints.progress
}

const kindOf = (endpoint: string): AskedKind =>
  askedKinds.find((kind) => endpoints[kind].identifier === endpoint) ?? "forecast"

const decode = ({ body, endpoint, headers, key }: Call) =>
  Result.gen(function* () {
    const kind = kindOf(endpoint)
    const asked = yield* decodeAsked(kind, yield* parseBody(yield* body))
    const chosen = yield* idempotencyKey(headers)
    const { method, path } = endpoints[kind]
    const idempotency = chosen === undefined ? undefined : { operation: `${method} ${path}`, key: chosen }
    return { ...asked, keyId: key.id, idempotency } satisfies ForecastCall
  })

const toAnswer = ({ answer, balance, reference }: Charge): Answer => ({
  body: answer,
  headers: reference === undefined ? replayed : {},
  balance,
  charge: reference
})

/** The answers that cost one credit, charged together; those that take long by themselves. */
export const forecastHandler = Effect.map(Forecasts, (forecasts) => {
  const answerAll = Effect.fnUntraced(function* (calls: ReadonlyArray<ForecastCall>) {
    const quick = calls.filter((call) => !takesLong(call))
    const charged = new Map(Arr.zip(quick, yield* forecasts.forecastAll(quick)))
    return calls.map((call): Result.Result<Answer | LongAnswer<ChargeFailure | Overloaded>, ChargeFailure> => {
      const result = charged.get(call)
      return result === undefined
        ? Result.succeed(Effect.map(forecasts.forecast(call), toAnswer))
        : Result.map(result, toAnswer)
    })
  })
  return batchHandler(Object.values(endpoints), (calls) =>
    Effect.suspend(() => continueAll(calls.map(decode), answerAll))
  )
})
