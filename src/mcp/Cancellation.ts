import { Deferred, Effect } from "effect"

/**
 * Lets clients cancel requests that this process is answering. A request is identified by its session and its
 * ID; a client without a session cannot cancel. A charge that was made stays, and its answer is stored.
 */
export const makeCancellation = () => {
  const running = new Map<string, Deferred.Deferred<undefined>>()
  const nameOf = (session: string, id: unknown) => JSON.stringify([session, id])
  return {
    cancel: (session: string | undefined, id: unknown): void => {
      const cancelled = session === undefined ? undefined : running.get(nameOf(session, id))
      if (cancelled !== undefined) Deferred.doneUnsafe(cancelled, Effect.succeed(undefined))
    },
    /** Answers a request, or returns undefined if it is cancelled in the meantime. */
    cancellable:
      (session: string | undefined, id: string | number) =>
      <A, E, R>(answer: Effect.Effect<A, E, R>): Effect.Effect<A | undefined, E, R> =>
        Effect.suspend(() => {
          if (session === undefined) return answer
          const name = nameOf(session, id)
          const cancelled = Deferred.makeUnsafe<undefined>()
          running.set(name, cancelled)
          return Effect.raceFirst(answer, Deferred.await(cancelled)).pipe(
            Effect.ensuring(
              Effect.sync(() => {
                if (running.get(name) === cancelled) running.delete(name)
              })
            )
          )
        })
  }
}
