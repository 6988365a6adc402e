import { Array as Arr, Effect, Result } from "effect"
import type { Charge, ChargeFailure } from "../credits/Credits.ts"
import { decodeAssumptions } from "../campaign/Assumptions.ts"
import { type ForecastCall, Forecasts, type GoalCall, takesLong } from "./Forecasts.ts"
import { decodeGoalRequest } from "../forecast/GoalRequest.ts"
import { parseBody } from "../input/ExactJson.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"
import { continueAll } from "../Many.ts"
import type { Overloaded } from "../http/problems/HttpFailures.ts"
import { ForecastGroup } from "./ForecastsApi.ts"
import { GoalGroup } from "./GoalsApi.ts"
import { type Answer, batchHandler, type Call, type LongAnswer } from "../http/batch/BatchHandler.ts"
import { idempotencyKey, replayed } from "../idempotency/IdempotencyKey.ts"

const { forecast, legacyForecast } = ForecastGroup.endpoints
const { goal } = GoalGroup.endpoints
const endpoints = [forecast, legacyForecast, goal]

type DecodedCall = ForecastCall | GoalCall

/** What the body of a call asks for. */
type Decoded = Omit<ForecastCall, "keyId" | "idempotency"> | Omit<GoalCall, "keyId" | "idempotency">

const operation = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`

const operations = { forecast: operation(forecast), legacy: operation(legacyForecast), goal: operation(goal) }

/** The goal or the forecast that a body asks for. */
const decodeBody = (endpoint: string, json: unknown): Result.Result<Decoded, InvalidInput> =>
  endpoint === goal.identifier
    ? Result.map(decodeGoalRequest(json), (request) => ({ kind: "goal", ...request }))
    : Result.map(decodeAssumptions(json), (assumptions) => ({
        kind: endpoint === legacyForecast.identifier ? "legacy" : "forecast",
        assumptions
      }))

const decode = ({ body, endpoint, headers, key }: Call) =>
  Result.gen(function* () {
    const decoded = yield* decodeBody(endpoint, yield* parseBody(yield* body))
    const chosen = yield* idempotencyKey(headers)
    const idempotency = chosen === undefined ? undefined : { operation: operations[decoded.kind], key: chosen }
    return { ...decoded, keyId: key.id, idempotency } satisfies DecodedCall
  })

const toAnswer = ({ answer, balance, reference }: Charge): Answer => ({
  body: answer,
  headers: reference === undefined ? replayed : {},
  balance,
  charge: reference
})

/** Forecasts, those of the legacy path, and goals, charged together; those that take long by themselves. */
export const forecastHandler = Effect.map(Forecasts, (forecasts) => {
  const answerAll = Effect.fnUntraced(function* (calls: ReadonlyArray<DecodedCall>) {
    const quick = calls.filter((call) => !takesLong(call))
    const charged = new Map(Arr.zip(quick, yield* forecasts.forecastAll(quick)))
    return calls.map((call): Result.Result<Answer | LongAnswer<ChargeFailure | Overloaded>, ChargeFailure> => {
      const result = charged.get(call)
      return result === undefined
        ? Result.succeed(Effect.map(call.kind === "goal" ? forecasts.goal(call) : forecasts.forecast(call), toAnswer))
        : Result.map(result, toAnswer)
    })
  })
  return batchHandler(endpoints, (calls) => Effect.suspend(() => continueAll(calls.map(decode), answerAll)))
})
