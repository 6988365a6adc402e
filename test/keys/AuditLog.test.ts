import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { Transaction } from "../../src/database/Transaction.ts"
import { KeyId } from "../../src/KeyId.ts"
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
        assert.deepStrictEqual(yield* log.entries(ada), [
          { keyId: ada, actor: "operator", action: "issued", createdAt: 2000, note: undefined },
          { keyId: ada, actor: "operator", action: "credits_granted", createdAt: 1000, note: "+50: for testing" }
        ])
        assert.lengthOf(yield* log.entries(bob), 1)
        assert.deepStrictEqual(yield* log.entries(KeyId.make("key_nobody")), [])
      }).pipe(Effect.provide(store))
    )

    it.effect("keeps no entry of a failed transaction", () =>
      Effect.gen(function* () {
        const log = yield* AuditLog
        const { run } = yield* Transaction
        yield* insertKey("ada")
        yield* Effect.flip(run(Effect.andThen(log.append(ada, "owner", "revoked"), Effect.fail("the change fails"))))
        assert.deepStrictEqual(yield* log.entries(ada), [])
      }).pipe(Effect.provide(store))
    )
  })
}
