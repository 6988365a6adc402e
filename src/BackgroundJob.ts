import { type Duration, Effect, Layer, Schedule } from "effect"
import { makeRepeatedFailure } from "./RepeatedFailure.ts"

/** What a background job does, and when. */
export interface BackgroundJob<A, E, R> {
  /** Names it in the log. */
  readonly name: string
  readonly run: Effect.Effect<A, E, R>
  /** The pause between two runs; without it there is one run. */
  readonly every?: Duration.Input
  /** How many fibers run it side by side; 1 by default. */
  readonly workers?: number
}

/**
 * Runs a job at once and then at its interval, while the scope is open. A failed run is logged, and the next one follows; one
 * that goes on failing is logged once a minute, with the number of failures.
 */
export const layer = <A, E, R>({ every, name, run, workers = 1 }: BackgroundJob<A, E, R>) => {
  const failed = makeRepeatedFailure()
  const logged = Effect.catchCause(run, (cause) =>
    failed((count) => Effect.annotateLogs(Effect.logError("background job failed", cause), { job: name, count }))
  )
  const repeated = every === undefined ? logged : Effect.repeat(logged, Schedule.spaced(every))
  return Layer.effectDiscard(Effect.replicateEffect(Effect.forkScoped(repeated), workers, { discard: true }))
}
