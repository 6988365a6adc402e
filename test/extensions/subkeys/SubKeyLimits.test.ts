import { assert, describe, it } from "@effect/vitest"
import { Context, DateTime, Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { LedgerAudit } from "../../../src/credits/audit/LedgerAudit.ts"
import { Credits } from "../../../src/credits/Credits.ts"
import { Grants } from "../../../src/credits/Grants.ts"
import { Ledger } from "../../../src/credits/Ledger.ts"
import type { KeyId } from "../../../src/KeyStatus.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { Retention } from "../../../src/retention/Retention.ts"
import { applicationOn, applications, postgresUrl } from "../../support/Application.ts"
import { issueKey } from "../../support/Http.ts"
import { connected, untilWaiting } from "../../support/Postgres.ts"
import { oneCredit } from "../../support/Samples.ts"

const at = (time: string) => TestClock.setTime(DateTime.makeUnsafe(time).epochMilliseconds)

const create = Effect.fnUntraced(function* (keyId: KeyId, name: string, monthlyLimit: number | null) {
  const { subKey } = yield* (yield* SubKeys).create(keyId, { name, monthlyLimit })
  return subKey.id
})

const tagOf = Result.match({ onFailure: ({ _tag }: { readonly _tag: string }) => _tag, onSuccess: () => "charged" })

const countOf = (results: ReadonlyArray<string>, tag: string) => results.filter((each) => each === tag).length

for (const [name, application] of Object.entries(applications)) {
  describe(`The limit of a sub-key over ${name}`, () => {
    it.effect("allows exactly as many calls as are left, however many race", () =>
      Effect.gen(function* () {
        yield* at("2026-11-10T00:00:00Z")
        const credits = yield* Credits
        const { id } = yield* issueKey(500)
        const limited = yield* create(id, "limited", 50)
        const free = yield* create(id, "free", null)
        for (let i = 0; i < 30; i++) yield* credits.charge(id, { ...oneCredit(), subKeyId: limited })
        // The others of the key are charged in the same batches.
        const callers = Array.from({ length: 200 }, (_, i) => [
          limited,
          ...(i % 4 === 0 ? [free, undefined] : [])
        ]).flat()
        const results = yield* Effect.forEach(
          callers,
          (subKeyId) =>
            Effect.map(Effect.result(credits.charge(id, { ...oneCredit(), subKeyId })), (result) => ({
              subKeyId,
              result
            })),
          { concurrency: "unbounded" }
        )
        const ofLimited = results.filter(({ subKeyId }) => subKeyId === limited).map(({ result }) => tagOf(result))
        assert.strictEqual(countOf(ofLimited, "charged"), 20)
        assert.strictEqual(countOf(ofLimited, "SubKeyLimitReached"), 180)
        assert.isTrue(results.every(({ result, subKeyId }) => subKeyId === limited || tagOf(result) === "charged"))
        assert.strictEqual((yield* credits.balance(id)).remaining, 500 - 30 - 20 - 100)
        assert.strictEqual((yield* credits.usage(id)).requests, 150)
        assert.strictEqual((yield* credits.usage(id, limited)).requests, 50)
        assert.strictEqual((yield* credits.usage(id, free)).requests, 50)
        assert.deepStrictEqual(yield* (yield* SubKeys).find(id, limited).pipe(Effect.map((each) => each.requests)), 50)
        const named = Map.groupBy(yield* credits.history(id, 1000), ({ subKey }) => subKey)
        assert.deepStrictEqual(
          ["limited", "free", undefined].map((subKey) => named.get(subKey)?.length),
          // The grant has no sub-key either.
          [50, 50, 51]
        )
        assert.deepInclude(yield* Effect.flatMap(LedgerAudit, ({ verify }) => verify), { faults: [] })
      }).pipe(Effect.provide(application()))
    )

    it.effect("reports what is left and when the month ends, and starts over with the next month", () =>
      Effect.gen(function* () {
        yield* at("2026-11-30T23:59:00Z")
        const credits = yield* Credits
        const { id } = yield* issueKey(10)
        const subKeyId = yield* create(id, "CRM", 2)
        const charge = credits.charge(id, { ...oneCredit(), subKeyId })
        yield* credits.charge(id, oneCredit())
        const first = yield* charge
        assert.deepStrictEqual(JSON.parse(first.answer), {
          month: "2026-11",
          requests: 1,
          credits_remaining: 1,
          sub_key_credits_remaining: 1
        })
        assert.deepStrictEqual(first.balance, {
          remaining: 1,
          granted: 2,
          allowance: { limit: 2, remaining: 1, resetAfter: 60 }
        })
        yield* charge
        assert.deepInclude(yield* Effect.flip(charge), {
          _tag: "SubKeyLimitReached",
          cost: 1,
          limit: 2,
          remaining: 0,
          month: "2026-11"
        })
        yield* at("2026-12-01T00:00:00Z")
        assert.deepInclude((yield* credits.balance(id, subKeyId)).allowance, { remaining: 2, resetAfter: 31 * 86_400 })
        assert.include(JSON.parse((yield* charge).answer), { month: "2026-12", requests: 1 })
        // A server whose clock is behind counts in the month that it reads.
        yield* at("2026-11-30T23:59:59Z")
        assert.strictEqual((yield* Effect.flip(charge))._tag, "SubKeyLimitReached")
        yield* (yield* SubKeys).change(id, subKeyId, { monthlyLimit: 4 })
        assert.include(JSON.parse((yield* charge).answer), { month: "2026-11", requests: 3 })
        assert.include(JSON.parse((yield* charge).answer), { requests: 4, sub_key_credits_remaining: 0 })
        yield* at("2026-12-01T00:00:01Z")
        assert.include(JSON.parse((yield* charge).answer), { month: "2026-12", requests: 2 })
        assert.deepStrictEqual((yield* credits.usage(id, subKeyId)).months, [
          { month: "2026-12", requests: 2 },
          { month: "2026-11", requests: 4 }
        ])
      }).pipe(Effect.provide(application()))
    )

    it.effect("refuses a cost as a whole, without a word on a balance above what it leaves", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id } = yield* issueKey(10)
        const subKeyId = yield* create(id, "CRM", 5)
        const ask = (cost: number) => ({ ...oneCredit(), subKeyId, cost })
        const refusal = (cost: number) => Effect.map(Effect.flip(credits.charge(id, ask(cost))), ({ _tag }) => _tag)
        const failureOf = (cost: number) =>
          Effect.map(Effect.flip(credits.precheck({ keyId: id, subKeyId, cost })), ({ _tag }) => _tag)
        assert.strictEqual(yield* refusal(6), "SubKeyLimitReached")
        assert.strictEqual(yield* failureOf(6), "SubKeyLimitReached")
        assert.strictEqual(yield* refusal(11), "SubKeyLimitReached")
        assert.strictEqual(yield* failureOf(11), "SubKeyLimitReached")
        assert.isUndefined(yield* credits.precheck({ keyId: id, subKeyId, cost: 5 }))
        yield* credits.charge(id, ask(3))
        assert.strictEqual(yield* refusal(3), "SubKeyLimitReached")
        yield* credits.charge(id, ask(2))
        // The key has exactly these credits left: the limit refuses them.
        assert.strictEqual(yield* refusal(5), "SubKeyLimitReached")
        yield* credits.charge(id, { ...oneCredit(), cost: 5 })
        assert.strictEqual(yield* refusal(1), "UsageExhausted")
        assert.strictEqual(yield* failureOf(1), "UsageExhausted")
        assert.deepStrictEqual(
          (yield* credits.history(id, 9)).map(({ delta, subKey }) => [delta, subKey]),
          [
            [-5, undefined],
            [-2, "CRM"],
            [-3, "CRM"],
            [10, undefined]
          ]
        )
        // A limit below the current usage leaves 0, and not less.
        yield* (yield* SubKeys).change(id, subKeyId, { monthlyLimit: 1 })
        assert.strictEqual((yield* credits.balance(id, subKeyId)).allowance?.remaining, 0)
        yield* (yield* SubKeys).change(id, subKeyId, { monthlyLimit: null })
        assert.isUndefined((yield* credits.balance(id, subKeyId)).allowance)
        yield* (yield* Grants).adjust(id, 1)
        yield* credits.charge(id, ask(1))
        yield* (yield* Grants).adjust(id, 1)
        yield* (yield* SubKeys).change(id, subKeyId, { monthlyLimit: 9 })
        const { allowance, ...shown } = yield* credits.balance(id, subKeyId)
        assert.deepStrictEqual([shown, allowance?.remaining], [{ remaining: 1, granted: 9 }, 3])
      }).pipe(Effect.provide(application()))
    )

    it.effect("shows with a replay what the sub-key has left", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id } = yield* issueKey(10)
        const subKeyId = yield* create(id, "CRM", 2)
        const request = { scope: subKeyId, operation: "POST /", key: "one", fingerprint: "f" }
        const charge = credits.charge(id, { ...oneCredit(request), subKeyId })
        const first = yield* charge
        const replayed = yield* charge
        assert.isUndefined(replayed.reference)
        assert.deepStrictEqual(replayed.balance, first.balance)
      }).pipe(Effect.provide(application()))
    )

    it.effect("counts by day, for the key itself and for each sub-key", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const ledger = yield* Ledger
        const { id } = yield* issueKey(20)
        const subKeyId = yield* create(id, "CRM", null)
        for (const [time, cost] of [
          ["2026-10-31T23:59:59Z", 1],
          ["2026-11-01T00:00:00Z", 2],
          ["2026-11-01T23:59:59Z", 1]
        ] as const) {
          yield* at(time)
          yield* credits.charge(id, { ...oneCredit(), cost })
          yield* credits.charge(id, { ...oneCredit(), subKeyId, cost })
        }
        const own = { day: "2026-11-01", subKeyId: undefined, subKey: undefined, requests: 3 }
        assert.deepStrictEqual(yield* ledger.days(id, { month: "2026-11" }), [own, { ...own, subKeyId, subKey: "CRM" }])
        assert.deepStrictEqual(yield* ledger.days(id, { subKeyId }), [
          { day: "2026-10-31", subKeyId, subKey: "CRM", requests: 1 },
          { ...own, subKeyId, subKey: "CRM" }
        ])
      }).pipe(Effect.provide(application()))
    )
  })
}

