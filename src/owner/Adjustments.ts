import { Context, Effect, Layer } from "effect"
import {
  type Adjusted,
  type CreditsTooFew,
  type CreditsTooMany,
  Grants,
  type ReferenceTaken
} from "../credits/Grants.ts"
import { Transaction } from "../database/Transaction.ts"
import type { ApiKey } from "../keys/ApiKey.ts"
import { ApiKeys } from "../keys/ApiKeys.ts"
import { AuditLog } from "../keys/AuditLog.ts"
import type { AmbiguousPrefix, KeyNotFound } from "../keys/KeyFailures.ts"
import { KeyRevoked } from "../KeyId.ts"

/** An operator's change of a key's credits. `delta` is in credits and not 0; the reason goes into the audit log. */
export interface Adjustment {
  readonly action: "credits_granted" | "credits_adjusted"
  readonly delta: number
  readonly reason: string
  /** Makes a retry safe: the same reference changes the credits only once. */
  readonly reference: string | undefined
}

/** Changes of credits by an operator. */
export class Adjustments extends Context.Service<
  Adjustments,
  {
    /**
     * Changes the credits of the key with this ID or prefix and records the reason, in one transaction. Fails with
     * KeyRevoked for a revoked key, and as `Grants.adjust` does.
     */
    readonly make: (
      name: string,
      adjustment: Adjustment
    ) => Effect.Effect<
      Adjusted & { readonly key: ApiKey },
      KeyNotFound | AmbiguousPrefix | KeyRevoked | CreditsTooFew | CreditsTooMany | ReferenceTaken
    >
  }
>()("outreach-forecast/owner/Adjustments") {
  static readonly layer = Layer.effect(
    Adjustments,
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const audit = yield* AuditLog
      const grants = yield* Grants
      const transaction = yield* Transaction

      const make = Effect.fn("Adjustments.make")(function* (
        name: string,
        { action, delta, reason, reference }: Adjustment
      ) {
        const key = yield* apiKeys.find(name)
        if (key.state === "revoked") return yield* new KeyRevoked({ prefix: key.secretPrefix })
        const adjusted = yield* grants.adjust(key.id, delta, reference)
        if (!adjusted.wasMadeBefore) {
          yield* audit.append(key.id, "operator", action, `${delta > 0 ? "+" : ""}${delta}: ${reason}`)
        }
        return { ...adjusted, key }
      }, transaction.run)

      return Adjustments.of({ make })
    })
  ).pipe(Layer.provide([ApiKeys.layer, Grants.layer]))
}
