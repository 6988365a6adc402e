import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Result } from "effect"
import { TestClock } from "effect/testing"
import { SubKeyId } from "../../../src/KeyStatus.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { AuditLog } from "../../../src/keys/AuditLog.ts"
import { maxSubKeys, SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { applications } from "../../support/Application.ts"
import { authenticate } from "../../support/Authentication.ts"
import { issueKey } from "../../support/Http.ts"
import { assertAllOrNothing, unaudited } from "../../support/Unaudited.ts"

const tagOf = <A, E extends { readonly _tag: string }>(result: Result.Result<A, E>) =>
  Result.match(result, { onFailure: ({ _tag }) => _tag, onSuccess: () => "" })

for (const [name, application] of Object.entries(applications)) {
  describe(`SubKeys over ${name}`, () => {
    it.effect("work until they are revoked, and end with their key", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const subKeys = yield* SubKeys
        const { id } = yield* issueKey()
        const crm = yield* subKeys.create(id, { name: "CRM", monthlyLimit: 5 })
        const agent = yield* subKeys.create(id, { name: "Agent", monthlyLimit: null })
        const opens = (issued: typeof crm) => Effect.map(Effect.result(authenticate(issued.secret)), tagOf)
        const found = yield* authenticate(crm.secret)
        assert.strictEqual(found.id, id)
        assert.strictEqual(found.secretPrefix, crm.subKey.secretPrefix)
        assert.include(found.subKey, { id: crm.subKey.id, name: "CRM", monthlyLimit: 5 })
        yield* subKeys.revoke(id, crm.subKey.id, "owner")
        assert.deepStrictEqual([yield* opens(crm), yield* opens(agent)], ["KeyRevoked", ""])
        yield* apiKeys.setKeyPlan(id, "inactive")
        assert.strictEqual(yield* opens(agent), "PlanInactive")
        yield* apiKeys.setKeyPlan(id, "active")
        yield* apiKeys.rotate(id, 0)
        assert.strictEqual(yield* opens(agent), "")
        yield* apiKeys.revoke(id, "owner")
        assert.strictEqual(yield* opens(agent), "KeyRevoked")
        const actions = (yield* (yield* AuditLog).entries(id, 50)).map(({ action }) => action)
        assert.deepStrictEqual(
          actions.filter((action) => action.startsWith("sub_key")),
          ["sub_key_created", "sub_key_created", "sub_key_revoked"]
        )
      }).pipe(Effect.provide(application()))
    )

    it.effect("get a new secret while the old one stays valid for a while", () =>
      Effect.gen(function* () {
        const subKeys = yield* SubKeys
        const { id, secret } = yield* issueKey()
        const first = yield* subKeys.create(id, { name: "CRM", monthlyLimit: null })
        const second = yield* subKeys.rotate(id, first.subKey.id, 1)
        assert.strictEqual(second.oldSecretValidUntil, (yield* Clock.currentTimeMillis) + 3_600_000)
        const opens = (one: typeof first) => Effect.map(Effect.result(authenticate(one.secret)), tagOf)
        assert.deepStrictEqual([yield* opens(first), yield* opens(second)], ["", ""])
        yield* TestClock.adjust("1 hour")
        assert.deepStrictEqual([yield* opens(first), yield* opens(second)], ["InvalidKey", ""])
        assert.strictEqual(second.subKey.id, first.subKey.id)
        assert.notStrictEqual(second.subKey.secretPrefix, first.subKey.secretPrefix)
        assert.isString(secret)
      }).pipe(Effect.provide(application()))
    )

    it.effect("are at most 25 with distinct names, however many are created at once", () =>
      Effect.gen(function* () {
        const subKeys = yield* SubKeys
        const { id } = yield* issueKey()
        const create = (name: string) => Effect.result(subKeys.create(id, { name, monthlyLimit: null }))
        const created = yield* Effect.forEach(
          Array.from({ length: 30 }, (_, i) => `Program ${i % 28}`),
          create,
          { concurrency: "unbounded" }
        )
        const tags = created.map(tagOf)
        assert.lengthOf(
          tags.filter((tag) => tag === ""),
          maxSubKeys
        )
        assert.includeMembers(["", "SubKeyNameTaken", "TooManySubKeys"], tags)
        const listed = yield* subKeys.usableOf(id)
        assert.lengthOf(listed, maxSubKeys)
        assert.strictEqual(new Set(listed.map(({ name }) => name)).size, maxSubKeys)
        const [first] = listed
        if (first === undefined) return assert.fail("none is listed")
        assert.strictEqual(tagOf(yield* create(first.name.toUpperCase())), "SubKeyNameTaken")
        assert.strictEqual(tagOf(yield* create("another")), "TooManySubKeys")
        yield* subKeys.revoke(id, first.id, "owner")
        assert.strictEqual(tagOf(yield* create(first.name)), "")
      }).pipe(Effect.provide(application()))
    )

    it.effect("are changed by their own key only, and not once they are revoked", () =>
      Effect.gen(function* () {
        const subKeys = yield* SubKeys
        const { id } = yield* issueKey()
        const other = yield* issueKey()
        const { subKey } = yield* subKeys.create(id, { name: "CRM", monthlyLimit: null })
        yield* subKeys.create(id, { name: "Agent", monthlyLimit: null })
        assert.include(yield* subKeys.change(id, subKey.id, { monthlyLimit: 3 }), { name: "CRM", monthlyLimit: 3 })
        assert.include(yield* subKeys.change(id, subKey.id, { name: "crm" }), { name: "crm", monthlyLimit: 3 })
        const refused = [
          subKeys.change(id, subKey.id, { name: "AGENT" }),
          subKeys.change(other.id, subKey.id, { name: "Mine" }),
          subKeys.rotate(other.id, subKey.id, 0),
          subKeys.revoke(other.id, subKey.id, "owner"),
          subKeys.find(other.id, subKey.id),
          subKeys.find(id, SubKeyId.make("sub_none"))
        ]
        const tags = yield* Effect.forEach(refused, (each: Effect.Effect<unknown, { readonly _tag: string }>) =>
          Effect.map(Effect.flip(each), ({ _tag }) => _tag)
        )
        assert.deepStrictEqual(tags, ["SubKeyNameTaken", ...Array.from({ length: 5 }, () => "SubKeyNotFound")])
        assert.include(yield* subKeys.find(id, subKey.id), { name: "crm", monthlyLimit: 3, revokedAt: undefined })
        const revoked = yield* subKeys.revoke(id, subKey.id, "operator")
        assert.deepStrictEqual(yield* subKeys.revoke(id, subKey.id, "owner"), revoked)
        assert.strictEqual((yield* Effect.flip(subKeys.change(id, subKey.id, { name: "New" })))._tag, "SubKeyNotFound")
        assert.strictEqual((yield* Effect.flip(subKeys.rotate(id, subKey.id, 0)))._tag, "SubKeyNotFound")
        assert.deepStrictEqual(yield* subKeys.find(id, subKey.id), revoked)
        yield* TestClock.adjust("90 days")
        assert.deepStrictEqual(
          (yield* subKeys.listOf(id, { limit: 9 })).map((each) => each.name),
          ["Agent"]
        )
        assert.strictEqual((yield* Effect.flip(subKeys.find(id, subKey.id)))._tag, "SubKeyNotFound")
      }).pipe(Effect.provide(application()))
    )

    it.effect("are not accepted where a key is named", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const subKeys = yield* SubKeys
        const { id } = yield* issueKey()
        const { secret, subKey } = yield* subKeys.create(id, { name: "CRM", monthlyLimit: null })
        for (const text of [subKey.id, subKey.secretPrefix]) {
          const failure = yield* Effect.flip(apiKeys.find(text))
          assert.include(failure.message, `${text} is a sub-key; this command takes only its key ${id}`)
          assert.deepStrictEqual(yield* apiKeys.search(text), [])
          assert.deepStrictEqual(yield* apiKeys.searchSubKeys(text), [subKey])
        }
        assert.strictEqual((yield* authenticate(secret)).state, "usable")
      }).pipe(Effect.provide(application()))
    )
  })
}

it.effect("a change of sub-keys whose entry in the audit log cannot be written is not made", () =>
  Effect.gen(function* () {
    const subKeys = yield* SubKeys
    const { id } = yield* issueKey()
    const crm = (yield* subKeys.create(id, { name: "CRM", monthlyLimit: null })).subKey.id
    yield* assertAllOrNothing("create", subKeys.create(id, { name: "Agent", monthlyLimit: null }))
    yield* assertAllOrNothing("change", subKeys.change(id, crm, { monthlyLimit: 5 }))
    yield* assertAllOrNothing("rotate", subKeys.rotate(id, crm, 0))
    yield* assertAllOrNothing("revoke", subKeys.revoke(id, crm, "owner"))
  }).pipe(Effect.provide(unaudited))
)
