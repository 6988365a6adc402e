import { DatabaseSync } from "node:sqlite"
import { SqliteClient, SqliteMigrator } from "@effect/sql-sqlite-node"
import { Cause, Effect, FileSystem, Layer, Path, type PlatformError, Predicate, Schema } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import { misfitOf, type SqliteSettings } from "../settings/DatabaseSettings.ts"
import { DatabaseFile, watchFile } from "./DatabaseFile.ts"
import { DatabaseUnusable, explain, explainUnusable, inUse, isLocked, waitForLock, whileLocked } from "./Failures.ts"
import {
  assertCurrent,
  assertInstalled,
  assertNotNewer,
  isReadOnly,
  migrations,
  type AccessMode
} from "./Migrations.ts"
import { columnNames, valuesOf } from "./Statements.ts"

/**
 * The settings that every connection needs: a commit is on disk before it returns, and foreign keys are enforced. Not
 * `mmap_size`, which saves a tenth of the time on a large file: an error of the disk would then end the process by a
 * signal (SIGBUS), where a statement fails and requests get 503, and so would a file that another process has truncated.
 */
export const pragmas = [
  // SQLite waits for a lock by blocking the whole process, so `orDefect` does most of the waiting instead.
  { name: "busy_timeout", value: "5", reads: 5 },
  { name: "foreign_keys", value: "ON", reads: 1 },
  { name: "synchronous", value: "FULL", reads: 2 },
  // In pages. A longer log means fewer checkpoints, which write back pages that every commit changes.
  { name: "wal_autocheckpoint", value: "4000", reads: 4000 },
  // In bytes. The log of a larger transaction, such as a migration, is truncated after it is written back.
  { name: "journal_size_limit", value: "67108864", reads: 67_108_864 },
  // In KiB. A debit reads about ten pages of its key: with the default of 2 MB, fifty busy keys among a million share
  // no page and push each other's out.
  { name: "cache_size", value: "-8000", reads: -8000 }
]

/** Sets the pragmas and reads them back. Fails with DatabaseUnusable if one of them did not take effect. */
const assertPragmas = Effect.fnUntraced(function* (file: string) {
  const sql = yield* SqlClient.SqlClient
  const read = (name: string) =>
    Effect.map(valuesOf(Schema.Unknown, sql`PRAGMA ${sql.literal(name)}`), ([value]) => value)
  for (const { name, reads, value } of pragmas) {
    yield* sql`PRAGMA ${sql.literal(`${name} = ${value}`)}`
    const actual = yield* read(name)
    if (actual !== reads) {
      return yield* new DatabaseUnusable({ reason: `SQLite has ${name} = ${String(actual)} where ${reads} is needed` })
    }
  }
  // A database in memory has no write-ahead log, and need not survive a crash.
  const journal = yield* read("journal_mode")
  if (journal !== "wal" && file !== ":memory:") {
    return yield* new DatabaseUnusable({ reason: `SQLite has journal_mode = ${String(journal)} where wal is needed` })
  }
})

/** True if another process holds the lock: SQLITE_BUSY. */
const isBusy = (cause: Cause.Cause<unknown>) => {
  const error = Cause.squash(cause)
  return Predicate.hasProperty(error, "errcode") && error.errcode === 5
}

/**
 * Opens a file, with retries while another process is opening or closing it. The driver throws its errors. It would turn
 * on the write-ahead log, which changes a file that may be refused.
 */
const open = (filename: string) =>
  SqliteClient.make({ ...columnNames, filename, disableWAL: true }).pipe(
    Effect.sandbox,
    Effect.retry({ while: isBusy, ...whileLocked }),
    Effect.catch(Effect.failCause)
  )

/** Fails with DatabaseUnusable for a write-ahead log without its file: creating the file would discard the log. */
const assertNoLogAlone = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const log = `${file}-wal`
  if (file === ":memory:" || (yield* files.exists(file)) || !(yield* files.exists(log))) return
  if (Number((yield* files.stat(log)).size) === 0) return
  return yield* new DatabaseUnusable({
    reason: `the file is gone, but its write-ahead log is still there. Restore the file. If it is lost, run outreach-forecast database restore FILE with the last backup; to start over, delete ${log}`
  })
})

