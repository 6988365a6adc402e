import { type Duration, Effect, Layer, Schedule } from "effect"
import { makeRepeatedFailure } from "./RepeatedFailure.ts"

/** What a background job does, and when. */
export interface BackgroundJob<A, E, R> {
  /** Names it in the log. */
  readonly name: string
  readonly run: Effect.Effect<A, E, R>
  /** The pause between two runs. */
  readonly every: Duration.Input
}

/** Creates a guard for the effects of a job: a failure is logged, and one that recurs once a minute, with its count. */
export const makeGuard = (name: string) => {
  const failed = makeRepeatedFailure()
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.catchCause(effect, (cause) =>
      failed((count) => Effect.annotateLogs(Effect.logError("background job failed", cause), { job: name, count }))
    )
}

/** Runs a job at once and then at its interval, while the scope is open. A failed run is logged, and the next one follows. */
export const layer = <A, E, R>({ every, name, run }: BackgroundJob<A, E, R>) => {
  const guarded = makeGuard(name)(run)
  return Layer.effectDiscard(Effect.forkScoped(Effect.repeat(guarded, Schedule.spaced(every))))
}
