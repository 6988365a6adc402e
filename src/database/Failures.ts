import { Cause, Effect, Predicate, Schedule, Schema } from "effect"
import { SqlError } from "effect/sql"
import { DatabaseFault, databaseFaults, explainFault, faultOf } from "./DatabaseFault.ts"

/**
 * The database is unavailable: locked, full, unreachable and so on. A defect; a retry may succeed. Either a statement failed
 * (`cause`), or a check found the fault before any statement did (`seen`).
 */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {
  cause: Schema.optionalKey(SqlError.SqlError),
  seen: Schema.optionalKey(DatabaseFault)
}) {
  readonly fault = this.seen ?? faultOf(this.cause)
  override get message() {
    return explainFault(this.fault)
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
  const messages = new Set<string>()
  for (let each = error; Predicate.isObject(each) && messages.size < 10; each = each["cause"]) {
    if (Predicate.isString(each["message"]) && each["message"] !== "") messages.add(each["message"])
  }
  return messages.size === 0 ? String(error) : [...messages].join(": ")
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

/** The cause of a transaction that failed for good: an outage, or serialization failures in every retry, is DatabaseUnavailable. */
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

/** The code of an error or of its causes, if there is one. */
const codeOf = (error: unknown): string | undefined => {
  for (let each = error, depth = 0; Predicate.isObject(each) && depth < 10; each = each["cause"], depth++) {
    if (Predicate.isString(each["code"])) return each["code"]
  }
  return undefined
}

/** True if a database server cannot be reached now, but may be later. A silent server leaves no code. */
export const isAway = (error: unknown): boolean => {
  if (!SqlError.isSqlError(error)) return false
  const code = codeOf(error)
  return code === undefined ? error.reason._tag === "ConnectionError" : awayCodes.has(code)
}

/** True if a statement failed because another process holds a lock. */
export const isLocked = (error: unknown) => SqlError.isSqlError(error) && error.reason._tag === "LockTimeoutError"

/** How long to wait for a lock that another process holds: about 2 seconds. */
export const whileLocked = { schedule: Schedule.spaced("50 millis"), times: 40 }

/** Retries while another process holds the write lock. */
export const waitForLock = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.retry(effect, { while: isLocked, ...whileLocked })

/** Turns failures of statements into defects, since no caller can act on them. */
export const orDefect = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.catch(effect, (error) => (isLocked(error) ? Effect.catch(waitForLock(effect), toDefect) : toDefect(error)))
