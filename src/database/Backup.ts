import { DateTime, Effect, FileSystem, Option, Path, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { WorkProgress } from "../observability/WorkProgress.ts"
import { renameDurably, sync } from "./DurableFile.ts"
import { DatabaseUnusable, orUnusable } from "./Failures.ts"
import { appliedMigration, lastMigration } from "./Migrations.ts"
import { problemsOf, valuesOf } from "./Statements.ts"
import * as Sqlite from "./Sqlite.ts"

type Open = typeof Sqlite.openToBackUp

/** Writes a snapshot of a database to a file while others keep writing to it. */
const write = Effect.fnUntraced(function* (open: Open, database: string, file: string) {
  const sql = yield* open(database)
  yield* sql`BEGIN`
  // Inside a transaction with a read, the backup sees one snapshot; outside, it restarts after each commit of others.
  yield* sql`SELECT count(*) FROM sqlite_schema`
  yield* sql.backup(file)
  yield* sql`ROLLBACK`
}, Effect.scoped)

/** Reports how much of a database has been written to a file, while progress is shown. */
const reportSize = Effect.fnUntraced(function* (database: string, file: string) {
  const { isShown, report } = yield* WorkProgress
  if (!isShown) return yield* Effect.never
  const files = yield* FileSystem.FileSystem
  const sizeOf = (name: string) => Effect.map(files.stat(name), ({ size }) => Number(size))
  const total = yield* Effect.orElseSucceed(sizeOf(database), () => 0)
  const reportSize = Effect.map(sizeOf(file), (done) => report({ work: "Copying the pages", done, total }))
  return yield* Effect.forever(Effect.andThen(Effect.ignore(reportSize), Effect.sleep("100 millis")))
})

/** Fails with DatabaseUnusable if a page is corrupt, or an index does not match its table. */
const assertIntegrity = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const problems = yield* problemsOf(sql`PRAGMA integrity_check(10)`)
  if (problems.length > 0) {
    return yield* new DatabaseUnusable({ reason: `The copy is corrupt and was deleted: ${problems.join("; ")}` })
  }
})

