import { assert, describe, layer } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { Ledger } from "../../src/credits/Ledger.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import type { ApiKey } from "../../src/keys/ApiKey.ts"
import { KeyId } from "../../src/keys/KeyId.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { stores } from "../support/Application.ts"

const addKey = Effect.fnUntraced(function* (name: string) {
  const keys = yield* KeyStore
  const key: ApiKey = {
    id: KeyId.make(`key_${name}`),
    owner: { name, email: `${name}@example.com`, company: "Example" },
    plan: "active",
    state: "usable",
    isDemo: false,
    secretPrefix: name,
    createdAt: 0
  }
  yield* keys.insert(key)
  return key.id
})

for (const [name, store] of Object.entries(stores)) {
  describe(`Ledger in ${name}`, () => {
    layer(store)((it) => {
      const grant = Effect.fnUntraced(function* (keyId: KeyId, delta: number, reference: string) {
        const ledger = yield* Ledger
        const transaction = yield* Transaction
        return yield* transaction.run(ledger.append({ keyId, kind: "adjustment", delta, reference, createdAt: 1 }))
      })
      const debit = Effect.fnUntraced(function* (keyId: KeyId, month: string, reference: string) {
        const ledger = yield* Ledger
        const transaction = yield* Transaction
        const [debited = Option.none()] = yield* transaction.run(
          ledger.debit([{ keyId, reference }], { month, createdAt: 2 })
        )
        return debited
      })

      it.effect("takes credits one at a time, counts months, and stops at zero", () =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const keyId = yield* addKey("ada")
          assert.deepStrictEqual(yield* ledger.balance(keyId), { remaining: 0, granted: 0 })
          assert.deepStrictEqual(yield* debit(keyId, "2026-11", "none"), Option.none())
          assert.deepStrictEqual(yield* grant(keyId, 3, "grant"), { remaining: 3, granted: 3 })
          const debits = [
            yield* debit(keyId, "2026-11", "a"),
            yield* debit(keyId, "2026-11", "b"),
            yield* debit(keyId, "2026-12", "c"),
            yield* debit(keyId, "2026-12", "d")
          ]
          assert.deepStrictEqual(debits, [
            Option.some({ remaining: 2, granted: 3, requests: 1 }),
            Option.some({ remaining: 1, granted: 3, requests: 2 }),
            Option.some({ remaining: 0, granted: 3, requests: 1 }),
            Option.none()
          ])
          assert.strictEqual(yield* ledger.requests(keyId, "2026-11"), 2)
          assert.strictEqual(yield* ledger.requests(keyId, "2027-01"), 0)
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
          assert.isTrue(yield* ledger.hasReference("taken back"))
          assert.isFalse(yield* ledger.hasReference("too much"))
          assert.strictEqual(yield* ledger.requests(keyId, "2026-11"), 0)
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
