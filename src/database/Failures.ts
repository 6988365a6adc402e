import { Cause, Context, Effect, Layer, Predicate, Schedule, Schema, Struct } from "effect"
import { SqlClient, SqlError, Statement } from "effect/sql"
import { makeRepeatedFailure } from "../observability/BackgroundJob.ts"

/** Not by hand: SQLite would apply the old file's write-ahead log to the backup, and corrupt it. */
const restore = "run outreach-forecast database restore FILE with the last backup"

/** The faults of a database, and a schema that is too new, with their remedies. */
export const databaseFaults = {
  full: "its disk is full. Free some space; the service recovers automatically",
  locked: "another process holds its lock. Wait for that process, or stop it",
  damaged: `its file is damaged, was deleted or replaced while it was in use, or the write-ahead log next to it belongs to another file. Stop the service and put the file back; otherwise ${restore}. Then start again`,
  unreachable:
    "it does not respond, or cannot be read or written. Check the database server and the network, or the disk of its file and whether the user that runs the service may write to it and its folder",
  newer:
    "its schema was created by a newer version of this service. Start that version, or restore a backup from before the update"
} as const

export const DatabaseFault = Schema.Literals(Struct.keys(databaseFaults))
export type DatabaseFault = typeof DatabaseFault.Type

/** By SQLite's result codes, primary and extended (sqlite.org/rescode.html). */
const bySqliteCode: ReadonlyMap<number, DatabaseFault> = new Map([
  [5, "locked"],
  [6, "locked"],
  [11, "damaged"],
  [13, "full"],
  [17, "newer"],
  [26, "damaged"],
  // SQLITE_READONLY_DBMOVED
  [1032, "damaged"]
])

/** By Postgres' error codes (appendix A of its manual). */
const byPostgresCode: ReadonlyMap<string, DatabaseFault> = new Map([
  ["53100", "full"],
  ["55P03", "locked"],
  ["XX001", "damaged"],
  ["XX002", "damaged"],
  ["42P01", "newer"],
  ["42703", "newer"]
])

/** An error and its causes, at most ten. */
const causesOf = (error: unknown) => {
  const causes: Array<Readonly<Record<PropertyKey, unknown>>> = []
  for (let each = error; Predicate.isObject(each) && causes.length < 10; each = each["cause"]) causes.push(each)
  return causes
}

/** Classifies an error by its own code or those of its causes; `unreachable` if none is known. */
const faultOf = (error: unknown): DatabaseFault => {
  for (const each of causesOf(error)) {
    const { code, errcode, message } = each
    const fault =
      Predicate.isNumber(errcode) && errcode !== 1
        ? (bySqliteCode.get(errcode) ?? bySqliteCode.get(errcode & 0xff))
        : byPostgresCode.get(String(code))
    if (fault !== undefined) return fault
    // SQLite has no code of its own for it.
    if (errcode === 1 && /no such (?:table|column)|has no column/.test(String(message))) return "newer"
    if (each["_tag"] === "LockTimeoutError") return "locked"
  }
  return "unreachable"
}

/**
 * The database is unavailable: locked, full, unreachable and so on. A defect; a retry may succeed. Either a statement
 * failed (`cause`), or a check found the fault before any statement did (`seen`).
 */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  cause: Schema.optionalKey(SqlError.SqlError),
  seen: Schema.optionalKey(DatabaseFault)
}) {
  readonly fault = this.seen ?? faultOf(this.cause)
  override get message() {
    return `The database is unavailable: ${databaseFaults[this.fault]}`
  }
}

/** The database cannot be used as configured, for the given reason. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  reason: Schema.String
}) {
  override get message() {
    return this.reason
  }
}

/** The reason why a database cannot be copied; completes a sentence about it. */
export const inUse =
  "is in use by another process, such as the service. Stop that first: anything it writes during the copy would be missing"

/** The messages of an error and of its causes, each once. */
export const explain = (error: unknown): string => {
  const messages = causesOf(error).flatMap(({ message }) =>
    Predicate.isString(message) && message !== "" ? message : []
  )
  return messages.length === 0 ? String(error) : [...new Set(messages)].join(": ")
}

