import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Array as Arr, Effect, Exit, Option, Result } from "effect"
import { Statement } from "effect/sql"
import { Ledger } from "../../src/credits/Ledger.ts"
import type { Standing } from "../../src/credits/Balance.ts"
import { LedgerKind } from "../../src/credits/LedgerEntry.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { stores } from "../support/Application.ts"
import { keyOf } from "../support/StoredKeys.ts"

/** The result of an operation on one item. */
const only = <A>(all: ReadonlyArray<A>) => Effect.orDie(Effect.fromOption(Arr.head(all)))

const outcomeOf = (debited: Result.Result<Standing, Standing>) => ({
  isMade: Result.isSuccess(debited),
  ...Result.merge(debited)
})

const addKey = Effect.fnUntraced(function* (name: string) {
  const keys = yield* KeyStore
  const key = keyOf(name)
  yield* keys.insert(key)
  return key.id
})

describe("docs/credits.md", () => {
  it("names every kind of entry", () => {
    const page = readFileSync(fileURLToPath(new URL("../../docs/credits.md", import.meta.url)), "utf8")
    for (const kind of LedgerKind.literals) assert.include(page, `\`${kind}\``)
  })
})

for (const [name, store] of Object.entries(stores)) {
  describe(`Ledger in ${name}`, () => {
    layer(store)((it) => {
      const grant = Effect.fnUntraced(function* (keyId: KeyId, delta: number, reference: string) {
        const ledger = yield* Ledger
        const transaction = yield* Transaction
        return yield* transaction.run(ledger.append({ keyId, kind: "adjustment", delta, reference, createdAt: 1 }))
      })
      const debit = Effect.fnUntraced(function* (keyId: KeyId, month: string, reference: string, cost: number = 1) {
        const ledger = yield* Ledger
        const transaction = yield* Transaction
        const debits = [{ keyId, cost, reference }]
        return yield* transaction
          .run(Effect.flatMap(ledger.debit(debits, { month, createdAt: 2 }), only))
          .pipe(Effect.map(outcomeOf))
      })

      const balanceOf = (keyId: KeyId) =>
        Effect.flatMap(Ledger, (ledger) => Effect.flatMap(ledger.balances([keyId]), only))
      const monthsOf = (keyId: KeyId) =>
        Effect.flatMap(Ledger, (ledger) =>
          Effect.map(Effect.flatMap(ledger.usages([keyId], "2026-11"), only), ({ months }) => months)
        )

      it.effect("takes credits one at a time, counts months, and stops at zero", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const keyId = yield* addKey("ada")
          assert.deepStrictEqual(yield* balanceOf(keyId), { remaining: 0, granted: 0 })
          assert.include(yield* debit(keyId, "2026-11", "none"), { isMade: false, remaining: 0, granted: 0 })
          assert.deepStrictEqual(yield* grant(keyId, 3, "grant"), { remaining: 3, granted: 3 })
          const debits = [
            yield* debit(keyId, "2026-11", "a"),
            yield* debit(keyId, "2026-11", "b"),
            yield* debit(keyId, "2026-12", "c")
          ]
          assert.deepStrictEqual(debits, [
            { isMade: true, remaining: 2, granted: 3, requests: 1 },
            { isMade: true, remaining: 1, granted: 3, requests: 2 },
            { isMade: true, remaining: 0, granted: 3, requests: 1 }
          ])
          assert.include(yield* debit(keyId, "2026-12", "d"), { isMade: false, remaining: 0, granted: 3 })
          assert.deepStrictEqual(yield* monthsOf(keyId), [
            { month: "2026-12", requests: 1 },
            { month: "2026-11", requests: 2 }
          ])
          assert.deepStrictEqual(
            (yield* ledger.entries(keyId, 3)).map(({ balanceAfter, delta, kind, reference }) => [
              reference,
              kind,
              delta,
              balanceAfter
            ]),
            [
              ["c", "forecast", -1, 0],
              ["b", "forecast", -1, 1],
              ["a", "forecast", -1, 2]
            ]
          )
        })
      )

      it.effect("continues the count of a month after another month was counted", () =>
        Effect.gen(function* () {
          const keyId = yield* addKey("eva")
          yield* grant(keyId, 10, "ten")
          const months = ["2026-11", "2026-12", "2026-11", "2026-11", "2027-01", "2026-12"]
          const requests: Array<number> = []
          for (const [i, month] of months.entries()) {
            // A cost of two takes a different path on Postgres.
            const debited = yield* debit(keyId, month, `eva ${i}`, i % 3 === 2 ? 2 : 1)
            requests.push(debited.requests)
          }
          assert.deepStrictEqual(requests, [1, 1, 3, 4, 1, 3])
          const counted = [
            { month: "2027-01", requests: 1 },
            { month: "2026-12", requests: 3 },
            { month: "2026-11", requests: 4 }
          ]
          assert.deepStrictEqual(yield* monthsOf(keyId), counted)
          // A refused debit counts nowhere.
          for (const [month, before] of [
            ["2026-11", 4],
            ["2026-12", 3],
            ["2027-02", 0]
          ] as const) {
            const refused = yield* debit(keyId, month, `too much in ${month}`, 3)
            assert.deepStrictEqual(refused, { isMade: false, remaining: 2, granted: 10, requests: before })
          }
          yield* debit(keyId, "2026-12", "the rest of eva", 2)
          assert.include(yield* debit(keyId, "2026-11", "one more of eva"), { isMade: false, requests: 4 })
          assert.deepStrictEqual(yield* monthsOf(keyId), [
            { month: "2027-01", requests: 1 },
            { month: "2026-12", requests: 5 },
            { month: "2026-11", requests: 4 }
          ])
        })
      )

      it.effect("counts every forecast in its own month even if servers disagree about the month", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const transaction = yield* Transaction
          const keyId = yield* addKey("ida")
          yield* grant(keyId, 200, "many")
          const months = ["2026-11", "2026-12", "2027-01"]
          const debited = yield* Effect.forEach(
            Array.from({ length: 60 }, (_, i) => i),
            (i) => {
              const month = months[i % 3] ?? ""
              const cost = i % 2 === 0 ? 1 : 2
              const made = Effect.flatMap(
                ledger.debit([{ keyId, cost, reference: `ida ${i}` }], { month, createdAt: 2 }),
                only
              )
              return Effect.map(transaction.runLocking(made), (debited) => ({
                month,
                cost,
                requests: outcomeOf(debited).requests
              }))
            },
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(yield* balanceOf(keyId), { remaining: 110, granted: 200 })
          assert.deepStrictEqual(
            yield* monthsOf(keyId),
            months.toReversed().map((month) => ({ month, requests: 30 }))
          )
          // Each debit was given the sum up to it.
          for (const month of months) {
            const sums = debited.filter((each) => each.month === month).toSorted((a, b) => a.requests - b.requests)
            sums.forEach(({ cost, requests }, i) => assert.strictEqual(requests, (sums[i - 1]?.requests ?? 0) + cost))
          }
        })
      )

      it.effect("takes as many statements for many debits as for one", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const transaction = yield* Transaction
          const [first, second] = [yield* addKey("ivy"), yield* addKey("jon")]
          for (const keyId of [first, second]) yield* grant(keyId, 40, `forty ${keyId}`)
          const statementsOf = Effect.fnUntraced(function* (count: number) {
            let statements = 0
            const debits = Arr.makeBy(count, (i) => ({
              keyId: i % 2 === 0 ? first : second,
              cost: 1 + (i % 3),
              reference: `${count}: ${i}`
            }))
            const debited = ledger.debit(debits, { month: "2026-11", createdAt: 2 }).pipe(
              Effect.provideService(Statement.CurrentTransformer, (statement) => {
                statements++
                return Effect.succeed(statement)
              })
            )
            assert.isTrue((yield* transaction.runLocking(debited)).every(Result.isSuccess))
            return statements
          })
          const expected = name === "Postgres" ? 2 : 5
          assert.deepStrictEqual([yield* statementsOf(1), yield* statementsOf(20)], [expected, expected])
        })
      )

      it.effect("starts a month only for keys that have a forecast in it", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const transaction = yield* Transaction
          const [first, second, third] = [yield* addKey("fay"), yield* addKey("gus"), yield* addKey("hal")]
          for (const keyId of [first, second, third]) yield* grant(keyId, 1, `one ${keyId}`)
          yield* grant(first, 1, "another")
          yield* debit(first, "2026-11", "first")
          yield* debit(second, "2026-11", "second")
          const debits = [first, second, third].map((keyId) => ({ keyId, cost: 1, reference: `December of ${keyId}` }))
          const debited = yield* transaction.run(ledger.debit(debits, { month: "2026-12", createdAt: 2 }))
          assert.deepStrictEqual(
            debited.map(outcomeOf).map(({ isMade, requests }) => [isMade, requests]),
            [
              [true, 1],
              [false, 0],
              [true, 1]
            ]
          )
          const months = yield* Effect.map(ledger.usages([first, second, third], "2026-11"), (usages) =>
            usages.map(({ months }) => months.map(({ month, requests }) => `${month}: ${requests}`))
          )
          assert.deepStrictEqual(months, [["2026-12: 1", "2026-11: 1"], ["2026-11: 1"], ["2026-12: 1"]])
        })
      )

      it.effect("takes a cost in full or not at all, and continues with the next debit", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const transaction = yield* Transaction
          const [keyId, other] = [yield* addKey("cyd"), yield* addKey("dan")]
          yield* grant(keyId, 5, "five")
          yield* grant(other, 2, "two")
          const debits = [
            { keyId, cost: 3, reference: "three" },
            { keyId, cost: 3, reference: "three more" },
            { keyId: other, cost: 2, reference: "both" },
            { keyId, cost: 2, reference: "the rest" }
          ]
          const debited = yield* transaction.runLocking(ledger.debit(debits, { month: "2026-11", createdAt: 2 }))
          assert.deepStrictEqual(
            debited.map(outcomeOf).map(({ isMade, remaining }) => [isMade, remaining]),
            [
              [true, 2],
              [false, 2],
              [true, 0],
              [true, 0]
            ]
          )
          assert.deepStrictEqual(yield* monthsOf(keyId), [{ month: "2026-11", requests: 5 }])
          assert.deepStrictEqual(
            (yield* ledger.entries(keyId, 2)).map(({ balanceAfter, delta, reference }) => [
              reference,
              delta,
              balanceAfter
            ]),
            [
              ["the rest", -2, 0],
              ["three", -3, 2]
            ]
          )
          assert.isTrue(Option.isNone(yield* ledger.find("three more")))
        })
      )

      it.effect("writes no reference twice and lets no balance fall below zero", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const keyId = yield* addKey("bob")
          yield* grant(keyId, 5, "once")
          assert.isTrue(Exit.isFailure(yield* Effect.exit(grant(keyId, 5, "once"))))
          assert.isTrue(Exit.isFailure(yield* Effect.exit(grant(keyId, -6, "too much"))))
          assert.isTrue(Exit.isFailure(yield* Effect.exit(debit(keyId, "2026-11", "once"))))
          assert.deepStrictEqual(yield* grant(keyId, -2, "taken back"), { remaining: 3, granted: 3 })
          assert.deepStrictEqual(yield* grant(keyId, 2, "given again"), { remaining: 5, granted: 5 })
          assert.isTrue(Option.isSome(yield* ledger.find("taken back")))
          assert.isTrue(Option.isNone(yield* ledger.find("too much")))
          assert.deepStrictEqual(yield* monthsOf(keyId), [])
          assert.lengthOf(yield* ledger.entries(keyId, 10), 3)
          const [newest] = yield* ledger.entries(keyId, 1)
          assert.deepStrictEqual(
            (yield* ledger.entries(keyId, 10, newest?.id)).map(({ reference }) => reference),
            ["taken back", "once"]
          )
        })
      )
    })
  })
}
