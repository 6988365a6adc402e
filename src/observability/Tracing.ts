import { Context, Effect, Random, References } from "effect"

/** The share of batches and requests with spans, from 0 to 1; 0 if there is no collector. */
export const SampledShare = Context.Reference<number>("outreach-forecast/observability/SampledShare", {
  defaultValue: () => 0
})

/** Creates a root span for a share of the runs of an effect; the others have no spans at all, not even nested ones. */
export const sampled =
  (name: string, attributes: Readonly<Record<string, string | number>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(SampledShare, (share) =>
      share === 0
        ? effect
        : Effect.flatMap(Random.next, (drawn) =>
            drawn < share
              ? Effect.withSpan(effect, name, { attributes, root: true })
              : Effect.provideService(effect, References.TracerEnabled, false)
          )
    )
