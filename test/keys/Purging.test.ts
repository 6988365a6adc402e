import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import * as KeySecrets from "../../src/keys/KeySecrets.ts"
import { hashOf } from "../../src/keys/KeySecret.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import * as Sessions from "../../src/keys/sessions/Sessions.ts"
import { SessionStore } from "../../src/keys/sessions/SessionStore.ts"
import { application, storesWith } from "../support/Application.ts"

const ada = { name: "Ada", email: "ada@example.com", company: "Example" }

/** A purge that deletes so many at once, and how often it is asked at a time until none is left. */
const purges = () => {
  const left = [500, 500, 1, 0, 500]
  const purge = () => Effect.sync(() => left.shift() ?? 0)
  return { left, purge }
}

describe("what has ended is deleted within a minute", () => {
  it.effect("secrets that were replaced, at the end of their grace period", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const store = yield* KeyStore
      const { key, secret } = yield* apiKeys.issue(ada)
      const { secret: next } = yield* apiKeys.rotate(key.id, 1)
      yield* Layer.build(KeySecrets.purging)
      const hashes = Effect.map(store.secretsOf(key.id), (secrets) => secrets.map(({ hash }) => hash))
      yield* TestClock.adjust("59 minutes")
      assert.sameMembers(yield* hashes, [secret, next].map(hashOf))
      yield* TestClock.adjust("1 minute")
      assert.deepStrictEqual(yield* hashes, [hashOf(next)])
    }).pipe(Effect.provide(application()))
  )

  it.effect("sessions, after half an hour", () =>
    Effect.gen(function* () {
      const sessions = yield* Sessions.Sessions
      const store = yield* SessionStore
      const { secret } = yield* (yield* ApiKeys).issue(ada)
      const first = yield* sessions.open(secret)
      yield* Layer.build(Sessions.purging)
      yield* TestClock.adjust("20 minutes")
      const second = yield* sessions.open(secret)
      yield* TestClock.adjust("10 minutes")
      const areStored = yield* Effect.forEach([first, second], (token) =>
        Effect.map(store.find(hashOf(token)), Option.isSome)
      )
      assert.deepStrictEqual(areStored, [false, true])
    }).pipe(Effect.provide(application()))
  )

  it.effect("all of it, however little a store deletes at once", () => {
    const ofSecrets = purges()
    const ofSessions = purges()
    const inParts = storesWith(KeyStore, { purgeSecrets: ofSecrets.purge }).pipe((stores) =>
      Layer.effect(
        SessionStore,
        Effect.map(SessionStore, (store) => ({ ...store, purge: ofSessions.purge }))
      ).pipe(Layer.provideMerge(stores))
    )
    return Effect.gen(function* () {
      yield* (yield* KeySecrets.KeySecrets).purge
      yield* (yield* Sessions.Sessions).purge
      assert.deepStrictEqual([ofSecrets.left, ofSessions.left], [[500], [500]])
    }).pipe(Effect.provide(application({ stores: inParts })))
  })
})
