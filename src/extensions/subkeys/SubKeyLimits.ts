import { Context, Effect, Layer } from "effect"
import type { KeyId, SubKeyId } from "../../KeyStatus.ts"
import { Limits, type RateLimited } from "../../Limits.ts"

/** The most sub-keys of a key that may be created in an hour: their records are kept for 90 days. */
const createdPerHour = 100

/** The most changes of a sub-key in an hour: each is recorded. */
const changesPerHour = 20

/** Counts what the owner of a key does with its sub-keys, by API and pages together. */
export class SubKeyLimits extends Context.Service<
  SubKeyLimits,
  {
    readonly creation: (keyId: KeyId) => Effect.Effect<void, RateLimited>
    readonly change: (subKey: { readonly id: SubKeyId }) => Effect.Effect<void, RateLimited>
  }
>()("outreach-forecast/subkeys/SubKeyLimits") {
  static readonly layer = Layer.effect(
    SubKeyLimits,
    Effect.map(Limits, ({ count }) =>
      SubKeyLimits.of({
        creation: (keyId) => count(`sub-keys ${keyId}`, createdPerHour),
        change: ({ id }) => count(`change ${id}`, changesPerHour)
      })
    )
  ).pipe(Layer.provide(Limits.layer))
}