const { Postgres, SQLite } = applications

for (const [name, application] of Object.entries({ Postgres, SQLite })) {
  it.effect(`usage by day is kept for 400 days in ${name}`, () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const ledger = yield* Ledger
      const { purge } = yield* Retention
      const { id } = yield* issueKey(20)
      for (const time of ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z", "2027-02-05T12:00:00Z"]) {
        yield* at(time)
        yield* credits.charge(id, oneCredit())
      }
      assert.include(yield* purge, { usageDays: 1 })
      assert.deepStrictEqual(
        (yield* ledger.days(id, {})).map(({ day }) => day),
        ["2026-01-02", "2027-02-05"]
      )
    }).pipe(Effect.provide(application()))
  )
}

describe("The limit of a sub-key on two instances over Postgres", () => {
  for (const cost of [1, 2]) {
    it.live(`allows exactly what is left, for ${cost} at a time`, () =>
      Effect.gen(function* () {
        const url = yield* postgresUrl
        const other = Context.get(yield* Layer.build(Layer.fresh(applicationOn(url))), Credits)
        const credits = yield* Credits
        const { id } = yield* issueKey(1000)
        const subKeyId = yield* create(id, "CRM", 30 * cost)
        for (let i = 0; i < 10; i++) yield* credits.charge(id, { ...oneCredit(), subKeyId, cost })
        const charging = Effect.forEach(
          Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? credits : other)),
          ({ charge }) => Effect.map(Effect.result(charge(id, { ...oneCredit(), subKeyId, cost })), tagOf),
          { concurrency: "unbounded" }
        )
        // Both instances have begun and read the old values before the first of them may continue.
        const fiber = yield* connected(url, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT key_id FROM credit_balances WHERE key_id = ${id} FOR UPDATE`
              const fiber = yield* Effect.forkDetach(charging)
              yield* untilWaiting(url, 3)
              return fiber
            })
          )
        )
        const results = yield* Fiber.join(fiber)
        assert.strictEqual(countOf(results, "charged"), 20)
        assert.strictEqual(countOf(results, "SubKeyLimitReached"), 180)
        assert.strictEqual((yield* other.balance(id)).remaining, 1000 - 30 * cost)
        assert.strictEqual((yield* other.usage(id, subKeyId)).requests, 30 * cost)
      }).pipe(Effect.provide(applications.Postgres()), Effect.scoped)
    )
  }
})
