import { Clock, Effect } from "effect"

/** The time after a logged failure during which others are only counted, in nanoseconds. */
const quiet = 60_000_000_000n

/**
 * Creates a logger for a recurring failure: logs the first immediately, then one per minute. `log` gets the number of failures
 * since the last line.
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