/** Counts the rows of all tables. */
const countRows = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const tables = yield* valuesOf(
    Schema.String,
    sql`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
  )
  let rows = 0
  for (const name of tables) {
    const [count = 0] = yield* valuesOf(Schema.Int, sql`SELECT count(*) FROM ${sql(name)}`)
    rows += count
  }
  return rows
})

/** The numbers of the last migration applied to a backup, and of the last one of this version. */
export interface Migrated {
  readonly applied: number
  readonly known: number
}

/** Checks a backup by `check`, unless it has the tables of an older version, and makes it a single file without a log. */
const inspect = Effect.fnUntraced(function* <A, E, R>(file: string, check: Effect.Effect<A, E, R>) {
  const sql = yield* Sqlite.openToBackUp(file)
  yield* sql`PRAGMA journal_mode = DELETE`
  yield* sql`PRAGMA query_only = ON`
  const progress = yield* WorkProgress
  progress.report({ work: "Checking the pages" })
  yield* assertIntegrity(sql)
  progress.report({ work: "Counting the rows" })
  const migrations: Migrated = {
    applied: yield* Effect.provideService(appliedMigration, SqlClient.SqlClient, sql),
    known: yield* lastMigration
  }
  return {
    rows: yield* countRows(sql),
    migrations,
    // Older tables may lack what the check needs.
    report:
      migrations.applied < migrations.known
        ? Option.none<A>()
        : Option.some(yield* Effect.provideService(check, SqlClient.SqlClient, sql))
  }
}, Effect.scoped)

const exists = (name: string) => FileSystem.FileSystem.use((files) => files.exists(name))

const refuseIfThere = Effect.fnUntraced(function* (name: string, advice: string) {
  if (yield* exists(name)) return yield* new DatabaseUnusable({ reason: `${name} already exists; ${advice}` })
})

/**
 * Copies a SQLite database that may be in use to a new file, and checks it; `makeRoom` runs before it gets its name,
 * once it is complete, checked and on disk. A failure deletes the copy.
 */
const copyChecked = Effect.fnUntraced(function* <A, E, R, B, E2, R2>(
  open: Open,
  database: string,
  file: string,
  check: Effect.Effect<A, E, R>,
  makeRoom: Effect.Effect<B, E2, R2>
) {
  const files = yield* FileSystem.FileSystem
  const part = `${file}.part`
  const discard = Effect.forEach([part, `${part}-journal`, `${part}-wal`, `${part}-shm`], (name) =>
    Effect.ignore(files.remove(name, { force: true }))
  )
  yield* refuseIfThere(part, "another command is writing it, or one was interrupted: then delete it")
  // Created first, so that only its owner can read it from the start.
  yield* Effect.scoped(files.open(part, { flag: "wx", mode: 0o600 }))
  return yield* Effect.gen(function* () {
    yield* Effect.raceFirst(write(open, database, part), reportSize(database, part))
    const seen = yield* inspect(part, check)
    yield* sync(part, "r+")
    const room = yield* makeRoom
    yield* renameDurably(part, file)
    return { ...seen, room, bytes: Number((yield* files.stat(file)).size) }
  }).pipe(Effect.onError(() => discard))
})

/**
 * Backs up a SQLite database that is in use. The file gets its final name once it is complete, checked and on disk.
 * Fails with DatabaseUnusable, also if the file exists or a newer version created the tables.
 */
export const backup = Effect.fn("Backup.backup")(function* <A, E, R>(
  database: string,
  file: string,
  check: Effect.Effect<A, E, R>
) {
  const path = yield* Path.Path
  const folder = path.dirname(file)
  if (!(yield* exists(folder))) return yield* new DatabaseUnusable({ reason: `There is no folder ${folder}` })
  const refuse = refuseIfThere(file, "choose another name")
  yield* refuse
  return yield* copyChecked(Sqlite.openToBackUp, database, file, check, refuse).pipe(orUnusable("The backup failed"))
})

/**
 * Replaces a database by a backup, and sets the old files aside. Fails with DatabaseUnusable, without changing
 * anything, if the database is in use, or if the backup is corrupt or `check` fails.
 */
export const restore = Effect.fn("Backup.restore")(function* <A, E, R>(
  from: string,
  database: string,
  check: Effect.Effect<A, E, R>
) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (!(yield* files.exists(from))) return yield* new DatabaseUnusable({ reason: `There is no file ${from}` })
  yield* Sqlite.makeFolder(path.dirname(path.resolve(database)))
  const isThere = files.exists(database)
  if (yield* isThere) {
    if ((yield* files.realPath(from)) === (yield* files.realPath(database))) {
      return yield* new DatabaseUnusable({ reason: `${from} is the database itself; name a backup` })
    }
  }
  const refuse = Effect.gen(function* () {
    if (!(yield* Sqlite.isHeld(database))) return
    const reason = `The database ${database} is in use by another process, such as the service. Stop that first`
    return yield* new DatabaseUnusable({ reason })
  })
  yield* refuse
  const now = DateTime.formatIso(yield* DateTime.now).replaceAll(/[:.]/g, "-")
  const aside = `${database}.replaced-${now}`
  const setAside = Effect.gen(function* () {
    yield* refuse
    // The database may belong to the user of the service while root runs this command.
    const owned = (yield* isThere) ? database : path.dirname(path.resolve(database))
    const { gid, uid } = yield* files.stat(owned)
    if (Option.isSome(uid) && Option.isSome(gid)) {
      yield* Effect.ignore(files.chown(`${database}.part`, uid.value, gid.value))
    }
    // First the file itself: the service does not start with a log alone.
    const moved = yield* Effect.filter(["", "-wal", "-shm", "-journal"], (end) => files.exists(database + end))
    yield* Effect.forEach(moved, (end) => files.rename(database + end, aside + end))
    return moved.map((end) => aside + end)
  })
  return yield* copyChecked(Sqlite.openBackup, from, database, check, setAside).pipe(orUnusable("The restore failed"))
})
