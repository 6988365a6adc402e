/** The steps of a function, which may pause after each of them; the last one is its result. */
export type Steps<S, R> = Iterator<S, R, void>

/** Takes steps for this many milliseconds, but at least one. */
export const takeSteps = <S, R>(steps: Steps<S, R>, millis: number): IteratorResult<S, R> => {
  const end = performance.now() + millis
  for (;;) {
    const taken = steps.next()
    if (taken.done === true || performance.now() >= end) return taken
  }
}

/** Takes all steps, and returns the result. */
export const takeAllSteps = <S, R>(steps: Steps<S, R>): R => {
  let taken = steps.next()
  while (taken.done !== true) taken = steps.next()
  return taken.value
}

/** A function in one step. */
export const inOneStep =
  <I, R>(run: (input: I) => R) =>
  (input: I): Steps<never, R> => ({ next: () => ({ done: true, value: run(input) }) })
