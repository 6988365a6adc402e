import { Effect } from "effect"
import { type AuthenticatedRequest, Forecasts } from "../../src/metering/Forecasts.ts"
import { operations } from "../../src/metering/Operations.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { type Action, authenticated, type Known } from "./Action.ts"
import { asking, callOf, campaign, larger, repeat } from "./asking.ts"
import type { Outside } from "./Outside.ts"
import type { Requested } from "./Part.ts"

const own: ReadonlyArray<Requested> = [
  { operation: "POST /forecast", requestOf: (asked) => operations.forecast.requestOf(asked) },
  { operation: "POST /roi", requestOf: (asked) => operations.legacy.requestOf(asked) }
]

/** Requests of the service's operations and of others; those that are charged together wait for no worker. */
export const makeForecastActions = (outside: Outside, others: ReadonlyArray<Requested>) => {
  const kinds = [...own, ...others]

  const requestsFor = (keyId: KeyId, isQuick: boolean): ReadonlyArray<AuthenticatedRequest> => {
    const kind = outside.pick(kinds)
    const asked = outside.pick([campaign, larger]) ?? campaign
    if (kind === undefined) return []
    const idempotency = repeat(outside, kind.operation)
    return [{ keyId, idempotency, request: kind.requestOf(asked, isQuick) }]
  }

  const forecastAll = (requests: ReadonlyArray<AuthenticatedRequest>) =>
    Effect.gen(function* () {
      const forecasts = yield* Forecasts
      const answered = Effect.fnUntraced(function* (request: AuthenticatedRequest) {
        return [callOf(request), yield* Effect.result(forecasts.forecast(request))] as const
      })
      yield* outside.check(yield* Effect.forEach(requests, answered, { concurrency: "unbounded" }))
    })

  const calls = (requests: ReadonlyArray<AuthenticatedRequest>) => requests.map((request) => callOf(request))

  return {
    /** A forecast, or what else is answered for one credit. */
    forecast: (known: Known): Action => {
      const requests = requestsFor(known.keyId, false)
      return asking("forecast", calls(requests), authenticated(outside, known, forecastAll(requests)))
    },
    /** Forecasts of several keys, charged together. */
    together: (): Action => {
      const chosen = Array.from({ length: 2 + outside.upTo(4) }, () => outside.pick(outside.secrets))
      const requests = chosen.flatMap((known) => (known === undefined ? [] : requestsFor(known.keyId, true)))
      return asking("together", calls(requests), forecastAll(requests))
    }
  }
}
