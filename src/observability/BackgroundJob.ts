import { Clock, type Duration, Effect, Layer, Schedule } from "effect"

/** The time after a logged failure during which others are only counted, in nanoseconds. */
const quiet = 60_000_000_000n

/**
 * Creates a logger for a recurring failure: logs the first immediately, then one per minute. `log` gets the number of
 * failures since the last line.
 */
export const makeRepeatedFailure = () => {
  let count = 0
  let loggedAt: bigint | undefined
  return (log: (count: number) => Effect.Effect<void>): Effect.Effect<void> =>
    Effect.flatMap(Clock.monotonicTimeNanos, (now) => {
      count++
      if (loggedAt !== undefined && now - loggedAt < quiet) return Effect.void
      const failures = count
      count = 0
      loggedAt = now
      return log(failures)
    })
}

/** A background job. */
export interface BackgroundJob<A, E, R> {
  /** The name in the log. */
  readonly name: string
  readonly run: Effect.Effect<A, E, R>
  /** The pause between two runs. */
  readonly every: Duration.Input
}

/** Creates a guard for the effects of a job: a failure is logged, a recurring one once per minute with its count. */
export const makeGuard = (name: string) => {
  const failed = makeRepeatedFailure()
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.catchCause(effect, (cause) =>
      failed((count) => Effect.annotateLogs(Effect.logError("background job failed", cause), { job: name, count }))
    )
}

/** Runs a job now and then at its interval, while the scope is open. A failed run is logged. */
export const layer = <A, E, R>({ every, name, run }: BackgroundJob<A, E, R>) => {
  const guarded = makeGuard(name)(run)
  return Layer.effectDiscard(Effect.forkScoped(Effect.repeat(guarded, Schedule.spaced(every))))
}
