import { SqliteClient, SqliteMigrator } from "@effect/sql-sqlite-node"
import { Cause, Data, Effect, FileSystem, Layer, Path, Predicate, Schedule } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError } from "effect/sql"
import { Settings } from "../Settings.ts"
import { accessAndMail } from "./migrations/0002_access_and_mail.ts"
import { idempotency } from "./migrations/0003_idempotency.ts"
import { auditNotes } from "./migrations/0004_audit_notes.ts"
import { keysAndCredits } from "./migrations/0001_keys_and_credits.ts"
import { orders } from "./migrations/0005_orders.ts"

/** The database cannot serve for now: locked, full, read-only or out of reach. A defect after which a retry may work. */
export class DatabaseUnavailable extends Data.TaggedError("DatabaseUnavailable")<{
  readonly cause: SqlError.SqlError
}> {
  override get message() {
    return "The database cannot be used for now: it is locked by another process, full, or read-only"
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

const isOutage = ({ reason }: SqlError.SqlError): boolean =>
  reason._tag !== "ConstraintError" && reason._tag !== "UniqueViolation" && reason._tag !== "SqlSyntaxError"

/** The defect that a failed statement is: DatabaseUnavailable for an outage, else the error itself, which is a bug. */
export const toDefect = (error: SqlError.SqlError) =>
  Effect.die(isOutage(error) ? new DatabaseUnavailable({ cause: error }) : error)

const isLocked = (error: unknown) => SqlError.isSqlError(error) && error.reason._tag === "LockTimeoutError"

/** How long another process's lock is waited for: about 2 seconds. */
const whileLocked = { schedule: Schedule.spaced("50 millis"), times: 40 }

/** Tries again while another process holds the write lock. */
export const waitForLock = <A, E, R>(effect: Effect.Effect<A, E | SqlError.SqlError, R>) =>
  Effect.retry(effect, { while: isLocked, ...whileLocked })

/** Runs statements whose failure no caller can act on. */
export const orDefect = <A, R>(effect: Effect.Effect<A, SqlError.SqlError, R>): Effect.Effect<A, never, R> =>
  Effect.catch(effect, (error) => (isLocked(error) ? Effect.catch(waitForLock(effect), toDefect) : toDefect(error)))

/** What must hold on the connection: every commit is on disk before it is answered, and references are checked. */
const pragmas = [
  // A wait inside SQLite holds up the whole process; `orDefect` waits outside of it.
  { name: "busy_timeout", value: "5", reads: 5 },
  { name: "foreign_keys", value: "ON", reads: 1 },
  { name: "synchronous", value: "FULL", reads: 2 },
  // In pages: those that change with each commit are written back once for many.
  { name: "wal_autocheckpoint", value: "4000", reads: 4000 }
]

/** Sets the pragmas and reads them back. Fails with DatabaseUnusable where one of them does not hold. */
const assertPragmas = Effect.fnUntraced(function* (file: string) {
  const sql = yield* SqlClient.SqlClient
  const read = (name: string) =>
    Effect.map(sql<Record<string, unknown>>`PRAGMA ${sql.literal(name)}`, (rows) => Object.values(rows[0] ?? {})[0])
  for (const { name, reads, value } of pragmas) {
    yield* sql`PRAGMA ${sql.literal(`${name} = ${value}`)}`
    const actual = yield* read(name)
    if (actual !== reads) {
      return yield* new DatabaseUnusable({ reason: `SQLite has ${name} = ${String(actual)} where ${reads} is needed` })
    }
  }
  // A database in memory has no write-ahead log, and nothing to keep after a crash.
  const journal = yield* read("journal_mode")
  if (journal !== "wal" && file !== ":memory:") {
    return yield* new DatabaseUnusable({ reason: `SQLite has journal_mode = ${String(journal)} where wal is needed` })
  }
})

/** The code of a lock that another process holds: SQLITE_BUSY. */
const isBusy = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return Predicate.hasProperty(error, "errcode") && error.errcode === 5
}

/** Opens a file. The driver throws where that fails; another process may be opening or closing it at this moment. */
const open = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (file !== ":memory:") yield* files.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
  return yield* SqliteClient.make({ filename: file }).pipe(
    Effect.sandbox,
    Effect.retry({ while: isBusy, ...whileLocked }),
    Effect.catch(Effect.failCause)
  )
})

const prepare = Effect.fnUntraced(function* (file: string) {
  yield* assertPragmas(file)
  yield* SqliteMigrator.run({
    loader: SqliteMigrator.fromRecord({
      "0001_keys_and_credits": keysAndCredits,
      "0002_access_and_mail": accessAndMail,
      "0003_idempotency": idempotency,
      "0004_audit_notes": auditNotes,
      "0005_orders": orders
    })
  })
})

const connect = (file: string) =>
  Layer.effectDiscard(waitForLock(prepare(file))).pipe(
    Layer.provideMerge(Layer.effect(SqlClient.SqlClient, open(file))),
    Layer.provide(Reactivity.layer),
    Layer.catchCause((cause) =>
      Layer.effect(
        SqlClient.SqlClient,
        new DatabaseUnusable({ reason: `The database ${file} cannot be used: ${Cause.pretty(cause)}` })
      )
    )
  )

/** The SQL client on the configured database, its durability asserted and its migrations done. */
export const layer = Layer.unwrap(Effect.map(Settings, ({ databaseFile }) => connect(databaseFile)))
