import { deepStrictEqual } from "node:assert/strict"
import { Arbitrary, Clock, DateTime, Duration, Effect, Redacted, Schema } from "effect"
import { TestClock } from "effect/testing"
import { Credits, Usage } from "../../src/credits/Credits.ts"
import { LedgerCheck } from "../../src/credits/LedgerCheck.ts"
import { monthOf } from "../../src/credits/Month.ts"
import { Forecasts } from "../../src/forecast/Forecasts.ts"
import { KeyId } from "../../src/keys/ApiKey.ts"
import { Adjustments } from "../../src/keys/Adjustments.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import type { memoryApplication, sqliteApplication } from "./Application.ts"
import { MeteredKey, type Outcome } from "./MeteredKey.ts"
import { assumptionsOf } from "./Samples.ts"

const integer = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

/** Which key, counted from the first and round again. */
const key = integer(0, 3)

const Request = Schema.Struct({
  key,
  secret: integer(0, 1),
  retry: integer(0, 3),
  emails: integer(1, 2),
  isLegacy: Schema.Boolean
})
const Forecast = Schema.Struct({
  /** Sent all at once. */
  forecast: Schema.Array(Request).check(Schema.isMinLength(1), Schema.isMaxLength(8))
})
const Issue = Schema.Struct({ issue: integer(0, 12) })
const Adjust = Schema.Struct({ adjust: Schema.Literals([-7, -2, 4, 9]), key, reference: integer(0, 3) })
const Rotate = Schema.Struct({ rotate: key, graceHours: Schema.Literals([0, 1, 72]) })
const SetPlan = Schema.Struct({ setPlan: Schema.Literals(["active", "inactive"]), key })
const Revoke = Schema.Struct({ revoke: key })
const Wait = Schema.Struct({ waitHours: Schema.Literals([0.5, 12, 25]) })

/** Everything that changes keys and credits. A new way to do that gets a line here, in the table below and in `perform`. */
type Command =
  | typeof Forecast.Type
  | typeof Issue.Type
  | typeof Adjust.Type
  | typeof Rotate.Type
  | typeof SetPlan.Type
  | typeof Revoke.Type
  | typeof Wait.Type

const commands: ReadonlyArray<readonly [weight: number, Arbitrary.Arbitrary<Command>]> = [
  [12, Arbitrary.schema(Forecast)],
  [3, Arbitrary.schema(Issue)],
  [8, Arbitrary.schema(Adjust)],
  [2, Arbitrary.schema(Rotate)],
  [2, Arbitrary.schema(SetPlan)],
  [1, Arbitrary.schema(Revoke)],
  [2, Arbitrary.schema(Wait)]
]
const choices = commands.flatMap(([weight, command]) => Array.from({ length: weight }, () => command))
const command = Arbitrary.flatMap(
  Arbitrary.schema(integer(0, choices.length - 1)),
  (i) => choices[i] ?? Arbitrary.schema(Wait)
)

const decodeUsage = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ usage: Usage })))

/** Does commands to the service, one after the other, and to the model beside it; dies where they differ. */
const play = Effect.fnUntraced(function* (commands: ReadonlyArray<Command>) {
  const adjustments = yield* Adjustments
  const apiKeys = yield* ApiKeys
  const credits = yield* Credits
  const forecasts = yield* Forecasts
  const { verify } = yield* LedgerCheck
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

  const ask = Effect.fnUntraced(function* ({ emails, isLegacy, key, retry, secret }: typeof Request.Type) {
    const metered = keyAt(key)
    const at = metered.secrets.length - 1 - (secret % metered.secrets.length)
    const operation = isLegacy ? "POST /api/v1/service/roi" : "POST /api/v1/forecast"
    const asked = { metered, secret: at, emails, retry: retry === 0 ? undefined : `${operation} ${retry}` }
    const assumptions = yield* assumptionsOf({ emails_sent: emails })
    return yield* apiKeys.authenticate(metered.secrets[at]?.secret ?? Redacted.make("")).pipe(
      Effect.flatMap(({ id }) => {
        const order = { keyId: id, assumptions, retry: retry === 0 ? undefined : { operation, key: `${retry}` } }
        return isLegacy ? forecasts.legacyForecast(order) : forecasts.forecast(order)
      }),
      Effect.match({
        onFailure: ({ _tag }): Outcome => ({ tag: _tag, text: "", usage: undefined }),
        onSuccess: ({ answer, reference }): Outcome =>
          reference === undefined
            ? { tag: "Replayed", text: answer, usage: undefined }
            : { tag: "Charged", text: answer, usage: decodeUsage(answer).usage }
      }),
      Effect.map((outcome) => ({ ...asked, outcome }))
    )
  })

  const forecast = Effect.fnUntraced(function* (requests: ReadonlyArray<typeof Request.Type>) {
    const now = yield* Clock.currentTimeMillis
    const asked = yield* Effect.forEach(requests, ask, { concurrency: "unbounded" })
    for (const [metered, group] of Map.groupBy(asked, ({ metered }) => metered))
      metered.settle(group, now, monthOf(now))
  })

  const adjust = Effect.fnUntraced(function* (metered: MeteredKey, delta: number, reference: number) {
    const made = references.get(reference)
    const expected =
      metered.state === "revoked"
        ? "KeyRevoked"
        : made !== undefined
          ? made.id === metered.id && made.delta === delta
            ? "again"
            : "ReferenceTaken"
          : metered.remaining + delta < 0
            ? "CreditsTooFew"
            : "made"
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
    deepStrictEqual(outcome, expected)
    if (expected !== "made") return
    metered.entries.push(["adjustment", delta])
    if (reference !== 0) references.set(reference, { id: metered.id, delta })
  })

  const perform = Effect.fnUntraced(function* (command: Command) {
    if ("forecast" in command) yield* forecast(command.forecast)
    else if ("issue" in command) yield* issue(command.issue)
    else if ("adjust" in command) yield* adjust(keyAt(command.key), command.adjust, command.reference)
    else if ("rotate" in command) {
      const metered = keyAt(command.rotate)
      const { oldSecretValidUntil, secret } = yield* apiKeys.rotate(KeyId.make(metered.id), command.graceHours)
      metered.rotate(secret, oldSecretValidUntil)
    } else if ("setPlan" in command) {
      const metered = keyAt(command.key)
      yield* apiKeys.setPlan(metered.id, command.setPlan)
      metered.plan = command.setPlan
    } else if ("revoke" in command) {
      const metered = keyAt(command.revoke)
      yield* apiKeys.revoke(metered.id, "operator")
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
    const counted = (yield* credits.months(KeyId.make(id))).map(({ month, requests }) => [month, requests] as const)
    deepStrictEqual(new Map(counted), months)
  }
  const { faults } = yield* verify(Effect.yieldNow)
  deepStrictEqual(faults, [])
})

/**
 * Plays random commands on an application of its own for each run, beside a model of what keys and credits must be.
 * What is wrong, with the shortest commands that show it and how to replay them; undefined where nothing is.
 */
export const checkMetering = (
  application: typeof memoryApplication | typeof sqliteApplication,
  options: Arbitrary.CheckOptions
) =>
  Effect.map(
    Arbitrary.checkEffect(
      Arbitrary.array(command, { minLength: 10, maxLength: 40 }),
      (commands) =>
        play(commands).pipe(
          Effect.provide(application()),
          Effect.provide(TestClock.layer()),
          Effect.as(true),
          Effect.scoped,
          Effect.catchCause((cause) => Effect.fail(cause))
        ),
      { size: 40, ...options }
    ),
    Arbitrary.formatCheckFailure
  )
