import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { Ledger } from "../../src/credits/Ledger.ts"
import type { Debit } from "../../src/credits/LedgerEntry.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { stores } from "../support/Application.ts"
import { keyOf } from "../support/StoredKeys.ts"

let references = 0
const newReference = () => `reference ${references++}`

/** A key with credits that were added at once. */
const newKey = Effect.fnUntraced(function* (credits: number) {
  const key = keyOf(`notice${references++}`)
  yield* (yield* KeyStore).insert(key)
  yield* adjust(key.id, credits)
  return key.id
})

const adjust = Effect.fnUntraced(function* (keyId: KeyId, delta: number) {
  const { append } = yield* Ledger
  const { run } = yield* Transaction
  yield* run(append({ keyId, kind: "adjustment", delta, reference: newReference(), createdAt: 1 }))
})

/** Debits in one transaction, as charges make them. */
const debit = Effect.fnUntraced(function* (keyId: KeyId, ...costs: ReadonlyArray<number>) {
  const ledger = yield* Ledger
  const { runLocking } = yield* Transaction
  const debits = costs.map((cost): Debit => ({ keyId, cost, reference: newReference() }))
  return yield* runLocking(ledger.debit(debits, { createdAt: 2, month: "2026-11" }))
})

const ones = (count: number) => Array.from({ length: count }, () => 1)

const isDue = (keyId: KeyId) =>
  Effect.flatMap(Ledger, ({ dueNotices }) => Effect.map(dueNotices, (due) => due.includes(keyId)))

/** The balance in the due notice of a key, which is then handled. */
const take = Effect.fnUntraced(function* (keyId: KeyId) {
  const { takeNotice } = yield* Ledger
  const { run } = yield* Transaction
  const wasDue = yield* isDue(keyId)
  const taken = Option.toArray(yield* run(takeNotice(keyId)))
  assert.lengthOf(taken, wasDue ? 1 : 0)
  return taken
})

/** The balance at each notice while a balance is spent by this much at a time. */
const noticesWhileSpending = Effect.fnUntraced(function* (keyId: KeyId, costs: ReadonlyArray<number>) {
  const notices: Array<number> = []
  for (const cost of costs) {
    yield* debit(keyId, cost)
    notices.push(...(yield* take(keyId)))
  }
  return notices
})

