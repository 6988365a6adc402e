import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Stream } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { KeyId } from "../../src/KeyStatus.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { hashOf, isWellFormed } from "../../src/keys/KeySecrets.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { application, applications } from "../support/Application.ts"
import { authenticate } from "../support/Authentication.ts"
import { oneCredit } from "../support/Samples.ts"

const ada = { name: "Ada", email: "ada@example.com", company: "Example" }

const failureOf = Effect.fnUntraced(function* (secret: Redacted.Redacted | string) {
  const failure = yield* Effect.flip(authenticate(Redacted.isRedacted(secret) ? secret : Redacted.make(secret)))
  return failure._tag
})

describe("ApiKeys", () => {
  it.effect("issues a usable key with the preview credits, and stores no secret", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const credits = yield* Credits
      const { key, secret } = yield* apiKeys.issue(ada)
      assert.deepStrictEqual(yield* authenticate(secret), { ...key, subKey: undefined })
      assert.deepStrictEqual(yield* credits.balance(key.id), { remaining: 100, granted: 100 })
      assert.notInclude(JSON.stringify(yield* Stream.runCollect(apiKeys.list)), Redacted.value(secret))
    }).pipe(Effect.provide(application()))
  )

  it.effect("distinguishes keys that are missing, unknown, mistyped, revoked or on an inactive plan", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { key, secret } = yield* apiKeys.issue(ada)
      assert.strictEqual(yield* failureOf(""), "MissingKey")
      assert.strictEqual(yield* failureOf("anything"), "InvalidKey")
      assert.strictEqual(yield* failureOf(`${Redacted.value(secret).slice(0, -1)}!`), "InvalidKey")
      yield* apiKeys.setKeyPlan(key.id, "inactive")
      assert.strictEqual(yield* failureOf(secret), "PlanInactive")
      yield* apiKeys.setKeyPlan(key.id, "active")
      assert.strictEqual((yield* authenticate(secret)).id, key.id)
      yield* apiKeys.setKeyPlan(key.id, "inactive")
      yield* apiKeys.revoke(key.id, "operator")
      assert.strictEqual(yield* failureOf(secret), "KeyRevoked")
    }).pipe(Effect.provide(application()))
  )

  it.effect("loses no change to another one at the same time over Postgres", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { key } = yield* apiKeys.issue(ada)
      const changes = [apiKeys.setKeyPlan(key.id, "inactive"), apiKeys.revoke(key.id, "owner")]
      yield* Effect.all(changes, { concurrency: "unbounded" })
      assert.include(yield* apiKeys.find(key.id), { state: "revoked", plan: "inactive" })
    }).pipe(Effect.provide(applications.Postgres()))
  )

  it.effect("refuses a key that was never confirmed", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const store = yield* KeyStore
      const { key, secret } = yield* apiKeys.issue(ada)
      yield* store.update({ ...key, state: "unconfirmed" })
      assert.strictEqual(yield* failureOf(secret), "InvalidKey")
    }).pipe(Effect.provide(application()))
  )

  it.effect("gives an address one usable key at a time", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { key } = yield* apiKeys.issue(ada)
      const taken = yield* Effect.flip(apiKeys.issue(ada))
      assert.deepInclude(taken, { _tag: "AddressTaken", email: "ada@example.com", prefix: key.secretPrefix })
      assert.include(taken.message, `ada@example.com already has the key ${key.secretPrefix}`)
      yield* apiKeys.revoke(key.id, "operator")
      yield* apiKeys.issue(ada)
    }).pipe(Effect.provide(application()))
  )

  it.effect("finds a key by its id or its prefix", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const store = yield* KeyStore
      const { key } = yield* apiKeys.issue(ada)
      assert.deepStrictEqual(yield* apiKeys.find(key.id), key)
      assert.deepStrictEqual(yield* apiKeys.find(key.secretPrefix), key)
      assert.include((yield* Effect.flip(apiKeys.find("nobody"))).message, "the ID or prefix nobody")
      const twin = {
        ...key,
        id: KeyId.make("key_twin"),
        owner: { ...ada, email: "twin@example.com" }
      }
      yield* store.insert(twin)
      const failure = yield* Effect.flip(apiKeys.find(key.secretPrefix))
      assert.strictEqual(failure._tag, "AmbiguousPrefix")
      assert.include(failure.message, "key_twin")
    }).pipe(Effect.provide(application()))
  )

  it.effect("makes the demo key usable and refills it at each start, whatever happened to it", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const credits = yield* Credits
      const store = yield* KeyStore
      yield* apiKeys.prepareDemoKey
      const demo = yield* authenticate(Redacted.make("demo"))
      const owner = { name: "Demo", email: "demo@localhost", company: "Outreach Forecast" }
      assert.deepInclude(demo, { owner, secretPrefix: "ofk_demo", isDemo: true })
      const [entry] = yield* (yield* AuditLog).entries(demo.id, 50)
      assert.deepInclude(entry, { actor: "service", action: "prepared" })
      yield* credits.charge(demo.id, oneCredit())
      yield* store.update({ ...Option.getOrThrow(yield* store.findById(demo.id)), state: "revoked" })
      assert.strictEqual(yield* failureOf("demo"), "KeyRevoked")
      yield* apiKeys.prepareDemoKey
      yield* apiKeys.prepareDemoKey
      assert.strictEqual((yield* authenticate(Redacted.make("demo"))).id, demo.id)
      assert.deepStrictEqual(
        (yield* credits.history(demo.id, 10)).map(({ balanceAfter, kind }) => [kind, balanceAfter]),
        [
          ["adjustment", 100],
          ["forecast", 99],
          ["preview_grant", 100]
        ]
      )
    }).pipe(Effect.provide(application()))
  )

  it.effect("lets nobody replace or revoke the demo key", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      yield* apiKeys.prepareDemoKey
      const demo = yield* authenticate(Redacted.make("demo"))
      assert.strictEqual((yield* Effect.flip(apiKeys.rotate(demo.id, 24)))._tag, "DemoKeyProtected")
      const refused = yield* Effect.flip(apiKeys.revoke(demo.id, "operator"))
      assert.include(refused.message, "set DEMO_KEY to another key")
      assert.deepStrictEqual(yield* authenticate(Redacted.make("demo")), demo)
      // The operator may still pause it.
      assert.strictEqual((yield* apiKeys.setKeyPlan(demo.id, "inactive")).plan, "inactive")
    }).pipe(Effect.provide(application()))
  )

  it.effect("refuses the demo key in production, whatever the database holds", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const store = yield* KeyStore
      yield* apiKeys.prepareDemoKey
      assert.deepStrictEqual(yield* store.findDemo, Option.none())
      const { key, secret } = yield* apiKeys.issue(ada)
      // As in a database moved from development, even with a secret in the form for production.
      yield* store.update({ ...key, isDemo: true })
      assert.strictEqual(yield* failureOf(secret), "InvalidKey")
      const [record] = yield* store.secretsOf(key.id)
      if (record !== undefined) {
        yield* store.putSecret({ ...record, hash: hashOf(Redacted.make("demo")) })
      }
      assert.strictEqual(yield* failureOf("demo"), "InvalidKey")
    }).pipe(
      Effect.provide(
        application({
          env: { APP_ENV: "production", PUBLIC_URL: "https://forecast.example", DATABASE_URL: "sqlite:unused.db" }
        })
      )
    )
  )

  it.effect("accepts a test key outside production only", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const { secret } = yield* apiKeys.issue(ada)
      assert.match(Redacted.value(secret), /^ofk_test_/)
      assert.isFalse(isWellFormed(Redacted.value(secret), "production"))
    }).pipe(Effect.provide(application()))
  )
})