/** Fails with DatabaseUnusable for a folder, whose mode must not be changed, and for a device or a socket. */
const assertFile = Effect.fnUntraced(function* (file: string) {
  const misfit = yield* misfitOf(file)
  if (misfit !== undefined) return yield* new DatabaseUnusable({ reason: `it ${misfit}` })
})

/**
 * Creates a folder and its parents one by one: Node's recursive option never returns if the disk is full. Another process
 * may create them at the same time.
 */
export const makeFolder = Effect.fnUntraced(function* (
  folder: string
): Effect.fn.Return<void, PlatformError.PlatformError | DatabaseUnusable, FileSystem.FileSystem | Path.Path> {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (yield* files.exists(folder)) return
  yield* makeFolder(path.dirname(folder))
  yield* files.makeDirectory(folder, { mode: 0o700 }).pipe(
    Effect.catchIf(
      ({ reason }) => reason._tag === "AlreadyExists",
      () => Effect.void
    ),
    Effect.mapError(() => new DatabaseUnusable({ reason: `there is no folder ${folder}, and it cannot be created` }))
  )
})

/**
 * Keeps other users out of the file, whatever its folder allows; SQLite gives the -wal and -shm files the same mode. A
 * new file is created with this mode; the mode of a file that belongs to another user is not changed.
 */
const keepPrivate = Effect.fnUntraced(function* (file: string) {
  // SQLite treats names that begin with "file:" as URIs.
  if (file === ":memory:" || file.startsWith("file:")) return
  const files = yield* FileSystem.FileSystem
  if (!(yield* files.exists(file))) {
    yield* Effect.scoped(files.open(file, { flag: "a", mode: 0o600 }))
  }
  for (const name of [file, `${file}-wal`, `${file}-shm`]) yield* Effect.ignore(files.chmod(name, 0o600))
})

/** Fails with DatabaseUnusable if the file does not exist: SQLite would create it. */
const assertThere = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (file === ":memory:") {
    return yield* new DatabaseUnusable({ reason: "it exists only in the memory of the running service" })
  }
  if (yield* files.exists(file)) return
  return yield* new DatabaseUnusable({
    reason: `there is no such file: ${path.resolve(file)}. Only serve creates a database; go to the folder of the service, or set DATABASE_URL`
  })
})

/** True if a file cannot be locked exclusively, because another process has it open. */
const isTaken = (file: string) =>
  Effect.sync(() => {
    const database = new DatabaseSync(file)
    try {
      database.exec("PRAGMA locking_mode = EXCLUSIVE; SELECT count(*) FROM sqlite_schema")
    } finally {
      database.close()
    }
    return false
  }).pipe(
    // A file that cannot be opened at all is reported later.
    Effect.catchCause((cause) => Effect.succeed(isBusy(cause)))
  )

/** Logs that another process has the file open, before this process opens it. */
export const noteIfShared = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  if (file === ":memory:" || !(yield* files.exists(file)) || !(yield* isTaken(file))) return
  const reason =
    "Another process has this file open: one more serve, or a command. They share it safely; each serve has its own limits per second and minute"
  yield* Effect.annotateLogs(Effect.logInfo("database shared"), { database: file, reason })
})

/**
 * True if another process has a file open. Changes neither the file nor its write-ahead log, which may belong to
 * another file: the check opens the file under another name, where SQLite does not find that log.
 */
export const isHeld = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  if (!(yield* files.exists(file))) return false
  const name = `${file}.look`
  const remove = Effect.forEach([name, `${name}-wal`, `${name}-shm`], (each) =>
    Effect.ignore(files.remove(each, { force: true }))
  )
  return yield* remove.pipe(
    Effect.andThen(files.link(file, name)),
    Effect.andThen(isTaken(name)),
    Effect.ensuring(remove)
  )
})

const openToServe = Effect.fnUntraced(function* (file: string) {
  const path = yield* Path.Path
  yield* assertFile(file)
  if (file !== ":memory:") yield* makeFolder(path.dirname(path.resolve(file)))
  yield* assertNoLogAlone(file)
  yield* keepPrivate(file)
  return yield* open(file)
})

