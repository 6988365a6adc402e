import { Context, Effect, Layer } from "effect"
import { PlausibleClock } from "../database/PlausibleClock.ts"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { isoTime } from "../text/Times.ts"

/** Deletes expired data, so that only the books grow forever: ledger, paid orders, audit log. */
export class Retention extends Context.Service<
  Retention,
  {
    /** Deletes everything past its retention period, in small transactions. Returns the number of rows by kind. */
    readonly purge: Effect.Effect<Readonly<Record<string, number>>>
    /** Returns the space of deleted rows to the disk, a little at a time; Postgres does so by itself. */
    readonly giveSpaceBack: Effect.Effect<void>
  }
>()("outreach-forecast/privacy/Retention") {
  /** In memory, where nothing outlives the process. */
  static readonly layerMemory = Layer.succeed(Retention, { purge: Effect.succeed({}), giveSpaceBack: Effect.void })
}

/**
 * Deletes expired data and releases its space, every ten minutes while the scope is open; while the clock is
 * implausible, logs that instead.
 */
export const purging = BackgroundJob.layer({
  name: "purge expired data",
  run: Effect.gen(function* () {
    const { isPlausible, lastAt, now } = yield* Effect.flatMap(PlausibleClock, ({ read }) => read)
    if (!isPlausible) {
      yield* Effect.annotateLogs(Effect.logWarning("nothing is deleted by age"), {
        clock: isoTime(now),
        last_run: isoTime(lastAt),
        reason:
          "The clock is more than a day ahead of the last time that the service ran. Correct it or, if it is right, run database trust-clock"
      })
      return
    }
    const retention = yield* Retention
    const purged = yield* retention.purge
    if (Object.keys(purged).length > 0) yield* Effect.annotateLogs(Effect.logInfo("purged"), purged)
    yield* retention.giveSpaceBack
  }),
  every: "10 minutes"
})