for (const [name, store] of Object.entries(stores)) {
  describe(`Low-credit notices in ${name}`, () => {
    layer(store)((it) => {
      it.effect("are due when the balance falls below a fifth of what credits were last added up to, and at 0", () =>
        Effect.gen(function* () {
          const expected: ReadonlyArray<readonly [credits: number, notices: Array<number>]> = [
            [1, [0]],
            [4, [0]],
            [5, [0]],
            [6, [1, 0]],
            [10, [1, 0]],
            [11, [2, 0]],
            [30, [5, 0]]
          ]
          for (const [credits, notices] of expected) {
            const keyId = yield* newKey(credits)
            assert.deepStrictEqual(yield* take(keyId), [], `${credits} at first`)
            assert.deepStrictEqual(yield* noticesWhileSpending(keyId, ones(credits)), notices, `${credits} by one`)
          }
        })
      )

      it.effect("are due at the same thresholds if several credits are spent at once", () =>
        Effect.gen(function* () {
          const keyId = yield* newKey(30)
          assert.deepStrictEqual(yield* noticesWhileSpending(keyId, [24, 2, 2, 1, 1]), [4, 0])
          const exactly = yield* newKey(10)
          assert.deepStrictEqual(yield* noticesWhileSpending(exactly, [8, 2]), [0])
          const refused = yield* newKey(10)
          yield* debit(refused, 11)
          assert.deepStrictEqual(yield* take(refused), [])
        })
      )

      it.effect("are merged into one, about 0, if one debit or one batch crosses both thresholds", () =>
        Effect.gen(function* () {
          for (const costs of [[10], ones(10), [3, 7], ones(12)]) {
            const keyId = yield* newKey(10)
            yield* debit(keyId, ...costs)
            assert.deepStrictEqual(yield* take(keyId), [0], costs.join())
            assert.deepStrictEqual(yield* take(keyId), [])
          }
        })
      )

      it.effect("are merged into one if the balance reaches 0 before the first is handled", () =>
        Effect.gen(function* () {
          const keyId = yield* newKey(10)
          yield* debit(keyId, 9)
          assert.isTrue(yield* isDue(keyId))
          yield* debit(keyId, 1)
          assert.deepStrictEqual(yield* take(keyId), [0])
          assert.deepStrictEqual(yield* take(keyId), [])
        })
      )

      it.effect("concern only the keys that cross a threshold, however many are debited together", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const { runLocking } = yield* Transaction
          const [low, half, empty] = [yield* newKey(6), yield* newKey(10), yield* newKey(1)]
          const debits = [
            ...ones(5).map((cost) => ({ keyId: low, cost, reference: newReference() })),
            ...ones(5).map((cost) => ({ keyId: half, cost, reference: newReference() })),
            { keyId: empty, cost: 1, reference: newReference() }
          ]
          yield* runLocking(ledger.debit(debits, { createdAt: 2, month: "2026-11" }))
          assert.deepStrictEqual([yield* take(low), yield* take(half), yield* take(empty)], [[1], [], [0]])
        })
      )

      it.effect("become due again after credits are added, by the new balance", () =>
        Effect.gen(function* () {
          const keyId = yield* newKey(100)
          assert.deepStrictEqual(yield* noticesWhileSpending(keyId, [81, 1, 18]), [19, 0])
          yield* adjust(keyId, 10)
          assert.deepStrictEqual(yield* noticesWhileSpending(keyId, ones(10)), [1, 0])
          // 30 of them are left when 10 are added: 40, of which a fifth are 8.
          yield* adjust(keyId, 30)
          yield* adjust(keyId, 10)
          assert.deepStrictEqual(yield* noticesWhileSpending(keyId, [32, 1, 7]), [7, 0])
        })
      )

      it.effect("are withdrawn if credits are added before they are handled", () =>
        Effect.gen(function* () {
          const keyId = yield* newKey(10)
          yield* debit(keyId, 10)
          yield* adjust(keyId, 500)
          assert.deepStrictEqual(yield* take(keyId), [])
        })
      )

      it.effect("are due when an operator takes credits away, too, and no debit repeats them", () =>
        Effect.gen(function* () {
          const keyId = yield* newKey(100)
          yield* adjust(keyId, -80)
          assert.deepStrictEqual(yield* take(keyId), [])
          yield* adjust(keyId, -5)
          assert.deepStrictEqual(yield* take(keyId), [15])
          assert.deepStrictEqual(yield* noticesWhileSpending(keyId, [1, 1]), [])
          yield* adjust(keyId, -13)
          assert.deepStrictEqual(yield* take(keyId), [0])
        })
      )

      it.effect("are rolled back with their debit", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const { run } = yield* Transaction
          const keyId = yield* newKey(10)
          const debits = [{ keyId, cost: 10, reference: newReference() }]
          const failing = Effect.andThen(ledger.debit(debits, { createdAt: 2, month: "2026-11" }), Effect.fail("no"))
          assert.strictEqual(yield* Effect.flip(run(failing)), "no")
          assert.deepStrictEqual(yield* take(keyId), [])
        })
      )

      it.effect("are handled once, however many debits and handlers race", () =>
        Effect.gen(function* () {
          const { takeNotice } = yield* Ledger
          const { run } = yield* Transaction
          const keyId = yield* newKey(60)
          const taken: Array<number> = []
          const taking = Effect.map(run(takeNotice(keyId)), (notice) => taken.push(...Option.toArray(notice)))
          const race = (debits: number, cost: number) => [
            ...Array.from({ length: debits }, () => debit(keyId, cost)),
            ...Array.from({ length: 10 }, () => taking)
          ]
          yield* Effect.all([...race(20, 1), ...race(20, 2)], { concurrency: "unbounded", discard: true })
          yield* taking
          assert.lengthOf(
            taken.filter((left) => left === 0),
            1
          )
          const low = taken.filter((left) => left > 0)
          assert.isAtMost(low.length, 1)
          assert.isTrue(low.every((left) => left < 12))
          assert.isFalse(yield* isDue(keyId))
        })
      )
    })
  })
}
