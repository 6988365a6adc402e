import type { IncomingMessage } from "node:http"
import { Effect, Result } from "effect"
import type { Charge } from "../credits/Credits.ts"
import { type DirectAnswer, directEndpoint } from "../http/server/DirectRequests.ts"
import { historyLimit, readBody } from "../http/RequestBody.ts"
import { CurrentRequest } from "../http/RequestState.ts"
import { deprecated, type HeaderFields } from "../http/ResponseHeaders.ts"
import { idempotencyKey, replayed } from "../idempotency/Idempotency.ts"
import type { KeyId, SubKeyId } from "../KeyId.ts"
import { makeAsKey, secretOf } from "../keys/AuthenticationHttp.ts"
import type { AuthenticatedKey } from "../keys/Authenticator.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { Forecasts } from "./Forecasts.ts"
import { decodeJson } from "../input/parseJson.ts"
import { decodeMetered, type MeteredKind } from "./MeteredRequest.ts"
import { ForecastGroup } from "./ForecastsApi.ts"
import { GoalGroup } from "./GoalsApi.ts"
import { ProgressGroup } from "./ProgressApi.ts"

/** The key that a request is charged to, and the Idempotency-Key of its caller. */
interface Caller {
  readonly keyId: KeyId
  readonly subKeyId: SubKeyId | undefined
  readonly idempotency: { readonly operation: string; readonly key: string } | undefined
}

/** Notes a charge for the headers and the log line of its response. Returns the response's own headers. */
export const noteCharge = ({ balance, reference }: Charge): Effect.Effect<HeaderFields> =>
  Effect.map(CurrentRequest, (state) => {
    state.balance = balance
    state.charge = reference
    return reference === undefined ? replayed : {}
  })

/** Creates a reader of an endpoint's caller. Fails with InvalidInput if the Idempotency-Key is invalid. */
export const callerAt = ({ method, path }: { readonly method: string; readonly path: string }) => {
  const operation = `${method} ${path}`
  return (headers: Parameters<typeof idempotencyKey>[0], { id, subKey }: AuthenticatedKey) =>
    Result.map(idempotencyKey(headers), (key): Caller => ({
      keyId: id,
      subKeyId: subKey?.id,
      idempotency: key === undefined ? undefined : { operation, key }
    }))
}

/** Creates answers of endpoints that take a JSON body and one credit. */
const makeMetered = Effect.gen(function* () {
  const { forecast } = yield* Forecasts
  const limits = yield* KeyLimits
  const asKey = yield* makeAsKey
  return (endpoint: { readonly method: string; readonly path: string }, kind: MeteredKind) => {
    const callerOf = callerAt(endpoint)
    const answer = Effect.fnUntraced(function* (request: IncomingMessage, key: AuthenticatedKey) {
      const text = yield* readBody(request, { limit: historyLimit, types: ["application/json"] })
      const metered = yield* Effect.fromResult(decodeJson(text, (json) => decodeMetered(kind, json)))
      const caller = yield* Effect.fromResult(callerOf(request.headers, key))
      return yield* forecast({
        ...metered,
        ...caller,
        onWasted: (forecasts) => limits.countWasted(key.id, forecasts)
      }).pipe(
        Effect.flatMap((charge) =>
          Effect.map(noteCharge(charge), (headers): DirectAnswer => ({ json: charge.answer, headers }))
        ),
        // A charge is logged even if the client has disconnected.
        Effect.uninterruptible
      )
    })
    return (request: IncomingMessage) => asKey(request, secretOf(request), (key) => answer(request, key))
  }
})

const { forecast, legacyForecast } = ForecastGroup.endpoints
const { goal } = GoalGroup.endpoints
const { progress } = ProgressGroup.endpoints

/** The endpoints with one answer for one credit. */
export const endpoints = Effect.map(makeMetered, (metered) => [
  directEndpoint(forecast, metered(forecast, "forecast")),
  directEndpoint(legacyForecast, metered(legacyForecast, "legacy"), deprecated),
  directEndpoint(goal, metered(goal, "goal")),
  directEndpoint(progress, metered(progress, "progress"))
])
