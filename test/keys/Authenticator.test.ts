import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { hashOf } from "../../src/keys/KeySecrets.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { applicationsWith } from "../support/Application.ts"
import { authenticate } from "../support/Authentication.ts"
import { unknownKey } from "../support/Http.ts"

const ada = { name: "Ada", email: "ada@example.com", company: "Example" }

/** The number of secrets in each look-up, and effects that run right after the next ones. */
class LookUps extends Context.Service<
  LookUps,
  { readonly asked: Array<number>; readonly after: Array<Effect.Effect<void>> }
>()("outreach-forecast/test/LookUps") {
  static readonly layer = Layer.sync(LookUps, () => ({ asked: [], after: [] }))
}

const lookUps = Layer.effect(
  KeyStore,
  Effect.gen(function* () {
    const { after, asked } = yield* LookUps
    const store = yield* KeyStore
    return KeyStore.of({
      ...store,
      findSecrets: (hashes) =>
        Effect.tap(store.findSecrets(hashes), () => {
          asked.push(hashes.length)
          return after.shift() ?? Effect.void
        })
    })
  })
).pipe(Layer.provideMerge(LookUps.layer))

const { SQLite } = applicationsWith<LookUps>((stores) => lookUps.pipe(Layer.provideMerge(stores)))

const failureOf = Effect.fnUntraced(function* (secret: Redacted.Redacted) {
  return (yield* Effect.flip(authenticate(secret)))._tag
})

describe("Authenticator", () => {
  it.effect("looks up nothing for an impossible secret, and several secrets at once", () =>
    Effect.gen(function* () {
      const { asked } = yield* LookUps
      const apiKeys = yield* ApiKeys
      const secret = (yield* apiKeys.issue(ada)).secret
      const other = (yield* apiKeys.issue({ ...ada, email: "bob@example.com" })).secret
      for (const wrong of ["", "anything", `${Redacted.value(secret)}x`]) yield* failureOf(Redacted.make(wrong))
      assert.deepStrictEqual(asked, [])
      yield* Effect.forEach([secret, other], (each) => authenticate(each))
      asked.length = 0
      // After its first use a secret is only looked up.
      const unknown = Redacted.make(yield* unknownKey)
      const { findAll } = yield* Authenticator
      const found = yield* findAll([secret, other, unknown, secret].map(hashOf))
      assert.deepStrictEqual(
        found.map(({ _tag }) => _tag),
        ["Success", "Success", "Failure", "Success"]
      )
      assert.deepStrictEqual(asked, [3])
    }).pipe(Effect.provide(SQLite))
  )

  it.effect("refuses a secret that is deleted, or whose key is revoked, during its first use", () =>
    Effect.gen(function* () {
      const { after } = yield* LookUps
      const apiKeys = yield* ApiKeys
      const store = yield* KeyStore
      const { secret } = yield* apiKeys.issue(ada)
      after.push(store.deleteSecret(hashOf(secret)))
      assert.strictEqual(yield* failureOf(secret), "InvalidKey")
      const other = yield* apiKeys.issue({ ...ada, email: "bob@example.com" })
      after.push(Effect.orDie(Effect.asVoid(apiKeys.revoke(other.key.id, "operator"))))
      assert.strictEqual(yield* failureOf(other.secret), "InvalidKey")
      assert.strictEqual(yield* failureOf(other.secret), "KeyRevoked")
    }).pipe(Effect.provide(SQLite))
  )

  it.effect("records the first use once, and none of a key that may not be used", () =>
    Effect.gen(function* () {
      const { after } = yield* LookUps
      const apiKeys = yield* ApiKeys
      const store = yield* KeyStore
      const { key, secret } = yield* apiKeys.issue(ada)
      const record = Effect.flatMap(store.secretsOf(key.id), ([record]) => Effect.fromNullishOr(record))
      yield* apiKeys.setKeyPlan(key.id, "inactive")
      assert.strictEqual(yield* failureOf(secret), "PlanInactive")
      assert.isUndefined((yield* record).firstUsedAt)
      yield* apiKeys.setKeyPlan(key.id, "active")
      // Another request with it is faster.
      after.push(store.putSecret({ ...(yield* record), firstUsedAt: -5 }))
      assert.strictEqual((yield* authenticate(secret)).id, key.id)
      assert.strictEqual((yield* record).firstUsedAt, -5)
    }).pipe(Effect.provide(SQLite))
  )
})
