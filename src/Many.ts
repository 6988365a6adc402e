import { Effect, Result } from "effect"

/** Of what was done for one item by the operation for many: the only result. */
export const only = <A>([one]: ReadonlyArray<A>): Effect.Effect<A> =>
  one === undefined ? Effect.die(new Error("An operation on one item has no result")) : Effect.succeed(one)

/**
 * Continues with the successes so far: `step` gets their values, in order, and returns a result for each. Failures keep
 * their positions.
 */
export const continueAll = <A, E, B, E2, E3, R>(
  results: ReadonlyArray<Result.Result<A, E>>,
  step: (values: ReadonlyArray<A>) => Effect.Effect<ReadonlyArray<Result.Result<B, E2>>, E3, R>
): Effect.Effect<ReadonlyArray<Result.Result<B, E | E2>>, E3, R> => {
  const values = results.flatMap((result) => (Result.isSuccess(result) ? [result.success] : []))
  const place = (next: ReadonlyArray<Result.Result<B, E2>>) => {
    let position = 0
    return results.flatMap((result): ReadonlyArray<Result.Result<B, E | E2>> =>
      Result.isFailure(result) ? [Result.fail(result.failure)] : next.slice(position, ++position)
    )
  }
  if (values.length === 0) return Effect.succeed(place([]))
  return Effect.flatMap(step(values), (next) =>
    next.length === values.length
      ? Effect.succeed(place(next))
      : Effect.die(new Error("An operation on many items has not a result for each"))
  )
}
