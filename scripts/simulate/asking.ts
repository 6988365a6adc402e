import { Effect, Schema } from "effect"
import { Assumptions } from "../../src/campaign/Assumptions.ts"
import { exampleRequest } from "../../src/campaign/Fields.ts"
import { type AuthenticatedRequest, Forecasts, type Payer } from "../../src/metering/Forecasts.ts"
import { operations } from "../../src/metering/Operations.ts"
import type { Failure } from "../../src/Problems.ts"
import { type Action, holdOver } from "./Action.ts"
import type { Outside } from "./Outside.ts"
import type { Call } from "./Steps.ts"
import type { Instance } from "./World.ts"

const sending = (emails: number) => Schema.decodeSync(Assumptions)({ ...exampleRequest, emails_sent: emails })

/** Campaigns to ask about. */
export const campaign = sending(2000)
export const larger = sending(3000)
export const few = sending(50)

/** A request's key and Idempotency-Key, as rules know them. */
export const callOf = (
  { idempotency, keyId }: Pick<AuthenticatedRequest, "keyId" | "idempotency">,
  cost = 1
): Call => ({
  keyId,
  cost,
  repeatId: idempotency === undefined ? undefined : `${keyId} ${idempotency.operation} ${idempotency.key}`
})

/** One of few Idempotency-Keys, or none. */
export const repeat = (outside: Outside, operation: string): Payer["idempotency"] =>
  outside.chance(0.4) ? undefined : { operation, key: `${outside.upTo(4)}` }

type Send = (again: Payer) => Effect.Effect<unknown, Failure, Instance>

const forecastFew: Send = (again) =>
  Effect.flatMap(Forecasts, ({ forecast }) => forecast({ ...again, request: operations.forecast.requestOf(few) }))

/** Retries a request that had an Idempotency-Key. */
const sendAgain = ({ keyId, repeatId }: Call, send: Send): ReadonlyArray<Action> => {
  if (repeatId === undefined) return []
  const [method, path, key = ""] = repeatId.split(" ").slice(1)
  const run = Effect.gen(function* () {
    const result = yield* Effect.result(send({ keyId, idempotency: { operation: `${method} ${path}`, key } }))
    if (result._tag === "Failure") holdOver(repeatId, true, result.failure)
  })
  return [{ name: `again ${repeatId}`, calls: [{ keyId, cost: 1, repeatId }], run }]
}

/** Requests forecasts; those with an Idempotency-Key are retried at the end, by `send`. */
export const asking = (name: string, calls: ReadonlyArray<Call>, run: Action["run"], send = forecastFew): Action => ({
  name: `${name} ${calls.map(({ keyId, repeatId }) => repeatId ?? keyId).join(", ")}`,
  calls,
  again: calls.flatMap((call) => sendAgain(call, send)),
  run
})
