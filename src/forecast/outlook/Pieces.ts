import { Effect } from "effect"

/**
 * A long computation done in pieces: it yields whenever others may have their turn, at least every few milliseconds, and
 * returns its result. What it yields means nothing.
 */
export type Pieces<A> = Generator<void, A, void>

/** Runs a computation to its end at once. */
export const finish = <A>(pieces: Pieces<A>): A => {
  let step = pieces.next()
  while (step.done !== true) step = pieces.next()
  return step.value
}

/** Runs a computation and lets the event loop turn between its pieces, so that none of them delays another request. */
export const takeTurns: <A>(pieces: Pieces<A>) => Effect.Effect<A> = Effect.fnUntraced(function* <A>(
  pieces: Pieces<A>
) {
  let step = pieces.next()
  while (step.done !== true) {
    yield* Effect.yieldNow
    step = pieces.next()
  }
  return step.value
})
