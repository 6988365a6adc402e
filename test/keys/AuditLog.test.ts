import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Transaction } from "../../src/database/Transaction.ts"
import { KeyId } from "../../src/KeyStatus.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { insertKey } from "../support/StoredKeys.ts"
import { stores } from "../support/Application.ts"

const ada = KeyId.make("key_ada")
const bob = KeyId.make("key_bob")

for (const [name, store] of Object.entries(stores)) {
  describe(`AuditLog in ${name}`, () => {
    it.effect("lists the entries of a key in the order of writing, even if the clock was set back", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        yield* insertKey("ada")
        yield* insertKey("bob")
        yield* TestClock.setTime(2000)
        yield* log.append(ada, "operator", "issued")
        yield* log.append(bob, "owner", "rotated")
        yield* TestClock.setTime(1000)
        yield* log.append(ada, "operator", "credits_granted", "+50: for testing")
        assert.deepStrictEqual(yield* log.entries(ada, 50), [
          {
            keyId: ada,
            actor: "operator",
            action: "issued",
            createdAt: 2000,
            times: 1,
            lastAt: undefined,
            note: undefined
          },
          {
            keyId: ada,
            actor: "operator",
            action: "credits_granted",
            createdAt: 1000,
            times: 1,
            lastAt: undefined,
            note: "+50: for testing"
          }
        ])
        assert.lengthOf(yield* log.entries(bob, 50), 1)
        assert.deepStrictEqual(yield* log.entries(KeyId.make("key_nobody"), 50), [])
      }).pipe(Effect.provide(store))
    )

    it.effect("counts the same change of an owner within an hour in one entry, and lists the newest ones", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        yield* insertKey("ada")
        const minute = 60_000
        const change = (at: number, actor: "operator" | "owner", note: string) =>
          Effect.andThen(TestClock.setTime(at), log.append(ada, actor, "sub_key_changed", note))
        yield* change(0, "owner", "sub_a")
        yield* change(10 * minute, "owner", "sub_b")
        yield* change(59 * minute, "owner", "sub_a")
        yield* change(60 * minute, "owner", "sub_a")
        for (let i = 0; i < 2; i++) yield* change(61 * minute, "operator", "sub_a")
        const entries = (yield* log.entries(ada, 50)).map(({ createdAt, lastAt, note, times }) => [
          note,
          times,
          createdAt / minute,
          lastAt === undefined ? undefined : lastAt / minute
        ])
        assert.deepStrictEqual(entries, [
          ["sub_a", 2, 0, 59],
          ["sub_b", 1, 10, undefined],
          ["sub_a", 1, 60, undefined],
          ["sub_a", 1, 61, undefined],
          ["sub_a", 1, 61, undefined]
        ])
        assert.deepStrictEqual(
          (yield* log.entries(ada, 3)).map(({ createdAt }) => createdAt / minute),
          [60, 61, 61]
        )
      }).pipe(Effect.provide(store))
    )

    it.effect("keeps no entry of a failed transaction", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const { run } = yield* Transaction
        yield* insertKey("ada")
        yield* Effect.flip(run(Effect.andThen(log.append(ada, "owner", "revoked"), Effect.fail("the change fails"))))
        assert.deepStrictEqual(yield* log.entries(ada, 50), [])
      }).pipe(Effect.provide(store))
    )
  })
}
