import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { Ledger } from "../../src/credits/Ledger.ts"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { adjustCredits, type Adjustment } from "../../src/metering/adjustCredits.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { applications } from "../support/Application.ts"

const issue = Effect.fnUntraced(function* (name: string, credits: number) {
  const apiKeys = yield* ApiKeys
  const { key } = yield* apiKeys.issue({ name, email: `${name}@example.com`, company: "Example" }, credits)
  return key.id
})

const adjustment = (delta: number, reference?: string): Adjustment => ({
  action: delta > 0 ? "credits_granted" : "credits_adjusted",
  delta,
  reason: "goodwill",
  reference
})

/** Everything that an adjustment may change. */
const stateOf = Effect.fnUntraced(function* (keyId: Parameters<Credits["Service"]["balance"]>[0]) {
  const credits = yield* Credits
  const audit = yield* AuditLog
  const { verify } = yield* LedgerAudit
  assert.deepInclude(yield* verify, { faults: [] })
  return {
    ...(yield* credits.balance(keyId)),
    entries: (yield* credits.history(keyId, 100)).map(({ delta, kind }) => `${kind} ${delta}`),
    notes: (yield* audit.entries(keyId, 50)).map(({ action, actor, note }) => `${actor} ${action} ${note ?? ""}`.trim())
  }
})

for (const [name, application] of Object.entries(applications)) {
  describe(`adjustCredits over ${name}`, () => {
    it.effect("changes ledger, balance and audit list together, up and down to 0", () =>
      Effect.gen(function* () {
        const keyId = yield* issue("ada", 10)
        const given = yield* adjustCredits(keyId, adjustment(500))
        assert.deepInclude(given, { wasMadeBefore: false })
        assert.deepInclude(given.entry, { keyId, kind: "adjustment", delta: 500, balanceAfter: 510 })
        yield* adjustCredits(keyId, adjustment(-510))
        assert.deepStrictEqual(yield* stateOf(keyId), {
          remaining: 0,
          granted: 0,
          entries: ["adjustment -510", "adjustment 500", "adjustment 10"],
          notes: [
            "operator issued",
            "operator credits_granted +500: goodwill",
            "operator credits_adjusted -510: goodwill"
          ]
        })
      }).pipe(Effect.provide(application()))
    )

    it.effect("counts a reference once, and refuses it for another key or amount", () =>
      Effect.gen(function* () {
        const ada = yield* issue("ada", 0)
        const bob = yield* issue("bob", 0)
        const made = yield* Effect.all(
          Array.from({ length: 5 }, () => adjustCredits(ada, adjustment(7, "invoice 1"))),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(new Set(made.map(({ entry }) => entry.balanceAfter)), new Set([7]))
        assert.lengthOf(
          made.filter(({ wasMadeBefore }) => !wasMadeBefore),
          1
        )
        assert.strictEqual(made[0]?.entry.reference, "adjustment:invoice 1")
        for (const refused of [
          adjustCredits(ada, adjustment(8, "invoice 1")),
          adjustCredits(bob, adjustment(7, "invoice 1"))
        ]) {
          const failure = yield* Effect.flip(refused)
          assert.deepInclude(failure, { _tag: "ReferenceTaken", reference: "invoice 1", keyId: ada, delta: 7 })
          assert.include(failure.message, `invoice 1 was already used for a change of 7 credits of the key ${ada}`)
        }
        yield* adjustCredits(ada, adjustment(1, "invoice 2"))
        assert.deepInclude(yield* stateOf(ada), {
          remaining: 8,
          entries: ["adjustment 1", "adjustment 7"],
          notes: ["operator issued", "operator credits_granted +7: goodwill", "operator credits_granted +1: goodwill"]
        })
        assert.deepInclude(yield* stateOf(bob), { remaining: 0, entries: [], notes: ["operator issued"] })
      }).pipe(Effect.provide(application()))
    )

    it.effect("changes nothing if too much is taken, or the key is unknown or revoked", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const keyId = yield* issue("ada", 3)
        const before = yield* stateOf(keyId)
        const tooFew = yield* Effect.flip(adjustCredits(keyId, adjustment(-4)))
        assert.strictEqual(tooFew._tag, "CreditsTooFew")
        assert.include(tooFew.message, "has 3 credits left, so 4 cannot be taken")
        assert.strictEqual((yield* Effect.flip(adjustCredits("nobody", adjustment(1))))._tag, "KeyNotFound")
        assert.deepStrictEqual(yield* stateOf(keyId), before)
        yield* apiKeys.revoke(keyId, "operator")
        const gone = yield* Effect.flip(adjustCredits(keyId, adjustment(1)))
        assert.strictEqual(gone._tag, "KeyRevoked")
        assert.include(gone.message, `The key ${(yield* apiKeys.find(keyId)).secretPrefix} is revoked`)
        assert.deepInclude(yield* stateOf(keyId), { remaining: 3, entries: before.entries })
      }).pipe(Effect.provide(application()))
    )

    it.effect("never raises a balance above the largest exact integer", () =>
      Effect.gen(function* () {
        const ledger = yield* Ledger
        const keyId = yield* issue("ada", 1)
        const delta = Number.MAX_SAFE_INTEGER - 2
        yield* ledger.append({ keyId, kind: "credit_pack", delta, reference: "huge", createdAt: 0 })
        yield* adjustCredits(keyId, adjustment(1))
        const tooMany = yield* Effect.flip(adjustCredits(keyId, adjustment(1)))
        assert.deepInclude(tooMany, { _tag: "CreditsTooMany", granted: Number.MAX_SAFE_INTEGER })
        assert.include(tooMany.message, "was granted 9007199254740991 credits")
        assert.deepInclude(yield* stateOf(keyId), { remaining: 2 ** 53 - 1, granted: 2 ** 53 - 1 })
      }).pipe(Effect.provide(application()))
    )
  })
}
