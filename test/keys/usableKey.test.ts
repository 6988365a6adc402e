import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { type ApiKey, confirmed, type KeySecretRecord } from "../../src/keys/ApiKey.ts"
import { KeyId, KeyState, SubKeyId } from "../../src/KeyStatus.ts"
import type { SecretSubKey } from "../../src/keys/SubKey.ts"
import type { Environment } from "../../src/settings/Environment.ts"
import { usableKey } from "../../src/keys/Authenticator.ts"

const now = 1_800_000_000_000

const ada: ApiKey = {
  id: KeyId.make("key_ada"),
  owner: { name: "Ada", email: "ada@example.com", company: "Example" },
  plan: "active",
  state: "usable",
  isDemo: false,
  secretPrefix: "ofk_test_newest",
  createdAt: now
}

const secret: KeySecretRecord = {
  hash: "hash",
  keyId: ada.id,
  subKeyId: undefined,
  prefix: "ofk_test_sent",
  linkId: undefined,
  createdAt: now,
  firstUsedAt: undefined,
  expiresAt: undefined
}

/** The reason why a secret is refused, after changes to its key and to itself. */
const refusal = (
  key: Partial<ApiKey>,
  changes: Partial<KeySecretRecord> = {},
  environment: Environment = "production",
  subKey?: SecretSubKey
) => {
  const found = { key: { ...ada, ...key }, secret: { ...secret, ...changes }, subKey }
  return Result.match(usableKey(found, now, environment), { onFailure: ({ _tag }) => _tag, onSuccess: () => undefined })
}

describe("a key", () => {
  it("is found by its secret, and reports the secret that was sent", () => {
    assert.deepStrictEqual(
      usableKey({ key: ada, secret, subKey: undefined }, now, "production"),
      Result.succeed({ ...ada, secretPrefix: "ofk_test_sent", subKey: undefined })
    )
  })

  it("is found by a replaced secret until that expires", () => {
    assert.isUndefined(refusal({}, { expiresAt: now + 1 }))
    assert.strictEqual(refusal({}, { expiresAt: now }), "InvalidKey")
  })

  it("becomes usable by a link only while unconfirmed: a link lifts no other state", () => {
    for (const state of KeyState.literals) {
      assert.strictEqual(confirmed({ ...ada, state }).state, state === "unconfirmed" ? "usable" : state)
    }
  })

  it("is not usable while unconfirmed, whatever its plan, and reports if it is revoked or its plan inactive", () => {
    assert.strictEqual(refusal({ state: "unconfirmed" }), "InvalidKey")
    assert.strictEqual(refusal({ state: "unconfirmed", plan: "inactive" }), "InvalidKey")
    assert.strictEqual(refusal({ state: "revoked", plan: "inactive" }), "KeyRevoked")
    assert.strictEqual(refusal({ plan: "inactive" }), "PlanInactive")
  })

  it("is found by a sub-key until either of them is revoked or the plan is inactive", () => {
    const crm = { id: SubKeyId.make("sub_crm"), name: "CRM", monthlyLimit: null, revokedAt: undefined }
    const of = (key: Partial<ApiKey>, changes: Partial<SecretSubKey> = {}) =>
      refusal(key, {}, "production", { ...crm, ...changes })
    assert.isUndefined(of({}))
    assert.strictEqual(of({}, { revokedAt: now - 1 }), "KeyRevoked")
    assert.strictEqual(of({ state: "revoked" }), "KeyRevoked")
    assert.strictEqual(of({ plan: "inactive" }), "PlanInactive")
  })

  it("for the demo is usable everywhere except in production", () => {
    assert.strictEqual(refusal({ isDemo: true }), "InvalidKey")
    assert.isUndefined(refusal({ isDemo: true }, {}, "development"))
  })
})
