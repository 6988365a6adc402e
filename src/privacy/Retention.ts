import { Clock, Context, Duration, Effect, Layer, Option } from "effect"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { dayLength, isoTime } from "../text/Times.ts"

/** Deletes expired data, so that only the books grow forever: ledger, paid orders, audit log. */
export class Retention extends Context.Service<
  Retention,
  {
    /** Deletes everything past its retention period, in small transactions. Returns the number of rows by kind. */
    readonly purge: Effect.Effect<Readonly<Record<string, number>>>
    /** Returns the space of deleted rows to the disk, a little at a time; Postgres does so by itself. */
    readonly giveSpaceBack: Effect.Effect<void>
    /** The time of the newest ledger entry, in milliseconds; none if there is none. */
    readonly newestEntryAt: Effect.Effect<Option.Option<number>>
  }
>()("outreach-forecast/privacy/Retention") {
  /** In memory, where nothing outlives the process. */
  static readonly layerMemory = Layer.succeed(Retention, {
    purge: Effect.succeed({}),
    giveSpaceBack: Effect.void,
    newestEntryAt: Effect.succeedNone
  })
}

/** How long the clock must not have jumped, so that nothing is deleted by a clock that is about to be corrected. */
const minSteady = Duration.hours(1)

/** The largest difference between two clocks, from one look to the next, that is not a jump, in milliseconds. */
const maxDrift = 60_000

/** The furthest that the clock may be ahead of the newest ledger entry, in days: beyond that it is probably wrong. */
const maxIdleDays = 400

/** True if the clock is too far ahead of the newest ledger entry for data to be deleted by age. */
export const isFarAhead = (now: number, newestEntryAt: number) => now > newestEntryAt + maxIdleDays * dayLength

/** Creates a check that is true once the clock has gone as fast as the monotonic one for an hour of checks. */
const makeIsSteady = () => {
  let since: bigint | undefined
  let offset: number | undefined
  return Effect.gen(function* () {
    const elapsed = yield* Clock.monotonicTimeNanos
    const found = (yield* Clock.currentTimeMillis) - Number(elapsed / 1_000_000n)
    if (since === undefined || Math.abs(found - (offset ?? found)) > maxDrift) since = elapsed
    offset = found
    return Duration.isGreaterThanOrEqualTo(Duration.nanos(elapsed - since), minSteady)
  })
}

/**
 * Deletes expired data and releases its space, every ten minutes while the scope is open, once the clock has been
 * steady for an hour. If it is far ahead of the newest ledger entry, logs that instead.
 */
export const purging = Layer.suspend(() => {
  const isSteady = makeIsSteady()
  return BackgroundJob.layer({
    name: "purge expired data",
    run: Effect.gen(function* () {
      if (!(yield* isSteady)) return
      const { giveSpaceBack, newestEntryAt, purge } = yield* Retention
      const now = yield* Clock.currentTimeMillis
      const newest = yield* newestEntryAt
      if (Option.exists(newest, (at) => isFarAhead(now, at))) {
        yield* Effect.annotateLogs(Effect.logWarning("nothing is deleted by age"), {
          clock: isoTime(now),
          newest_entry: Option.match(newest, { onNone: () => "", onSome: isoTime }),
          reason: `The clock is more than ${maxIdleDays} days ahead of the newest ledger entry. Correct it; if it is right, deletion resumes with the next change of any key's credits`
        })
        return
      }
      const purged = yield* purge
      if (Object.keys(purged).length > 0) yield* Effect.annotateLogs(Effect.logInfo("purged"), purged)
      yield* giveSpaceBack
    }),
    every: "10 minutes"
  })
})
