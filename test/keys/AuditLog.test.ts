import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Transaction } from "../../src/database/Transaction.ts"
import { KeyId, SubKeyId } from "../../src/KeyStatus.ts"
import { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { SubKeyStore } from "../../src/keys/SubKeyStore.ts"
import { adjustCredits } from "../../src/metering/adjustCredits.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { defaultCreditPacks } from "../../src/settings/CreditPack.ts"
import { authenticate } from "../support/Authentication.ts"
import { placeOrder } from "../support/Orders.ts"
import { insertKey } from "../support/StoredKeys.ts"
import { stores } from "../support/Application.ts"
import { assertAllOrNothing, unaudited } from "../support/Unaudited.ts"

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

describe("a change whose entry cannot be written", () => {
  it.effect("is not made", () =>
    Effect.gen(function* () {
      const accessRequests = yield* AccessRequests
      const apiKeys = yield* ApiKeys
      const orders = yield* Orders
      const [pack = assert.fail()] = defaultCreditPacks
      const ownerOf = (name: string) => ({ name, email: `${name}@example.com`, company: "Example" })
      const { key } = yield* apiKeys.issue(ownerOf("ada"))
      const subKeyId = SubKeyId.make("sub_crm")
      yield* (yield* SubKeyStore).insert({
        id: subKeyId,
        keyId: key.id,
        name: "CRM",
        monthlyLimit: null,
        secretPrefix: "",
        createdAt: 0,
        revokedAt: undefined,
        lastUsedAt: undefined,
        month: "1970-01",
        requests: 0
      })
      const newToken = Effect.gen(function* () {
        const { id } = yield* accessRequests.newLink(yield* accessRequests.keyFor(ownerOf("bob")))
        return Redacted.make(Redacted.value(yield* accessRequests.makePath(id)).replace("/confirm/", ""))
      })
      const revealed = yield* accessRequests.reveal(yield* newToken)
      const token = yield* newToken
      const order = yield* placeOrder(pack, ownerOf("eve"))
      yield* assertAllOrNothing("issue", apiKeys.issue(ownerOf("eve")))
      yield* assertAllOrNothing("prepare the demo key", apiKeys.prepareDemoKey)
      yield* assertAllOrNothing("rotate", apiKeys.rotate(key.id, 24))
      yield* assertAllOrNothing("deactivate", apiKeys.setKeyPlan(key.id, "inactive"))
      yield* assertAllOrNothing("revoke", apiKeys.revoke(key.id, "owner"))
      yield* assertAllOrNothing("revoke a sub-key", apiKeys.revokeSubKey(key.id, subKeyId, "owner"))
      yield* assertAllOrNothing("request a key", accessRequests.request(ownerOf("eve")))
      yield* assertAllOrNothing("request a replacement", accessRequests.request(ownerOf("ada")))
      yield* assertAllOrNothing("reveal", accessRequests.reveal(token))
      yield* assertAllOrNothing("use first", authenticate(revealed.secret))
      const gift = { action: "credits_granted", delta: 5, reason: "", reference: undefined } as const
      yield* assertAllOrNothing("grant credits", adjustCredits(key.id, gift))
      yield* assertAllOrNothing("fulfil", orders.fulfil(order.id, { reference: "bank 1", paidAt: 0 }))
    }).pipe(Effect.provide(unaudited))
  )
})