/** Turns a failed statement into DatabaseUnusable; `what` begins its message. */
export const orUnusable =
  (what: string) =>
  <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) => {
    const fail = (error: SqlError.SqlError) => new DatabaseUnusable({ reason: `${what}: ${explain(error)}` })
    return effect.pipe(
      Effect.catchIf(
        (error: E | SqlError.SqlError) => SqlError.isSqlError(error),
        (error) => Effect.fail(fail(error))
      ),
      Effect.catchDefect((defect) => (SqlError.isSqlError(defect) ? Effect.fail(fail(defect)) : Effect.die(defect)))
    )
  }

/** Explains why a database is unusable, with the remedy if the fault is known. */
export const explainUnusable = (error: unknown): string => {
  const fault = faultOf(error)
  return fault === "unreachable" ? explain(error) : `${explain(error)}: ${databaseFaults[fault]}`
}

/**
 * Classifies the failure of a statement: the database is unavailable, a concurrent transaction interfered, or there is
 * a bug.
 */
const classify = ({ reason }: SqlError.SqlError): "outage" | "serializationFailure" | "bug" => {
  switch (reason._tag) {
    case "SerializationError":
    case "DeadlockError":
      return "serializationFailure"
    case "ConstraintError":
    case "UniqueViolation":
    case "SqlSyntaxError":
      return "bug"
    default:
      return "outage"
  }
}

/** Dies with DatabaseUnavailable for an outage, and with the error itself for a serialization failure or a bug. */
export const toDefect = (error: SqlError.SqlError) =>
  Effect.die(classify(error) === "outage" ? new DatabaseUnavailable({ cause: error }) : error)

/**
 * True if a transaction on Postgres failed because of a concurrent one, so that it may succeed when retried from the
 * start. If the other one inserted the same value first, the failure is a unique violation.
 */
export const isSerializationFailure = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return (
    SqlError.isSqlError(error) &&
    (classify(error) === "serializationFailure" || error.reason._tag === "UniqueViolation")
  )
}

/** The reason of a transaction's final failure: DatabaseUnavailable after an outage, or conflicts in every retry. */
export const orUnavailable = <E>(cause: Cause.Cause<E>): Cause.Cause<E> => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && classify(error) !== "bug"
    ? Cause.die(new DatabaseUnavailable({ cause: error }))
    : cause
}

/** The codes of network errors, and of a Postgres server that is starting, stopping, or out of connections. */
const awayCodes = new Set(
  "ECONNREFUSED ECONNRESET EHOSTUNREACH ENETUNREACH ETIMEDOUT EPIPE ENOENT ENOTFOUND EAI_AGAIN 57P01 57P03 53300".split(
    " "
  )
)

/** True if a database server cannot be reached now, but may be later. A silent server leaves no code. */
export const isAway = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const code = causesOf(error)
    .map(({ code }) => code)
    .find(Predicate.isString)
  return code === undefined ? error.reason._tag === "ConnectionError" : awayCodes.has(code)
}

/** True if a pooler in front of Postgres refused a connection because of one of its startup parameters. */
export const isParameterRefused = (error: unknown): boolean => /unsupported startup parameter/.test(explain(error))

/** True if a statement failed because another process holds a lock. */
export const isLocked = (error: unknown) => SqlError.isSqlError(error) && error.reason._tag === "LockTimeoutError"

/** Retries for a lock that another process holds: for about 2 seconds. */
export const whileLocked = { schedule: Schedule.spaced("50 millis"), times: 40 }

/** Retries while another process holds the write lock. */
export const waitForLock = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.retry(effect, { while: isLocked, ...whileLocked })

/** Turns failures of statements into defects, since no caller can act on them. */
export const orDefect = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.catch(effect, (error) => (isLocked(error) ? Effect.catch(waitForLock(effect), toDefect) : toDefect(error)))

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

const makeNotes = (isNewer: Effect.Effect<boolean, SqlError.SqlError>): FaultNotes => {
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
      const reason = cause === undefined ? {} : { reason: explain(cause) }
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
  defaultValue: () => makeNotes(Effect.succeed(false))
})

/**
 * A log for the application on a database. From the time when a newer version is found to have migrated it, or its file
 * to be damaged or gone, every statement of the application dies with DatabaseUnavailable, whoever runs it: its writes
 * could damage what the newer version has stored, or be lost.
 */
export const faultLogLayer = (isNewer: Effect.Effect<boolean, SqlError.SqlError, SqlClient.SqlClient>) =>
  Layer.unwrap(
    Effect.map(SqlClient.SqlClient, (sql) => {
      const faults = makeNotes(
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
