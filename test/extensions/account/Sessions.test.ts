import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Transaction } from "../../../src/database/Transaction.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { Sessions } from "../../../src/extensions/account/Sessions.ts"
import { applications } from "../../support/Application.ts"

const ada = { name: "Ada", email: "ada@example.com", company: "Example" }

for (const [name, application] of Object.entries(applications)) {
  describe(`Sessions over ${name}`, () => {
    it.effect("belong to the secret that opened them, and end with it, after their time, or when closed", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const sessions = yield* Sessions
        const { run } = yield* Transaction
        const { key, secret } = yield* apiKeys.issue(ada)
        const isOpen = (token: Redacted.Redacted) => Effect.map(sessions.find(token), Option.isSome)
        const [first, second, third] = [
          yield* sessions.open(secret),
          yield* sessions.open(secret),
          yield* sessions.open(secret)
        ]
        assert.strictEqual(Option.getOrThrow(yield* sessions.find(first)).id, key.id)
        assert.isFalse(yield* isOpen(secret))
        yield* sessions.close(first)
        yield* sessions.continueWith(first, secret)
        assert.deepStrictEqual(yield* Effect.forEach([first, second, third], isOpen), [false, true, true])

        // The old secret is deleted immediately; one session continued with the new one.
        const rotated = yield* apiKeys.rotate(key.id, 0).pipe(
          Effect.tap((next) => sessions.continueWith(second, next.secret)),
          run
        )
        assert.deepStrictEqual(yield* Effect.forEach([second, third], isOpen), [true, false])
        assert.strictEqual(
          Option.getOrThrow(yield* sessions.find(second)).secretPrefix,
          Redacted.value(rotated.secret).slice(0, 17)
        )
        // A deleted secret opens no session, which is not a fault.
        assert.isFalse(yield* isOpen(yield* sessions.open(secret)))

        yield* TestClock.adjust("29 minutes")
        const late = yield* sessions.open(rotated.secret)
        assert.deepStrictEqual(yield* Effect.forEach([second, late], isOpen), [true, true])
        yield* TestClock.adjust("1 minute")
        assert.deepStrictEqual(yield* Effect.forEach([second, late], isOpen), [false, true])
        assert.isTrue(yield* isOpen(late))
        yield* apiKeys.revoke(key.id, "owner")
        assert.isFalse(yield* isOpen(late))
      }).pipe(Effect.provide(application()))
    )

    it.effect("continue while the key is replaced twice at once, but never after they were closed", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const sessions = yield* Sessions
        const { run } = yield* Transaction
        const { key, secret } = yield* apiKeys.issue(ada)
        const token = yield* sessions.open(secret)
        const rotate = run(Effect.tap(apiKeys.rotate(key.id, 0), (next) => sessions.continueWith(token, next.secret)))
        yield* Effect.all([rotate, rotate], { concurrency: 2 })
        assert.strictEqual(Option.getOrThrow(yield* sessions.find(token)).id, key.id)
        yield* Effect.all([rotate, sessions.close(token)], { concurrency: 2 })
        assert.isTrue(Option.isNone(yield* sessions.find(token)))
      }).pipe(Effect.provide(application()))
    )

    it.effect("replace the oldest if one secret opens too many", () =>
      Effect.gen(function* () {
        const { secret } = yield* Effect.flatMap(ApiKeys, (apiKeys) => apiKeys.issue(ada))
        const sessions = yield* Sessions
        const other = yield* (yield* ApiKeys).issue({ ...ada, email: "bob@example.com" })
        const ofOther = yield* sessions.open(other.secret)
        const open = Effect.andThen(TestClock.adjust("1 second"), sessions.open(secret))
        const tokens = yield* Effect.replicateEffect(open, 102)
        const areOpen = yield* Effect.forEach(tokens, (token) => Effect.map(sessions.find(token), Option.isSome))
        assert.deepStrictEqual(
          areOpen,
          tokens.map((_, i) => i >= 2)
        )
        assert.isTrue(Option.isSome(yield* sessions.find(ofOther)))
      }).pipe(Effect.provide(application()))
    )
  })
}
