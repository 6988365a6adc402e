import { Cause, Data, Effect, Predicate, Schedule } from "effect"
import { SqlError } from "effect/sql"

/** The database cannot serve for now: locked, full, read-only or out of reach. A defect after which a retry may work. */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{
  readonly cause: SqlError.SqlError
}> {
  override get message() {
    return "The database cannot be used for now: it is out of reach, locked by another process, full, or read-only"
  }
}

/** The database cannot be used at all as it is configured; `reason` says why. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly reason: string
}> {
  override get message() {
    return this.reason
  }
}

/** What went wrong, in the words of an error and of those that it wraps, each once. */
export const explain = (error: unknown): string => {
  const messages = new Set<string>()
  for (let each = error; Predicate.isObject(each) && messages.size < 10; each = each["cause"]) {
    if (Predicate.isString(each["message"]) && each["message"] !== "") messages.add(each["message"])
  }
  return messages.size === 0 ? String(error) : [...messages].join(": ")
}

/** Makes DatabaseUnusable of a statement that failed; `what` begins its sentence. */
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

/** What a failed statement means: that the database is out, that two transactions met, or that there is a bug. */
const meaningOf = ({ reason }: SqlError.SqlError): "outage" | "conflict" | "bug" => {
  switch (reason._tag) {
    case "SerializationError":
    case "DeadlockError":
      return "conflict"
    case "ConstraintError":
    case "UniqueViolation":
    case "SqlSyntaxError":
      return "bug"
    default:
      return "outage"
  }
}

/** The defect that a failed statement is: DatabaseUnavailable, or the error itself where it is a conflict or a bug. */
export const toDefect = (error: SqlError.SqlError) =>
  Effect.die(meaningOf(error) === "outage" ? new DatabaseUnavailable({ cause: error }) : error)

/**
 * Whether a transaction on Postgres failed because another one changed what it stood on, so that it may go well when it is
 * run again from its start. A value that another one has written first shows as a unique violation.
 */
export const isConflict = (cause: Cause.Cause<unknown>): boolean => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && (meaningOf(error) === "conflict" || error.reason._tag === "UniqueViolation")
}

/** What is left of a transaction that failed: an outage, or a conflict that never ended, is DatabaseUnavailable. */
export const orUnavailable = <E>(cause: Cause.Cause<E>): Cause.Cause<E> => {
  const error = Cause.squash(cause)
  return SqlError.isSqlError(error) && meaningOf(error) !== "bug"
    ? Cause.die(new DatabaseUnavailable({ cause: error }))
    : cause
}

const isLocked = (error: unknown) => SqlError.isSqlError(error) && error.reason._tag === "LockTimeoutError"

/** How long another process's lock is waited for: about 2 seconds. */
export const whileLocked = { schedule: Schedule.spaced("50 millis"), times: 40 }

/** Tries again while another process holds the write lock. */
export const waitForLock = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.retry(effect, { while: isLocked, ...whileLocked })

/** Runs statements whose failure no caller can act on. */
export const orDefect = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.catch(effect, (error) => (isLocked(error) ? Effect.catch(waitForLock(effect), toDefect) : toDefect(error)))
