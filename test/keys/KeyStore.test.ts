import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { Transaction } from "../../src/database/Transaction.ts"
import { revoked } from "../../src/keys/ApiKey.ts"
import { KeyId } from "../../src/KeyStatus.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { stores } from "../support/Application.ts"
import { keyOf } from "../support/StoredKeys.ts"

for (const [name, store] of Object.entries(stores)) {
  describe(`KeyStore in ${name}`, () => {
    it.effect("finds a key by its id, its prefix and its address", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const ada = keyOf("ada")
        yield* keys.insert(ada)
        yield* keys.insert(keyOf("bob", { createdAt: ada.createdAt + 1 }))
        assert.deepStrictEqual(yield* keys.findById(ada.id), Option.some(ada))
        assert.deepStrictEqual(yield* keys.findByPrefix(ada.secretPrefix), [ada])
        assert.deepStrictEqual(yield* keys.findByEmail(ada.owner.email), [ada])
        assert.deepStrictEqual(
          (yield* Stream.runCollect(keys.list)).map(({ id }) => id),
          ["key_ada", "key_bob"]
        )
      }).pipe(Effect.provide(store))
    )

    it.effect("lists all keys, oldest first, however many there are of a time", () =>
      Effect.gen(function* () {
        const keys = yield* KeyStore
        const sql = yield* SqlClient.SqlClient
        const numbered = sql`WITH RECURSIVE n (i) AS (SELECT 1000 UNION ALL SELECT i + 1 FROM n WHERE i < 3499)`
        yield* sql`
          ${numbered} INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
          SELECT 'key_' || i, '', i || '@example.com', '', 'active', 'usable', 0, '', (9999 - i) / 1500 FROM n`
        const ids = (yield* Stream.runCollect(keys.list)).map(({ id }) => id)
        const expected = Array.from({ length: 2500 }, (_, i) => 1000 + i)
          .toSorted((a, b) => Math.floor((9999 - a) / 1500) - Math.floor((9999 - b) / 1500) || a - b)
          .map((i) => `key_${i}`)
        assert.deepStrictEqual<ReadonlyArray<string>>(ids, expected)
      }).pipe(Effect.provide(store))
    )

    layer(store)((it) => {
      it.effect("replaces a record, and frees the address of a revoked one", () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const carl = keyOf("carl")
          yield* keys.insert(carl)
          yield* keys.update({ ...carl, plan: "inactive" })
          assert.deepStrictEqual(yield* keys.findById(carl.id), Option.some({ ...carl, plan: "inactive" }))
          yield* keys.update(revoked(carl))
          yield* keys.insert(keyOf("carl2", { owner: carl.owner, createdAt: carl.createdAt + 1 }))
          assert.deepStrictEqual(
            (yield* keys.findByEmail(carl.owner.email)).map(({ state }) => state),
            ["revoked", "usable"]
          )
        })
      )

      it.effect("keeps live addresses unique", () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const dora = keyOf("dora")
          yield* keys.insert(dora)
          assert.isTrue(Exit.isFailure(yield* Effect.exit(keys.insert(keyOf("eve", { owner: dora.owner })))))
          assert.deepStrictEqual(yield* keys.findById(KeyId.make("key_eve")), Option.none())
        })
      )

      it.effect("finds secrets with their keys, changes and deletes them", () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const hal = keyOf("hal")
          yield* keys.insert(hal)
          const first = {
            hash: "first",
            keyId: hal.id,
            subKeyId: undefined,
            prefix: "ofk_test_first",
            linkId: "link",
            createdAt: 1,
            firstUsedAt: undefined,
            expiresAt: undefined
          }
          const second = {
            ...first,
            hash: "second",
            prefix: "ofk_test_second",
            linkId: undefined,
            createdAt: 2,
            expiresAt: 99
          }
          yield* keys.putSecret(first)
          yield* keys.putSecret(second)
          assert.deepStrictEqual(
            yield* keys.findSecrets(["none", "first"]),
            new Map([["first", { secret: first, key: hal, subKey: undefined }]])
          )
          for (const { prefix } of [first, second]) {
            assert.deepStrictEqual(yield* keys.findByPrefix(prefix), [hal])
          }
          yield* keys.putSecret({ ...first, firstUsedAt: 7 })
          assert.deepStrictEqual(yield* keys.secretsOf(hal.id), [{ ...first, firstUsedAt: 7 }, second])
          yield* keys.deleteSecret("first")
          assert.strictEqual((yield* keys.findSecrets(["first"])).size, 0)
          const orphan = yield* Effect.exit(keys.putSecret({ ...first, keyId: KeyId.make("key_nobody") }))
          assert.isTrue(Exit.isFailure(orphan))
        })
      )

      it.effect("expires the secrets of a key, and deletes expired ones, of one key or of all", () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const put = Effect.fnUntraced(function* (name: string, ends: ReadonlyArray<number | undefined>) {
            const key = keyOf(name)
            yield* keys.insert(key)
            for (const [i, expiresAt] of ends.entries()) {
              const secret = {
                keyId: key.id,
                subKeyId: undefined,
                prefix: "",
                linkId: undefined,
                createdAt: i,
                firstUsedAt: undefined
              }
              yield* keys.putSecret({ ...secret, hash: `${name}${i}`, expiresAt })
            }
            return Effect.map(keys.secretsOf(key.id), (found) => found.map(({ expiresAt }) => expiresAt))
          })
          const ines = yield* put("ines", [10, 15, 30, undefined])
          const jack = yield* put("jack", [10, 15, undefined])
          yield* keys.endSecrets(KeyId.make("key_ines"), 20, 10)
          assert.deepStrictEqual(yield* ines, [15, 20, 20])
          assert.deepStrictEqual(yield* jack, [10, 15, undefined])
          yield* keys.endSecrets(KeyId.make("key_ines"), 15, 15)
          assert.deepStrictEqual(yield* ines, [])
        })
      )

      it.effect("finds the demo key", () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          assert.deepStrictEqual(yield* keys.findDemo, Option.none())
          const demo = keyOf("demo", { isDemo: true })
          yield* keys.insert(demo)
          assert.deepStrictEqual(yield* keys.findDemo, Option.some(demo))
        })
      )

      it.effect("undoes what a failed transaction did", () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const transaction = yield* Transaction
          const failure = yield* keys
            .insert(keyOf("fay"))
            .pipe(Effect.andThen(Effect.fail("changed my mind")), transaction.run, Effect.flip)
          assert.strictEqual(failure, "changed my mind")
          assert.deepStrictEqual(yield* keys.findById(KeyId.make("key_fay")), Option.none())
          // A nested transaction joins the outer one.
          yield* Effect.exit(
            transaction.run(Effect.andThen(transaction.run(keys.insert(keyOf("gil"))), Effect.fail("outer")))
          )
          assert.deepStrictEqual(yield* keys.findById(KeyId.make("key_gil")), Option.none())
        })
      )
    })
  })
}
