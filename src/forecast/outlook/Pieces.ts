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
