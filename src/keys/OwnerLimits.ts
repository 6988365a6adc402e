import { Context, Effect, Layer } from "effect"
import type { KeyId, SubKeyId } from "../KeyStatus.ts"
import { Limits, type RateLimited } from "../Limits.ts"
import { Settings } from "../Settings.ts"

/** Counts what the owner of a key does with it, by API and pages together. */
export class OwnerLimits extends Context.Service<
  OwnerLimits,
  {
    /** Counts a replacement of a key, or of the secret of a sub-key. Fails with RateLimited after ROTATIONS_PER_HOUR. */
    readonly rotation: (holder: { readonly id: KeyId | SubKeyId }) => Effect.Effect<void, RateLimited>
  }
>()("outreach-forecast/keys/OwnerLimits") {
  static readonly layer = Layer.effect(
    OwnerLimits,
    Effect.gen(function* () {
      const { count } = yield* Limits
      const { rotationsPerHour } = (yield* Settings).limits
      return OwnerLimits.of({ rotation: ({ id }) => count(`rotation ${id}`, rotationsPerHour) })
    })
  ).pipe(Layer.provide(Limits.layer))
}
