import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { SubKeyId } from "../../src/KeyStatus.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { foldedName, type SubKey } from "../../src/keys/SubKey.ts"
import { SubKeyStore } from "../../src/keys/SubKeyStore.ts"
import { stores } from "../support/Application.ts"
import { insertKey, keyOf } from "../support/StoredKeys.ts"

/** The record of a sub-key with the id `sub_` and a name, of the key with another. */
const subKeyOf = (name: string, key: string, changes: Partial<SubKey> = {}): SubKey => ({
  id: SubKeyId.make(`sub_${name}`),
  keyId: keyOf(key).id,
  name,
  monthlyLimit: null,
  secretPrefix: `ofk_test_${name}`,
  createdAt: 1_800_000_000_000,
  revokedAt: undefined,
  lastUsedAt: undefined,
  month: "1970-01",
  requests: 0,
  ...changes
})

describe("The names of sub-keys", () => {
  it("are the same if they look the same: in any case, width or composition, with anything that is not shown", () => {
    for (const [one, other] of [
      ["CRM", "crm"],
      ["STRASSE", "Straße"],
      ["ΟΔΟΣ", "οδος"],
      ["Zoe\u0308", "zoë"],
      ["ＣＲＭ", "crm"],
      ["C\u200bR\u00adM\ufe0f \u200b", "crm"],
      ["ﬁnance", "finance"]
    ] as const) {
      assert.strictEqual(foldedName(one), foldedName(other))
    }
    assert.notStrictEqual(foldedName("zoe"), foldedName("zoë"))
  })
})

for (const [name, store] of Object.entries(stores)) {
  describe(`SubKeyStore in ${name}`, () => {
    layer(store)((it) => {
      it.effect("finds sub-keys by id, prefix and key, oldest first", () =>
        Effect.gen(function* () {
          const subKeys = yield* SubKeyStore
          for (const key of ["ada", "bob"]) yield* insertKey(key)
          const young = subKeyOf("young", "ada", { monthlyLimit: 200 })
          const old = subKeyOf("old", "ada", { createdAt: young.createdAt - 1, revokedAt: young.createdAt })
          for (const each of [old, young, subKeyOf("other", "bob")]) yield* subKeys.insert(each)
          assert.deepStrictEqual(yield* subKeys.findById(young.id), Option.some(young))
          assert.deepStrictEqual(yield* subKeys.findById(SubKeyId.make("sub_none")), Option.none())
          assert.deepStrictEqual(yield* subKeys.findByPrefix("ofk_test_old"), [old])
          assert.deepStrictEqual(yield* subKeys.usableOf(young.keyId), [young])
          const listOf = (limit: number, after?: SubKey) =>
            subKeys.listOf(young.keyId, young.createdAt - 1, { limit, after })
          assert.deepStrictEqual(yield* listOf(9), [old, young])
          assert.deepStrictEqual([yield* listOf(1), yield* listOf(1, old)], [[old], [young]])
          assert.deepStrictEqual(yield* subKeys.listOf(young.keyId, young.createdAt, { limit: 9 }), [young])
        })
      )

      it.effect("changes what its owner may change, and not what it spent", () =>
        Effect.gen(function* () {
          const subKeys = yield* SubKeyStore
          yield* insertKey("eve")
          const spent = subKeyOf("spent", "eve", { lastUsedAt: undefined })
          yield* subKeys.insert(spent)
          const changed = { ...spent, name: "New", monthlyLimit: 7, secretPrefix: "ofk_test_next", revokedAt: 5 }
          yield* subKeys.update({ ...changed, requests: 99, month: "2026-11" })
          assert.deepStrictEqual(yield* subKeys.findById(spent.id), Option.some(changed))
        })
      )

      it.effect("keeps the names of the usable sub-keys of a key unique, whatever their case", () =>
        Effect.gen(function* () {
          const subKeys = yield* SubKeyStore
          for (const key of ["cyd", "dan"]) yield* insertKey(key)
          const crm = subKeyOf("crm", "cyd", { name: "Straße" })
          yield* subKeys.insert(crm)
          const again = subKeyOf("again", "cyd", { name: "STRASSE" })
          assert.isTrue(Exit.isFailure(yield* Effect.exit(subKeys.insert(again))))
          yield* subKeys.insert(subKeyOf("dans", "dan", { name: "STRASSE" }))
          yield* subKeys.update({ ...crm, revokedAt: 1 })
          yield* subKeys.insert(again)
          assert.isTrue(Exit.isFailure(yield* Effect.exit(subKeys.update(crm))))
        })
      )

      it.effect("has secrets of its own, separate from those of its key", () =>
        Effect.gen(function* () {
          const keys = yield* KeyStore
          const subKeys = yield* SubKeyStore
          yield* insertKey("fay")
          const key = keyOf("fay")
          const subKey = subKeyOf("fays", "fay", { monthlyLimit: 3 })
          yield* subKeys.insert(subKey)
          const secret = {
            hash: "fay",
            keyId: key.id,
            subKeyId: undefined,
            prefix: "ofk_test_fay",
            linkId: undefined,
            createdAt: 1,
            firstUsedAt: undefined,
            expiresAt: undefined
          }
          const ofSubKey = { ...secret, hash: "fays", subKeyId: subKey.id, prefix: "ofk_test_fays" }
          yield* keys.putSecret(secret)
          yield* keys.putSecret(ofSubKey)
          const found = yield* keys.findSecrets(["fay", "fays"])
          assert.isUndefined(found.get("fay")?.subKey)
          assert.include(found.get("fays")?.subKey, { id: subKey.id, name: "fays", monthlyLimit: 3 })
          assert.deepStrictEqual(found.get("fays")?.key, key)
          assert.deepStrictEqual(yield* keys.findByPrefix("ofk_test_fays"), [])
          yield* keys.endSecrets(key.id, 5, 5)
          assert.deepStrictEqual(yield* keys.secretsOf(key.id), [])
          const secretOfSubKey = Effect.map(keys.findSecrets(["fays"]), (secrets) => secrets.get("fays")?.secret)
          assert.deepStrictEqual(yield* secretOfSubKey, ofSubKey)
          yield* keys.endSecrets(key.id, 9, 5, subKey.id)
          assert.deepStrictEqual(yield* secretOfSubKey, { ...ofSubKey, expiresAt: 9 })
        })
      )
    })
  })
}
