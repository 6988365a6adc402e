import { Cause, Clock, Context, Effect, Exit, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { DatabaseFile } from "./DatabaseFile.ts"
import { dialectOf, problemsOf, valuesOf } from "./Statements.ts"
import { FaultLog, DatabaseUnavailable, DatabaseUnusable, orDefect, orUnusable, toDefect } from "./Failures.ts"
import { forecastTables } from "./Tables.ts"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { databaseUp } from "../observability/Telemetry.ts"

/** The time that the result of a check is shared. */
const lifetime = "1 second"

/** The timeout of a check: a load balancer gives up after five seconds. */
const timeout = "4 seconds"

/** The largest file whose pages are read at the start, in bytes: larger ones would take too long. */
const maxRead = 512 * 1024 * 1024

/** Checks that the database works. */
export class DatabaseHealth extends Context.Service<
  DatabaseHealth,
  {
    /**
     * Checks the file, the version of the schema and the disk, and makes a durable write under the locks of a forecast;
     * dies with DatabaseUnavailable if something is wrong. Callers at the same time, or within a second after a check,
     * share its result, including a failure, so frequent checks cost no more than one per second.
     */
    readonly check: Effect.Effect<void>
    /** Like `check`, without the result of an earlier one, which lives longer if the clock is set back. */
    readonly checkAgain: Effect.Effect<void>
    /**
     * Looks at the file only, without a write. If it was deleted or replaced, no further statement is run, and this dies
     * with DatabaseUnavailable.
     */
    readonly assertInPlace: Effect.Effect<void>
    /** The size of the database in bytes, of the SQLite file or on the Postgres server. */
    readonly size: Effect.Effect<number>
    /** Reads all pages of a SQLite file, unless it is large. Fails with DatabaseUnusable if it is damaged. */
    readonly assertSound: Effect.Effect<void, DatabaseUnusable>
  }
>()("outreach-forecast/database/DatabaseHealth") {
  static readonly layer = Layer.effect(
    DatabaseHealth,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const lookAtFile = yield* DatabaseFile
      const faults = yield* FaultLog

      /** On Postgres, takes the locks of a forecast; on SQLite any write locks the file. */
      const takeForecastLocks = Effect.gen(function* () {
        yield* sql`SET LOCAL lock_timeout = '2s'`
        yield* sql`LOCK TABLE ${sql.literal(forecastTables.referenced.join(", "))} IN ROW SHARE MODE`
        yield* sql`LOCK TABLE ${sql.literal(forecastTables.written.join(", "))} IN ROW EXCLUSIVE MODE`
      })

      const inTime = (check: Effect.Effect<void>) =>
        Effect.timeoutOrElse(check, {
          duration: timeout,
          orElse: () => Effect.die(new DatabaseUnavailable({ seen: "unreachable" }))
        })

      const look = Effect.tap(lookAtFile, (seen) => (seen === "damaged" ? faults.noteDamage : Effect.void))

      const assertInPlace = Effect.flatMap(look, (seen) =>
        seen === "damaged" ? Effect.die(new DatabaseUnavailable({ seen })) : Effect.void
      ).pipe(inTime)

      const probe = Effect.gen(function* () {
        const found = yield* look
        yield* orDefect(faults.lookForNewer)
        const seen = faults.stoppedBy() ?? found
        if (seen !== undefined) return yield* Effect.die(new DatabaseUnavailable({ seen }))
        const now = yield* Clock.currentTimeMillis
        const write = sql`
          INSERT INTO readiness (id, checked_at) VALUES (1, ${now})
          ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`
        yield* dialectOf(sql).isPostgres
          ? Effect.catch(sql.withTransaction(Effect.andThen(takeForecastLocks, write)), toDefect)
          : orDefect(write)
      }).pipe(inTime)

      const bytes = Effect.map(
        valuesOf(
          Schema.Int,
          dialectOf(sql).isPostgres
            ? sql`SELECT pg_database_size(current_database())`
            : sql`SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`
        ),
        ([size = 0]) => size
      )

      const assertSound = Effect.gen(function* () {
        if (dialectOf(sql).isPostgres) return
        if ((yield* bytes) > maxRead) return
        const problems = yield* problemsOf(sql`PRAGMA quick_check(3)`)
        if (problems.length > 0) {
          const unavailable = new DatabaseUnavailable({ seen: "damaged" })
          return yield* new DatabaseUnusable({ reason: `${unavailable.message} (${problems.join("; ")})` })
        }
      }).pipe(orUnusable("The database cannot be checked"))

      const [check, invalidate] = yield* Effect.cachedInvalidateWithTTL(probe, lifetime)
      return DatabaseHealth.of({
        check,
        checkAgain: Effect.andThen(invalidate, check),
        assertInPlace,
        size: orDefect(bytes),
        assertSound
      })
    })
  )
}

/** Logs the fault of a failed check. */
const noteFault = (cause: Cause.Cause<never>) =>
  Effect.suspend(() => {
    databaseUp(0)
    const failure = Cause.squash(cause)
    return failure instanceof DatabaseUnavailable
      ? Effect.flatMap(FaultLog, ({ note }) => note(failure))
      : Effect.failCause(cause)
  })

/** Checks the database while the scope is open, so that the log reports a fault before a request meets it. */
const checking = Layer.suspend(() => {
  let wasWell = true
  return BackgroundJob.layer({
    name: "watch database",
    run: Effect.gen(function* () {
      const { checkAgain } = yield* DatabaseHealth
      const checked = yield* Effect.exit(checkAgain)
      if (Exit.isFailure(checked)) {
        wasWell = false
        return yield* noteFault(checked.cause)
      }
      databaseUp(1)
      if (!wasWell) yield* Effect.logInfo("database works again")
      wasWell = true
    }),
    every: "10 seconds"
  })
})

/** Looks at the file more often, because everything that is sold after its deletion is lost. */
const looking = BackgroundJob.layer({
  name: "watch database file",
  run: Effect.flatMap(DatabaseHealth, ({ assertInPlace }) => Effect.catchCause(assertInPlace, noteFault)),
  every: "1 second"
})

/** Watches the database while the scope is open. */
export const watching = Layer.merge(checking, looking)
