import { deepStrictEqual } from "node:assert/strict"
import { Arbitrary, Clock, DateTime, Duration, Effect, Layer, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../src/credits/Credits.ts"
import { Usage } from "../../src/credits/Usage.ts"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { operations } from "../../src/metering/Operations.ts"
import { Forecasts } from "../../src/metering/Forecasts.ts"
import { KeyId } from "../../src/KeyId.ts"
import { Adjustments } from "../../src/owner/Adjustments.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import type { CreditPack } from "../../src/settings/CreditPack.ts"
import { Orders } from "../../src/orders/Orders.ts"
import type { applications } from "./Application.ts"
import { MeteredKey, type Outcome } from "./MeteredKey.ts"
import { type Command, commands, type Request } from "./MeteringCommands.ts"
import { assumptionsOf } from "./Samples.ts"
import { monthOf } from "../../src/text/Times.ts"
import { placeOrder } from "./Orders.ts"

const decodeUsage = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ usage: Usage })))

const pack: CreditPack = { id: "three", credits: 3, amount: 100, currency: "USD" }

/** Runs commands one by one on the service and on the model; dies if they differ. */
const play = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  const adjustments = yield* Adjustments
  const apiKeys = yield* ApiKeys
  const authenticator = yield* Authenticator
  const credits = yield* Credits
  const forecasts = yield* Forecasts
  const orders = yield* Orders
  const { verify } = yield* LedgerAudit
  const keys: Array<MeteredKey> = []
  const references = new Map<number, { readonly id: string; readonly delta: number }>()

  const issue = Effect.fnUntraced(function* (amount: number) {
    const owner = { name: "Ada", email: `ada${keys.length}@example.com`, company: "Example" }
    const issued = yield* apiKeys.issue(owner, amount)
    const metered = new MeteredKey(issued.key.id, issued.secret, amount)
    keys.push(metered)
    return metered
  })
  const first = yield* issue(8)
  const keyAt = (i: number) => keys[i % keys.length] ?? first

  const request = Effect.fnUntraced(function* ({ emails, isLegacy, key, retry, secret }: Request) {
    const metered = keyAt(key)
    const at = metered.secrets.length - 1 - (secret % metered.secrets.length)
    const operation = isLegacy ? "POST /api/v1/service/roi" : "POST /api/v1/forecast"
    const asked = { metered, secret: at, emails, retry: retry === 0 ? undefined : `${operation} ${retry}` }
    const assumptions = yield* assumptionsOf({ emails_sent: emails })
    return yield* authenticator.authenticate(metered.secrets[at]?.secret ?? Redacted.make("")).pipe(
      Effect.flatMap(({ id }) => {
        const idempotency = retry === 0 ? undefined : { operation, key: `${retry}` }
        const { requestOf } = isLegacy ? operations.legacy : operations.forecast
        return forecasts.forecast({ keyId: id, request: requestOf(assumptions), idempotency })
      }),
      Effect.match({
        onFailure: ({ _tag }): Outcome => ({ tag: _tag, text: "", usage: undefined }),
        onSuccess: ({ answer: response, reference }): Outcome =>
          reference === undefined
            ? { tag: "Replayed", text: response, usage: undefined }
            : { tag: "Charged", text: response, usage: decodeUsage(response).usage }
      }),
      Effect.map((outcome) => ({ ...asked, outcome }))
    )
  })

  const forecast = Effect.fnUntraced(function* (requests: ReadonlyArray<Request>) {
    const now = yield* Clock.currentTimeMillis
    const asked = yield* Effect.forEach(requests, request, { concurrency: "unbounded" })
    for (const [metered, group] of Map.groupBy(asked, ({ metered }) => metered))
      metered.settle(group, now, monthOf(now))
  })

  const adjust = Effect.fnUntraced(function* (metered: MeteredKey, delta: number, reference: number) {
    const made = references.get(reference)
    const expected = () => {
      if (metered.state === "revoked") return "KeyRevoked"
      if (made !== undefined) return made.id === metered.id && made.delta === delta ? "again" : "ReferenceTaken"
      return metered.remaining + delta < 0 ? "CreditsTooFew" : "made"
    }
    const outcome = yield* adjustments
      .make(metered.id, {
        action: delta > 0 ? "credits_granted" : "credits_adjusted",
        delta,
        reason: "model",
        reference: reference === 0 ? undefined : `${reference}`
      })
      .pipe(
        Effect.match({
          onFailure: ({ _tag }): string => _tag,
          onSuccess: ({ wasMadeBefore }) => (wasMadeBefore ? "again" : "made")
        })
      )
    deepStrictEqual(outcome, expected())
    if (outcome !== "made") return
    metered.entries.push(["adjustment", delta])
    if (reference !== 0) references.set(reference, { id: metered.id, delta })
  })

  const buy = Effect.fnUntraced(function* (metered: MeteredKey, confirmations: number) {
    // Its owner is refused before an order is created.
    if (metered.state === "revoked") return
    const key = yield* apiKeys.find(metered.id)
    const order = yield* placeOrder(pack, key)
    const paidAt = yield* Clock.currentTimeMillis
    const confirmed = yield* Effect.replicateEffect(
      orders.fulfil(order.id, { reference: `bank ${order.id}`, paidAt }),
      confirmations,
      { concurrency: "unbounded" }
    )
    for (const { creditedKeyId } of confirmed) deepStrictEqual(creditedKeyId, metered.id)
    metered.entries.push(["credit_pack", pack.credits])
  })

  const perform = Effect.fnUntraced(function* (command: Command) {
    if ("forecast" in command) yield* forecast(command.forecast)
    else if ("issue" in command) yield* issue(command.issue)
    else if ("adjust" in command) yield* adjust(keyAt(command.key), command.adjust, command.reference)
    else if ("buy" in command) yield* buy(keyAt(command.buy), command.confirmations)
    else if ("rotate" in command) {
      const metered = keyAt(command.rotate)
      const { oldSecretValidUntil, secret } = yield* apiKeys.rotate(KeyId.make(metered.id), command.graceHours)
      metered.rotate(secret, oldSecretValidUntil)
    } else if ("setPlan" in command) {
      const metered = keyAt(command.key)
      yield* apiKeys.setPlan(KeyId.make(metered.id), command.setPlan)
      metered.plan = command.setPlan
    } else if ("revoke" in command) {
      const metered = keyAt(command.revoke)
      yield* apiKeys.revoke(KeyId.make(metered.id), "operator")
      metered.state = "revoked"
    } else yield* TestClock.adjust(Duration.hours(command.waitHours))
  })

  // The month ends after some waits.
  yield* TestClock.setTime(DateTime.makeUnsafe("2026-11-29T12:00:00Z").epochMilliseconds)
  for (const command of commands) {
    yield* perform(command)
    for (const { granted, id, remaining } of keys) {
      deepStrictEqual(yield* credits.balance(KeyId.make(id)), { remaining, granted })
    }
  }
  for (const { entries, id, months } of keys) {
    const history = yield* credits.history(KeyId.make(id), entries.length + 1)
    deepStrictEqual(
      history.toReversed().map(({ delta, kind }) => [kind, delta]),
      entries
    )
    const counted = (yield* credits.usage(KeyId.make(id))).requests_by_month.map(
      ({ month, requests }) => [month, requests] as const
    )
    deepStrictEqual(new Map(counted), months)
  }
  const { faults } = yield* verify
  deepStrictEqual(faults, [])
})

/**
 * Runs random commands on a new application for each run, and compares it with a model of keys and credits.
 * Returns a difference with the shortest commands that show it and how to replay them; undefined if there is none.
 */
export const checkMetering = (
  application: (typeof applications)[keyof typeof applications],
  options: Arbitrary.CheckOptions
) =>
  Effect.map(
    Arbitrary.checkEffect(
      commands,
      (commands) =>
        play(commands).pipe(
          Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(application()))),
          Effect.provide(TestClock.layer()),
          Effect.as(true),
          Effect.scoped,
          Effect.catchCause((cause) => Effect.fail(cause))
        ),
      { size: 40, ...options }
    ),
    Arbitrary.formatCheckFailure
  )
