import { Deferred, Effect } from "effect"

/** Runs an effect the first time, whoever waits for it; later it has the same result. */
export const once = <A>(effect: Effect.Effect<A>): Effect.Effect<A> => {
  const result = Deferred.makeUnsafe<A>()
  let isBegun = false
  return Effect.suspend(() => {
    if (isBegun) return Deferred.await(result)
    isBegun = true
    return Effect.uninterruptible(Effect.andThen(Deferred.into(effect, result), Deferred.await(result)))
  })
}
