import { Array as Arr, Effect, Result } from "effect"
import type { Charge, ChargeFailure } from "../../credits/Credits.ts"
import { decodeAssumptions } from "../../forecast/Assumptions.ts"
import { type ForecastCall, Forecasts, type GoalCall, takesLong } from "../../forecast/Forecasts.ts"
import { decodeGoalRequest } from "../../forecast/GoalRequest.ts"
import type { ExactJson } from "../../input/ExactJson.ts"
import type { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { continueAll, mapInTurns } from "../../Many.ts"
import { makeIsRepeated, makeRecent, mostRecent, type Recent } from "../../Recent.ts"
import type { KeyId } from "../../keys/KeyId.ts"
import { ForecastGroup } from "../api/ForecastApi.ts"
import { GoalGroup } from "../api/GoalApi.ts"
import { type Answer, batchHandler, type Call, type LongAnswer } from "./BatchHandler.ts"
import { idempotencyKey, replayed } from "./IdempotencyKey.ts"
import { parseJson } from "./JsonBody.ts"

const { forecast, legacyForecast } = ForecastGroup.endpoints
const { goal } = GoalGroup.endpoints
const endpoints = [forecast, legacyForecast, goal]

type Wanted = ForecastCall | GoalCall

/** Only bodies of up to so many characters are remembered: one is a few hundred long. */
const longestRemembered = 2048

/** What the body of a call asks for. */
type Asked = Omit<ForecastCall, "keyId" | "idempotency"> | Omit<GoalCall, "keyId" | "idempotency">

/** The same, or what is wrong with the body. */
type Decoded = Result.Result<Asked, MalformedJson | InvalidInput>

const operation = ({ method, path }: { readonly method: string; readonly path: string }) => `${method} ${path}`

const operations = { forecast: operation(forecast), legacy: operation(legacyForecast), goal: operation(goal) }

/** The goal or the forecast that a body asks for. */
const decodeBody = (endpoint: string, json: ExactJson, isRepeated: boolean): Result.Result<Asked, InvalidInput> =>
  endpoint === goal.identifier
    ? Result.map(decodeGoalRequest(json), (request) => ({ kind: "goal", isRepeated, ...request }))
    : Result.map(decodeAssumptions(json), (assumptions) => ({
        kind: endpoint === legacyForecast.identifier ? "legacy" : "forecast",
        isRepeated,
        assumptions
      }))

/**
 * Makes what reads calls. A body that a key sends again is kept as what it was decoded to: from then on it asks for the very
 * same objects, which nobody changes and by which `Forecasts` finds what it computed of them, or has the same errors. Each
 * key has its own, so that nobody can tell by the time of an answer what others ask for.
 */
const makeDecode = () => {
  const recent = new Map(
    endpoints.map(({ identifier }): [string, Recent<string, Decoded>] => [identifier, makeRecent(mostRecent)])
  )

  const isRepeated = makeIsRepeated()

  const decodeText = (endpoint: string, keyId: KeyId, text: string): Decoded => {
    const name = `${keyId} ${text}`
    const known = recent.get(endpoint)?.get(name)
    if (known !== undefined) return known
    const isKept = text.length <= longestRemembered && isRepeated(name)
    const decoded = Result.flatMap(parseJson(text), (json) => decodeBody(endpoint, json, isKept))
    if (isKept) recent.get(endpoint)?.set(name, decoded)
    return decoded
  }

  /** What a call asks for. */
  return function* ({ body, endpoint, headers, key }: Call) {
    yield
    const asked = Result.flatMap(body, (text) => decodeText(endpoint, key.id, text))
    return Result.flatMap(asked, (asked) =>
      Result.map(idempotencyKey(headers), (chosen): Wanted => ({
        ...asked,
        keyId: key.id,
        idempotency: chosen === undefined ? undefined : { operation: operations[asked.kind], key: chosen }
      }))
    )
  }
}

const toAnswer = ({ answer, balance, reference }: Charge): Answer => ({
  body: answer,
  headers: reference === undefined ? replayed : {},
  balance,
  charge: reference
})

/** Forecasts, those of the legacy path, and goals, charged together; those that take long by themselves. */
export const forecastHandler = Effect.map(Forecasts, (forecasts) => {
  const decode = makeDecode()
  const answerAll = Effect.fnUntraced(function* (calls: ReadonlyArray<Wanted>) {
    const quick = calls.filter((call) => !takesLong(call))
    const charged = new Map(Arr.zip(quick, yield* forecasts.forecastAll(quick)))
    return calls.map((call): Result.Result<Answer | LongAnswer<ChargeFailure>, ChargeFailure> => {
      const result = charged.get(call)
      return result === undefined
        ? Result.succeed(Effect.map(call.kind === "goal" ? forecasts.goal(call) : forecasts.forecast(call), toAnswer))
        : Result.map(result, toAnswer)
    })
  })
  return batchHandler(endpoints, (calls) =>
    Effect.flatMap(mapInTurns(calls, decode), (decoded) => continueAll(decoded, answerAll))
  )
})
