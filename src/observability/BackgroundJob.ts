import { type Duration, Effect, Layer, Schedule } from "effect"
import { makeRepeatedFailure } from "./Logging.ts"

/** A background job. */
export interface BackgroundJob<A, E, R> {
  /** The name in the log. */
  readonly name: string
  readonly run: Effect.Effect<A, E, R>
  /** The pause between two runs. */
  readonly every: Duration.Input
}

/** Creates a guard for the effects of a job: a failure is logged, and a recurring one once per minute, with its count. */
export const makeGuard = (name: string) => {
  const failed = makeRepeatedFailure()
  return <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.catchCause(effect, (cause) =>
      failed((count) => Effect.annotateLogs(Effect.logError("background job failed", cause), { job: name, count }))
    )
}

/** Runs a job immediately and then at its interval, while the scope is open. A failed run is logged, and the next one follows. */
export const layer = <A, E, R>({ every, name, run }: BackgroundJob<A, E, R>) => {
  const guarded = makeGuard(name)(run)
  return Layer.effectDiscard(Effect.forkScoped(Effect.repeat(guarded, Schedule.spaced(every))))
}
