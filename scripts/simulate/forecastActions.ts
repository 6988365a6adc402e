import { BigDecimal, Effect, Schema } from "effect"
import { Assumptions } from "../../src/campaign/Assumptions.ts"
import type { CampaignsFormat } from "../../src/extensions/lists/CampaignList.ts"
import { exampleRequest } from "../../src/campaign/Fields.ts"
import { type AuthenticatedRequest, Forecasts, type Payer } from "../../src/metering/Forecasts.ts"
import { goalOperation } from "../../src/extensions/goals/goalOperation.ts"
import { Lists } from "../../src/extensions/lists/Lists.ts"
import { operations } from "../../src/metering/Operations.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { type Action, authenticated, holdOver, type Known } from "./Action.ts"
import type { Outside } from "./Outside.ts"
import type { Call } from "./Steps.ts"

const assumptions = [2, 3].map((thousands) =>
  Schema.decodeSync(Assumptions)({ ...exampleRequest, emails_sent: thousands * 1000 })
)
const [campaign] = assumptions
const few = Schema.decodeSync(Assumptions)({ ...exampleRequest, emails_sent: 50 })

const encode = Schema.encodeSync(Assumptions)

/** Forecasts a list. */
const forecastList = Effect.fnUntraced(function* (
  campaigns: ReadonlyArray<Assumptions>,
  answer: CampaignsFormat,
  payer: Payer
) {
  const lists = yield* Lists
  const text = `{"campaigns":[${campaigns.map((each) => JSON.stringify(encode(each))).join(",")}]}`
  return yield* lists.forecast({
    ...payer,
    decode: lists.decode({ text, type: "json", answer }, payer.keyId),
    answer
  })
})

const names = { forecast: "POST /forecast", legacy: "POST /roi", goal: "POST /goal", campaigns: "POST /campaigns" }

const callOf = (
  { keyId, idempotency }: { readonly keyId: KeyId; readonly idempotency: AuthenticatedRequest["idempotency"] },
  cost = 1
): Call => ({
  keyId,
  cost,
  repeatId: idempotency === undefined ? undefined : `${keyId} ${idempotency.operation} ${idempotency.key}`
})

const repeat = (outside: Outside, operation: string) =>
  outside.chance(0.4) ? undefined : { operation, key: `${outside.upTo(4)}` }

/** A request for a forecast or a goal; if `isQuick`, one that waits for no worker. */
const callFor = (outside: Outside, keyId: KeyId, isQuick = false): AuthenticatedRequest => {
  const kind = outside.pick(["forecast", "legacy", "goal"] as const) ?? "forecast"
  const idempotency = repeat(outside, names[kind])
  const asked = outside.pick(assumptions) ?? few
  const call = { keyId, idempotency }
  if (kind !== "goal") return { ...call, request: operations[kind].requestOf(asked) }
  const goal = { aim: "clients", target: BigDecimal.fromNumberUnsafe(2) } as const
  const request =
    isQuick || outside.chance(0.7)
      ? { assumptions: asked, goal }
      : { assumptions: few, goal: { ...goal, chance: BigDecimal.make(8n, 1) } }
  return { ...call, request: goalOperation.requestOf(request) }
}

/** Retries a request that had an Idempotency-Key. */
const sendAgain = ({ keyId, repeatId }: Call): ReadonlyArray<Action> => {
  if (repeatId === undefined) return []
  const [method, path, key = ""] = repeatId.split(" ").slice(1)
  const idempotency = { operation: `${method} ${path}`, key }
  const isOfMany = idempotency.operation === names.campaigns
  const run = Effect.gen(function* () {
    const result = yield* Effect.result(
      isOfMany
        ? forecastList([few], "csv", { keyId, idempotency })
        : (yield* Forecasts).forecast({ keyId, request: operations.forecast.requestOf(few), idempotency })
    )
    if (result._tag === "Failure") holdOver(repeatId, true, result.failure)
  })
  return [{ name: `again ${repeatId}`, calls: [{ keyId, cost: 1, repeatId }], run }]
}

/** Requests forecasts; those with an Idempotency-Key are retried at the end. */
const asking = (name: string, calls: ReadonlyArray<Call>, run: Action["run"]): Action => ({
  name: `${name} ${calls.map(({ keyId, repeatId }) => repeatId ?? keyId).join(", ")}`,
  calls,
  again: calls.flatMap(sendAgain),
  run
})

/** A forecast or a goal. */
export const forecast = (outside: Outside, known: Known): Action => {
  const call = callFor(outside, known.keyId)
  const asked = callOf(call)
  const use = Effect.gen(function* () {
    const forecasts = yield* Forecasts
    const result = yield* Effect.result(forecasts.forecast(call))
    yield* outside.check([[asked, result]])
  })
  return asking("forecast", [asked], authenticated(outside, known, use))
}

/** Forecasts of several keys, charged together. */
export const together = (outside: Outside): Action => {
  const calls = Array.from({ length: 2 + outside.upTo(4) }, () => outside.pick(outside.secrets)).flatMap((known) =>
    known === undefined ? [] : [callFor(outside, known.keyId, true)]
  )
  const asked = calls.map((call) => callOf(call))
  const run = Effect.gen(function* () {
    const forecasts = yield* Forecasts
    const results = yield* Effect.forEach(calls, (call) => Effect.result(forecasts.forecast(call)), {
      concurrency: "unbounded"
    })
    yield* outside.check(asked.flatMap((call, i) => (results[i] === undefined ? [] : [[call, results[i]] as const])))
  })
  return asking("together", asked, run)
}

/** Many campaigns in one request. */
export const campaigns = (outside: Outside, known: Known): Action => {
  const chosen = Array.from({ length: 2 + outside.upTo(2) }, () => campaign ?? few)
  const idempotency = repeat(outside, names.campaigns)
  const payer = { keyId: known.keyId, idempotency }
  const asked = callOf(payer, chosen.length)
  const use = Effect.gen(function* () {
    const result = yield* Effect.result(forecastList(chosen, "json", payer))
    yield* outside.check([[asked, result]])
  })
  return asking("campaigns", [asked], authenticated(outside, known, use))
}
