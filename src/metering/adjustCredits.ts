import { Effect } from "effect"
import { Grants } from "../credits/Grants.ts"
import { Transaction } from "../database/Transaction.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { AuditLog } from "../keys/AuditLog.ts"
import { KeyRevoked } from "../KeyStatus.ts"

/** An operator's change of a key's credits. `delta` is in credits and not 0; the reason goes into the audit log. */
export interface Adjustment {
  readonly action: "credits_granted" | "credits_adjusted"
  readonly delta: number
  readonly reason: string
  /** Makes a retry safe: the same reference changes the credits only once. */
  readonly reference: string | undefined
}

/**
 * Changes the credits of the key with this ID or prefix and records the reason, in one transaction. Fails as
 * `ApiKeys.find` and `Grants.adjust` do, and with KeyRevoked for a revoked key.
 */
export const adjustCredits = Effect.fn("adjustCredits")(function* (
  name: string,
  { action, delta, reason, reference }: Adjustment
) {
  const apiKeys = yield* ApiKeys
  const audit = yield* AuditLog
  const grants = yield* Grants
  const transaction = yield* Transaction
  const adjust = Effect.gen(function* () {
    const key = yield* apiKeys.find(name)
    if (key.state === "revoked") return yield* new KeyRevoked({ prefix: key.secretPrefix })
    const adjusted = yield* grants.adjust(key.id, delta, reference)
    if (!adjusted.wasMadeBefore) {
      yield* audit.append(key.id, "operator", action, `${delta > 0 ? "+" : ""}${delta}: ${reason}`)
    }
    return { ...adjusted, key }
  })
  return yield* transaction.run(adjust)
})

/** The services that change credits. */
export type AdjustmentServices = Effect.Services<ReturnType<typeof adjustCredits>>
