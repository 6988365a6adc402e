import { Effect, Result } from "effect"

/** Of what was done for one item by the operation for many: the only result. */
export const only = <A>([one]: ReadonlyArray<A>): Effect.Effect<A> =>
  one === undefined ? Effect.die(new Error("An operation on one item has no result")) : Effect.succeed(one)

/** Of what was done for one item by the operation for many: the only result, as an effect that succeeds or fails with it. */
export const onlyResult = <A, E>(results: ReadonlyArray<Result.Result<A, E>>): Effect.Effect<A, E> =>
  Effect.flatMap(only(results), Effect.fromResult)

/**
 * Goes on with what has succeeded so far: `step` gets those values, in order, and gives a result for each. What has failed
 * stays as it is, in its place.
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

/** How long the event loop may be held at once, in milliseconds. */
const turn = 5

/** Lets everything else that is due run first. */
export const pause = Effect.callback<void>((resume) => {
  const immediate = setImmediate(() => resume(Effect.void))
  return Effect.sync(() => clearImmediate(immediate))
})

/**
 * Declared once: each generator function that is made anew leaves a hidden class behind, which outlives it and, until it is
 * collected, keeps all that the function could see.
 */
function* computeEach<A, B>(
  items: ReadonlyArray<A>,
  compute: (item: A) => Generator<void, B, void>,
  computed: Array<B>
): Generator<void, void, void> {
  for (const item of items) {
    computed.push(yield* compute(item))
    yield
  }
}

/**
 * Computes something of each item, in pieces: `compute` yields wherever it may pause. Lets other work in whenever that has
 * taken 5 milliseconds.
 */
export const mapInTurns = <A, B>(
  items: ReadonlyArray<A>,
  compute: (item: A) => Generator<void, B, void>
): Effect.Effect<ReadonlyArray<B>> =>
  Effect.suspend(() => {
    const computed: Array<B> = []
    const pieces = computeEach(items, compute, computed)
    const goOn: Effect.Effect<ReadonlyArray<B>> = Effect.suspend(() => {
      const end = performance.now() + turn
      // Not a loop over the pieces: to leave one ends them.
      while (pieces.next().done !== true) {
        if (performance.now() > end) return Effect.andThen(pause, goOn)
      }
      return Effect.succeed(computed)
    })
    return goOn
  })

/** Does one computation in pieces, as `mapInTurns` does many. */
export const computeInTurns = <A>(pieces: Generator<void, A, void>): Effect.Effect<A> =>
  Effect.flatMap(
    mapInTurns([pieces], (each) => each),
    only
  )