/** Lets a new file shrink, before anything is written to it: enabling this later would require rewriting the file. */
const letShrink = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [pages] = yield* valuesOf(Schema.Int, sql`PRAGMA page_count`)
  if (pages === 0) yield* sql`PRAGMA auto_vacuum = INCREMENTAL`
})

const prepareToServe = Effect.fnUntraced(function* (file: string) {
  const sql = yield* SqlClient.SqlClient
  yield* assertNotNewer
  yield* letShrink
  yield* sql`PRAGMA journal_mode = WAL`
  yield* assertPragmas(file)
  yield* SqliteMigrator.run({ loader: migrations })
  // A statement with many rows keeps its changed pages until it ends, above 64 KiB in a file. After the migrations: the
  // index of a large table is sorted in a file.
  yield* sql`PRAGMA temp_store = MEMORY`
})

/** Opens the file of an installation for a command, without changing it: it may belong to something else. */
const openForCommand = Effect.fnUntraced(function* (file: string) {
  yield* assertThere(file)
  yield* assertFile(file)
  const sql = yield* open(file)
  // This process has nothing else to do, so SQLite may block it.
  yield* sql`PRAGMA busy_timeout = 2000`
  return sql
})

const prepareForCommand = Effect.fnUntraced(function* (file: string, mode: Exclude<AccessMode, "serve">) {
  const sql = yield* SqlClient.SqlClient
  if (mode === "move") yield* keepOthersOut(sql)
  if (isReadOnly(mode)) yield* sql`PRAGMA query_only = ON`
  yield* mode === "inspect" ? assertInstalled : assertCurrent
  if (isReadOnly(mode)) return
  // A restored backup that has not been served yet has no write-ahead log.
  yield* waitForLock(sql`PRAGMA journal_mode = WAL`)
  yield* assertPragmas(file)
})

/**
 * Locks the file until it is closed. Every process that has a file with a write-ahead log open holds a shared lock on
 * it, even while idle, so this fails with DatabaseUnusable; and none can open it later.
 */
const keepOthersOut = Effect.fnUntraced(
  function* (sql: SqlClient.SqlClient) {
    yield* sql`PRAGMA locking_mode = EXCLUSIVE`
    yield* sql`SELECT count(*) FROM sqlite_schema`
  },
  Effect.catchIf(isLocked, () => Effect.fail(new DatabaseUnusable({ reason: `it ${inUse}` })))
)

/** A SQL client on a file that is prepared for an access mode. */
export const layer = ({ file }: SqliteSettings, mode: AccessMode) =>
  Layer.effect(
    DatabaseFile,
    Effect.andThen(
      mode === "serve" ? waitForLock(prepareToServe(file)) : prepareForCommand(file, mode),
      file === ":memory:" ? Effect.sync(DatabaseFile.defaultValue) : watchFile(file)
    )
  ).pipe(
    Layer.provideMerge(Layer.effect(SqlClient.SqlClient, mode === "serve" ? openToServe(file) : openForCommand(file))),
    Layer.provide(Reactivity.layer)
  )

/** Opens the file of an installation, of this version or an older one. */
const openInstalled = Effect.fnUntraced(function* (file: string) {
  const sql = yield* openForCommand(file)
  yield* Effect.andThen(assertInstalled, assertNotNewer).pipe(Effect.provideService(SqlClient.SqlClient, sql))
  return sql
}, Effect.provide(Reactivity.layer))

/** Opens a database for a backup. */
export const openToBackUp = (file: string) =>
  Effect.catchCause(openInstalled(file), (cause) =>
    Effect.fail(
      new DatabaseUnusable({ reason: `The database ${file} cannot be used: ${explainUnusable(Cause.squash(cause))}` })
    )
  )

/** Opens a backup. If it is damaged, the remedy for a database, to restore one, does not help. */
export const openBackup = (file: string) =>
  Effect.catchCause(openInstalled(file), (cause) =>
    Effect.fail(
      new DatabaseUnusable({
        reason: `The backup ${file} cannot be used: ${explain(Cause.squash(cause))}. Choose another one; nothing was changed`
      })
    )
  )
