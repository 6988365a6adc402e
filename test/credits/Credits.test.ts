import { assert, describe, it } from "@effect/vitest"
import { Clock, DateTime, Effect, Exit, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { IdempotentAnswers } from "../../src/idempotency/IdempotentAnswers.ts"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { Credits } from "../../src/credits/Credits.ts"
import { Grants } from "../../src/credits/Grants.ts"
import { Ledger } from "../../src/credits/Ledger.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { application, applications, memoryStores } from "../support/Application.ts"
import { oneCredit } from "../support/Samples.ts"

/** A ledger that makes debits as long as it is whole, and then returns no outcomes. */
const makeBrokenLedger = () => {
  let isWhole = true
  const stores = Layer.effect(
    Ledger,
    Effect.map(Ledger, (ledger) =>
      Ledger.of({ ...ledger, debit: (debits, time) => (isWhole ? ledger.debit(debits, time) : Effect.succeed([])) })
    )
  ).pipe(Layer.provideMerge(memoryStores))
  return { stores, breakIt: () => (isWhole = false) }
}

const issue = Effect.fnUntraced(function* (credits: number, name = "ada") {
  const apiKeys = yield* ApiKeys
  const { key } = yield* apiKeys.issue({ name: "Ada", email: `${name}@example.com`, company: "Example" }, credits)
  return key.id
})

for (const [name, application] of Object.entries(applications)) {
  describe(`Credits over ${name}`, () => {
    it.effect("takes no more credits than there are, however many debits of one and of seven race", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const keyId = yield* issue(50)
        const results = yield* Effect.all(
          Array.from({ length: 200 }, (_, i) =>
            Effect.result(credits.charge(keyId, { ...oneCredit(), cost: i % 9 === 8 ? 7 : 1 }))
          ),
          { concurrency: "unbounded" }
        )
        const receipts = results.flatMap((result) => (result._tag === "Success" ? [result.success] : []))
        assert.deepStrictEqual(yield* credits.balance(keyId), { remaining: 0, granted: 50 })
        const [issued, ...debits] = (yield* credits.history(keyId, 1000)).toReversed()
        assert.strictEqual(issued?.delta, 50)
        assert.strictEqual(new Set(receipts.map(({ reference }) => reference)).size, debits.length)
        assert.lengthOf(receipts, debits.length)
        assert.deepStrictEqual(new Set(debits.map(({ delta }) => delta)), new Set([-1, -7]))
        assert.strictEqual(
          debits.reduce((sum, { delta }) => sum - delta, 0),
          50
        )
        assert.strictEqual((yield* credits.usage(keyId)).requests, 50)
      }).pipe(Effect.provide(application()))
    )

    it.effect("does not delay a single debit: it completes while the clock stands still", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const keyId = yield* issue(3)
        const started = yield* Clock.currentTimeMillis
        for (const remaining of [2, 1, 0]) {
          assert.deepStrictEqual((yield* credits.charge(keyId, oneCredit())).balance, { remaining, granted: 3 })
        }
        assert.strictEqual(yield* Clock.currentTimeMillis, started)
      }).pipe(Effect.provide(application()))
    )

    it.effect("counts the UTC month in which a forecast was made", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        yield* TestClock.setTime(DateTime.makeUnsafe("2026-11-30T23:59:59.999Z").epochMilliseconds)
        const keyId = yield* issue(10)
        const last = yield* credits.charge(keyId, oneCredit())
        assert.deepStrictEqual(JSON.parse(last.answer), { month: "2026-11", requests: 1, credits_remaining: 9 })
        yield* TestClock.adjust("1 millis")
        assert.deepInclude(yield* credits.usage(keyId), { month: "2026-12", requests: 0 })
        const first = yield* credits.charge(keyId, oneCredit())
        assert.deepStrictEqual(JSON.parse(first.answer), { month: "2026-12", requests: 1, credits_remaining: 8 })
      }).pipe(Effect.provide(application()))
    )

    it.effect("charges a mixed batch of requests in order, and keeps the answers that can be retried", () =>
      Effect.gen(function* () {
        const responses = yield* IdempotentAnswers
        const credits = yield* Credits
        const { verify } = yield* LedgerAudit
        const keyId = yield* issue(5)
        const request = (key: string, fingerprint = "f") =>
          oneCredit({ scope: keyId, operation: "POST /", key, fingerprint })
        const before = yield* credits.charge(keyId, request("before"))
        yield* credits.charge(keyId, request("other"))
        const batch = [
          request("new"),
          request("before"),
          oneCredit(),
          request("other", "another"),
          request("newer"),
          request("too late")
        ]
        const results = yield* credits.chargeAll(batch.map((one) => ({ ...one, keyId })))
        assert.deepStrictEqual(
          results.map((result) =>
            Result.isFailure(result)
              ? result.failure._tag
              : [result.success.balance, result.success.reference === undefined ? "replayed" : "charged"]
          ),
          [
            [{ remaining: 2, granted: 5 }, "charged"],
            // The balance is that after the whole batch.
            [{ remaining: 0, granted: 5 }, "replayed"],
            [{ remaining: 1, granted: 5 }, "charged"],
            "IdempotencyMismatch",
            [{ remaining: 0, granted: 5 }, "charged"],
            "UsageExhausted"
          ]
        )
        assert.strictEqual(results[1] && Result.getOrThrow(results[1]).answer, before.answer)
        assert.include(yield* verify, { keys: 1, entries: 6, faultCount: 0 })
        // Responses without an Idempotency-Key, and refusals, are not stored.
        const kept = yield* responses.find(
          ["before", "other", "new", "newer", "too late"].map((key) => ({
            scope: keyId,
            operation: "POST /",
            key,
            fingerprint: "f"
          })),
          -1
        )
        assert.deepStrictEqual(
          kept.map((response) => response?.key),
          ["before", "other", "new", "newer", undefined]
        )
      }).pipe(Effect.provide(application()))
    )

    it.effect("changes nothing if there is nothing to take", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const keyId = yield* issue(0)
        assert.strictEqual((yield* Effect.flip(credits.charge(keyId, oneCredit())))._tag, "UsageExhausted")
        assert.deepStrictEqual(yield* credits.history(keyId, 10), [])
        assert.strictEqual((yield* credits.usage(keyId)).requests, 0)
      }).pipe(Effect.provide(application()))
    )

    it.effect("brings a balance to a target with one entry, or with none if it is already there", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const grants = yield* Grants
        const keyId = yield* issue(10)
        yield* credits.charge(keyId, oneCredit())
        yield* grants.setBalance(keyId, 10, "adjustment")
        yield* grants.setBalance(keyId, 10, "adjustment")
        assert.deepStrictEqual(
          (yield* credits.history(keyId, 10)).map(({ balanceAfter, delta, kind }) => [kind, delta, balanceAfter]),
          [
            ["adjustment", 1, 10],
            ["forecast", -1, 9],
            ["adjustment", 10, 10]
          ]
        )
      }).pipe(Effect.provide(application()))
    )
  })
}

describe("Credits over a ledger with a bug", () => {
  it.effect("answer no request with the response to another one", () => {
    const { breakIt, stores } = makeBrokenLedger()
    return Effect.gen(function* () {
      const credits = yield* Credits
      const keyId = yield* issue(5)
      const request = (key: string) => oneCredit({ scope: keyId, operation: "POST /", key, fingerprint: "f" })
      yield* credits.charge(keyId, request("stored"))
      breakIt()
      const requests = ["new", "stored"].map((key) => ({ ...request(key), keyId }))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(credits.chargeAll(requests))))
    }).pipe(Effect.provide(application({ stores })))
  })
})
