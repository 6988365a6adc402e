import { Context, Effect, Layer } from "effect"
import { SqlClient, SqlError, Statement } from "effect/sql"
import { makeRepeatedFailure } from "../observability/BackgroundJob.ts"
import type { DatabaseFault } from "./DatabaseFault.ts"
import { DatabaseUnavailable } from "./Failures.ts"
import { isNewer } from "./Migrations.ts"

interface FaultNotes {
  /** Logs a failure, or counts it if one with the same fault was logged within the last minute. */
  readonly note: (failure: DatabaseUnavailable) => Effect.Effect<void>
  /** Stops all statements until the next start: damage does not heal by itself. */
  readonly noteDamage: Effect.Effect<void>
  /**
   * Checks whether a newer version of this service has migrated the database since it was opened, and keeps the result.
   */
  readonly lookForNewer: Effect.Effect<boolean, SqlError.SqlError>
  /** The fault because of which no statement is run: damage, or the result of the last check for a newer version. */
  readonly stoppedBy: () => "damaged" | "newer" | undefined
  /** Finds the fault behind an error that looks like a bug: a statement may not fit the schema of a newer version. */
  readonly explain: (error: unknown) => Effect.Effect<DatabaseUnavailable | undefined>
}

const make = (isNewer: Effect.Effect<boolean, SqlError.SqlError>): FaultNotes => {
  const notes = new Map<DatabaseFault, ReturnType<typeof makeRepeatedFailure>>()
  let isDamaged = false
  let wasNewer = false
  const lookForNewer = Effect.tap(isNewer, (found) =>
    Effect.sync(() => {
      wasNewer = found
    })
  )
  return {
    note: Effect.fnUntraced(function* ({ cause, fault, message }: DatabaseUnavailable) {
      if (fault === "damaged") isDamaged = true
      const failed = notes.get(fault) ?? makeRepeatedFailure()
      notes.set(fault, failed)
      const reason = cause === undefined ? {} : { reason: cause.message }
      yield* failed((count) => Effect.annotateLogs(Effect.logError(message), { fault, count, ...reason }))
    }),
    noteDamage: Effect.sync(() => {
      isDamaged = true
    }),
    lookForNewer,
    stoppedBy: () => (isDamaged ? "damaged" : wasNewer ? "newer" : undefined),
    explain: Effect.fnUntraced(function* (error: unknown) {
      if (error instanceof DatabaseUnavailable) return error
      if (!SqlError.isSqlError(error)) return undefined
      // If the check fails, the error is treated as a bug.
      const found = yield* Effect.orElseSucceed(lookForNewer, () => false)
      return found ? new DatabaseUnavailable({ seen: "newer" }) : undefined
    })
  }
}

/** Failures of the database: each kind of fault is logged immediately, and then once per minute with its count. */
export const FaultLog = Context.Reference<FaultNotes>("outreach-forecast/database/FaultLog", {
  defaultValue: () => make(Effect.succeed(false))
})

/**
 * A log for the application on a database. From the time when a newer version is found to have migrated it, or its file
 * to be damaged or gone, every statement of the application dies with DatabaseUnavailable, whoever runs it: its writes
 * could damage what the newer version has stored, or be lost.
 */
export const faultLogLayer = Layer.unwrap(
  Effect.map(SqlClient.SqlClient, (sql) => {
    const faults = make(
      isNewer.pipe(
        Effect.provideService(SqlClient.SqlClient, sql),
        Effect.provideService(Statement.CurrentTransformer, undefined)
      )
    )
    return Layer.mergeAll(
      Layer.succeed(FaultLog, faults),
      Layer.succeed(Statement.CurrentTransformer, (statement) => {
        const seen = faults.stoppedBy()
        return seen === undefined ? Effect.succeed(statement) : Effect.die(new DatabaseUnavailable({ seen }))
      })
    )
  })
)
