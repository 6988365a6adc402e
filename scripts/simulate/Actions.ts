import { BigDecimal, Clock, Effect, Schema } from "effect"
import type { LedgerEntry } from "../../src/credits/Ledger.ts"
import { Idempotency } from "../../src/credits/Idempotency.ts"
import { Assumptions, exampleRequest } from "../../src/forecast/Assumptions.ts"
import { CampaignForecasts } from "../../src/forecast/CampaignForecasts.ts"
import { type ForecastCall, Forecasts, type GoalCall } from "../../src/forecast/Forecasts.ts"
import { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { Adjustments } from "../../src/keys/Adjustments.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import type { KeyId } from "../../src/keys/KeyId.ts"
import { KeySecrets } from "../../src/keys/KeySecrets.ts"
import { deliverDue } from "../../src/mail/MailWorker.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { PaymentEvents } from "../../src/orders/PaymentEvents.ts"
import type { PaymentEvent } from "../../src/orders/payments/PaymentEvent.ts"
import type { Outside } from "./Outside.ts"
import { type Call, hold } from "./Steps.ts"
import type { Instance } from "./World.ts"

/** Something to do with an instance; it fails where a rule is broken, as a defect. */
export interface Action {
  readonly name: string
  readonly calls?: ReadonlyArray<Call>
  readonly mayWrite?: ReadonlyArray<LedgerEntry["kind"]>
  readonly run: Effect.Effect<unknown, never, Instance>
}

const assumptions = [2, 3].map((thousands) =>
  Schema.decodeSync(Assumptions)({ ...exampleRequest, emails_sent: thousands * 1000 })
)
const [campaign] = assumptions
const few = Schema.decodeSync(Assumptions)({ ...exampleRequest, emails_sent: 50 })
const pack = { id: "starter", credits: 20, amount: 1900, currency: "USD" }

/** Four addresses of two mailboxes, and one of a third. */
const addresses = ["ada@gmail.com", "a.da@googlemail.com", "ada+1@gmail.com", "bob@example.com", "Bob+x@example.com"]
const owners = [...addresses, "eve@example.org"].map((email) => ({ name: "Ada", email, company: "Example" }))

const operations = { forecast: "POST /forecast", legacy: "POST /roi", goal: "POST /goal", campaigns: "POST /campaigns" }

const callOf = (
  { keyId, idempotency }: { readonly keyId: KeyId; readonly idempotency: ForecastCall["idempotency"] },
  cost = 1
): Call => ({
  keyId,
  cost,
  repeatId: idempotency === undefined ? undefined : `${keyId} ${idempotency.operation} ${idempotency.key}`
})

const repeat = (outside: Outside, operation: string) =>
  outside.chance(0.4) ? undefined : { operation, key: `${outside.upTo(4)}` }

const callFor = (outside: Outside, keyId: KeyId): ForecastCall | GoalCall => {
  const kind = outside.pick(["forecast", "legacy", "goal"] as const) ?? "forecast"
  const idempotency = repeat(outside, operations[kind])
  const asked = outside.pick(assumptions) ?? few
  if (kind !== "goal") return { keyId, kind, assumptions: asked, idempotency }
  const goal = { aim: "clients", target: BigDecimal.fromNumberUnsafe(2) } as const
  return outside.chance(0.7)
    ? { keyId, kind, assumptions: asked, idempotency, goal }
    : { keyId, kind, assumptions: few, idempotency, goal: { ...goal, chance: BigDecimal.make(8n, 1) } }
}

/** Sends again what came with an Idempotency-Key: whatever it is answered, it is not in progress when all is over. */
export const sendAgain = ({ keyId, repeatId = "" }: Call): Action => {
  const [method, path, key = ""] = repeatId.split(" ").slice(1)
  const idempotency = { operation: `${method} ${path}`, key }
  const isOfMany = idempotency.operation === operations.campaigns
  const asked = { keyId, cost: 1, repeatId }
  const run = Effect.gen(function* () {
    const result = yield* Effect.result(
      isOfMany
        ? (yield* CampaignForecasts).forecast({ keyId, campaigns: [few], format: "csv", idempotency })
        : (yield* Forecasts).forecast({ keyId, kind: "forecast", assumptions: few, idempotency })
    )
    hold(
      result._tag === "Success" || result.failure._tag !== "IdempotencyInProgress",
      `${repeatId} is in progress for ever`
    )
  })
  return { name: `again ${repeatId}`, calls: [asked], run }
}

type Known = Outside["secrets"][number]

/** Does something with the key of a secret, if it opens one; it may not, once the key is revoked. */
const authenticated = <A, R>(outside: Outside, { keyId, secret }: Known, use: Effect.Effect<A, never, R>) => {
  const wasRevoked = outside.revoked.has(keyId)
  return Effect.gen(function* () {
    const key = yield* Effect.result((yield* Authenticator).authenticate(secret))
    if (key._tag === "Failure") return
    hold(!wasRevoked && key.success.id === keyId, `${keyId} is revoked, and its secret still opens it`)
    yield* use
  })
}

const forecast = (outside: Outside, known: Known): Action => {
  const call = callFor(outside, known.keyId)
  const asked = callOf(call)
  const use = Effect.gen(function* () {
    const forecasts = yield* Forecasts
    const result = yield* Effect.result(call.kind === "goal" ? forecasts.goal(call) : forecasts.forecast(call))
    yield* outside.check([[asked, result]])
  })
  return {
    name: `${call.kind} ${asked.repeatId ?? known.keyId}`,
    calls: [asked],
    run: authenticated(outside, known, use)
  }
}

const together = (outside: Outside): Action => {
  const calls = Array.from({ length: 2 + outside.upTo(4) }, () => outside.pick(outside.secrets)).flatMap((known) =>
    known === undefined ? [] : [callFor(outside, known.keyId)]
  )
  const asked = calls.map((call) => callOf(call))
  const run = Effect.gen(function* () {
    const results = yield* (yield* Forecasts).forecastAll(calls)
    yield* outside.check(asked.flatMap((call, i) => (results[i] === undefined ? [] : [[call, results[i]] as const])))
  })
  return { name: `together ${asked.map(({ keyId, repeatId }) => repeatId ?? keyId).join(", ")}`, calls: asked, run }
}

const campaigns = (outside: Outside, known: Known): Action => {
  const chosen = Array.from({ length: 2 + outside.upTo(2) }, () => campaign ?? few)
  const idempotency = repeat(outside, operations.campaigns)
  const call = { keyId: known.keyId, campaigns: chosen, format: "json" as const, idempotency }
  const asked = callOf(call, chosen.length)
  const use = Effect.gen(function* () {
    const result = yield* Effect.result((yield* CampaignForecasts).forecast(call))
    yield* outside.check([[asked, result]])
  })
  return { name: `campaigns ${asked.repeatId ?? known.keyId}`, calls: [asked], run: authenticated(outside, known, use) }
}

/** Applies an event of the payment provider; one with another amount must be refused. */
export const deliver = (event: PaymentEvent, isWrong = false): Action => ({
  name: `${event.kind} ${event.id} ${event.orderId}`,
  mayWrite: ["credit_pack", "adjustment"],
  run: Effect.gen(function* () {
    const result = yield* Effect.result((yield* PaymentEvents).apply(event))
    hold(isWrong || result._tag === "Success", `${event.id} was refused`)
  })
})

const webhook = (outside: Outside): Action | undefined => {
  const old = outside.chance(0.4) ? outside.pick(outside.events) : undefined
  if (old !== undefined) return deliver(old)
  const session = outside.pick(outside.sessions)
  if (session === undefined) return undefined
  const { amount, currency, id: orderId, sessionId } = session
  const id = `evt_${outside.events.length}`
  const drawn = outside.random()
  const reference = outside.chance(0.1) ? `pi_other_${orderId}` : `pi_${orderId}`
  if (drawn < 0.05) {
    return deliver({ id: `${id}_wrong`, orderId, kind: "paid", sessionId, reference, amount: 1, currency, at: 0 }, true)
  }
  const event: PaymentEvent =
    drawn < 0.7
      ? { id, orderId, kind: "paid", sessionId, reference, amount, currency, at: 0 }
      : drawn < 0.8
        ? { id, orderId, kind: "failed", sessionId }
        : { id, orderId, kind: "refunded", reference, isWhole: drawn < 0.95 }
  outside.events.push(event)
  return deliver(event)
}

const learn = (outside: Outside, issued: { readonly key: { readonly id: KeyId }; readonly secret: Known["secret"] }) =>
  outside.secrets.push({ keyId: issued.key.id, secret: issued.secret })

/** An action of an operator or of the service itself, where its refusals are as good as its success. */
const maintenance = (outside: Outside, { keyId }: Known): Action => {
  const orderId = outside.pick(outside.sessions)?.id ?? "ord_none"
  const pairs: ReadonlyArray<Action> = [
    {
      name: `rotate ${keyId}`,
      run: Effect.gen(function* () {
        const rotated = yield* Effect.result((yield* ApiKeys).rotate(keyId, outside.pick([0, 1, 72]) ?? 0))
        if (rotated._tag === "Success") learn(outside, rotated.success)
      })
    },
    {
      name: `revoke ${keyId}`,
      run: Effect.gen(function* () {
        const revoked = yield* Effect.result((yield* ApiKeys).revoke(keyId, "operator"))
        if (revoked._tag === "Success") outside.revoked.add(keyId)
      })
    },
    {
      name: `plan ${keyId}`,
      run: Effect.flatMap(ApiKeys, ({ setPlan }) =>
        Effect.result(setPlan(keyId, outside.chance(0.3) ? "inactive" : "active"))
      )
    },
    {
      name: `adjust ${keyId}`,
      mayWrite: ["adjustment"],
      run: Effect.flatMap(Adjustments, ({ make }) => {
        const delta = outside.pick([-5, 3, 8]) ?? 1
        const action = delta > 0 ? ("credits_granted" as const) : ("credits_adjusted" as const)
        return Effect.result(make(keyId, { action, delta, reason: "simulated", reference: `${outside.upTo(6)}` }))
      })
    },
    {
      name: `fulfil ${orderId}`,
      mayWrite: ["credit_pack"],
      run: Effect.gen(function* () {
        const paidAt = yield* Clock.currentTimeMillis
        yield* Effect.result((yield* Orders).fulfil(orderId, { reference: `bank ${orderId}`, paidAt }))
      })
    },
    { name: `cancel ${orderId}`, run: Effect.flatMap(Orders, ({ cancel }) => Effect.result(cancel(orderId))) },
    purging,
    { name: "purge secrets", run: Effect.flatMap(KeySecrets, ({ purge }) => purge) }
  ]
  return outside.pick(pairs) ?? mailing
}

/** Deletes the answers whose time is over. */
export const purging: Action = { name: "purge answers", run: Effect.flatMap(Idempotency, ({ purge }) => purge) }

/** Sends the mail that is due. */
export const mailing: Action = { name: "mail", run: deliverDue }

const access = (outside: Outside): Action => {
  const owner = outside.pick(owners) ?? { name: "Ada", email: "ada@gmail.com", company: "Example" }
  if (outside.chance(0.8)) {
    return { name: `request ${owner.email}`, run: Effect.flatMap(AccessRequests, ({ request }) => request(owner)) }
  }
  const issue = Effect.gen(function* () {
    const issued = yield* Effect.result((yield* ApiKeys).issue(owner))
    if (issued._tag === "Success") learn(outside, issued.success)
  })
  return { name: `issue ${owner.email}`, mayWrite: ["preview_grant"], run: issue }
}

const confirm = (outside: Outside): Action | undefined => {
  const token = outside.chance(0.7) ? outside.tokens.at(-1) : outside.pick(outside.tokens)
  if (token === undefined) return undefined
  const reveal = Effect.gen(function* () {
    const revealed = yield* Effect.result((yield* AccessRequests).reveal(token))
    if (revealed._tag === "Success") learn(outside, revealed.success)
  })
  return { name: "confirm", mayWrite: ["preview_grant"], run: reveal }
}

const order = (outside: Outside, known: Known | undefined): Action => {
  const owner = outside.pick(owners)
  const run = Effect.gen(function* () {
    const own = known && outside.chance(0.6) ? yield* Effect.result((yield* ApiKeys).find(known.keyId)) : undefined
    const buyer = own?._tag === "Success" && own.success.state === "usable" ? own.success : owner
    if (buyer !== undefined) yield* Effect.result((yield* Orders).place(pack, buyer, "https://forecast.example"))
  })
  return { name: `order ${known?.keyId ?? owner?.email}`, run }
}

/** What happens next, or nothing where nobody can do what was drawn. */
export const drawAction = (outside: Outside): Action | undefined => {
  const drawn = outside.random()
  const known = outside.chance(0.7) ? outside.secrets.at(-1) : outside.pick(outside.secrets)
  if (drawn < 0.12) return access(outside)
  if (drawn < 0.3) return mailing
  if (drawn < 0.4) return confirm(outside)
  if (drawn < 0.47) return order(outside, known)
  if (drawn < 0.57) return webhook(outside)
  if (known === undefined) return access(outside)
  if (drawn < 0.67) return maintenance(outside, known)
  if (drawn < 0.77) return together(outside)
  return drawn < 0.84 ? campaigns(outside, known) : forecast(outside, known)
}
