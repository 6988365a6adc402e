import { SqliteClient, SqliteMigrator } from "@effect/sql-sqlite-node"
import { Cause, Effect, FileSystem, Layer, Path, Predicate } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient } from "effect/sql"
import type { SqliteSettings } from "../settings/DatabaseSettings.ts"
import { DatabaseUnusable, explain, waitForLock, whileLocked } from "./Failures.ts"
import { assertInstalled, migrations } from "./Migrations.ts"

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
const open = (options: SqliteClient.SqliteClientConfig) =>
  SqliteClient.make(options).pipe(
    Effect.sandbox,
    Effect.retry({ while: isBusy, ...whileLocked }),
    Effect.catch(Effect.failCause)
  )

const makeFolder = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (file !== ":memory:") yield* files.makeDirectory(path.dirname(file), { recursive: true, mode: 0o700 })
})

/** SQLite would make a file that is not there. */
const assertThere = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  if (!(yield* files.exists(file))) return yield* new DatabaseUnusable({ reason: "there is no such file" })
})

const prepare = Effect.fnUntraced(function* (file: string, mayBeNew: boolean) {
  if (!mayBeNew) yield* assertInstalled
  yield* assertPragmas(file)
  yield* SqliteMigrator.run({ loader: migrations })
})

/** The SQL client on a file, its durability asserted and its migrations done; where it may not be new, some were before. */
export const layer = ({ file }: SqliteSettings, mayBeNew = true) =>
  Layer.effectDiscard(waitForLock(prepare(file, mayBeNew))).pipe(
    Layer.provideMerge(
      Layer.effect(
        SqlClient.SqlClient,
        Effect.andThen(mayBeNew ? makeFolder(file) : assertThere(file), open({ filename: file }))
      )
    ),
    Layer.provide(Reactivity.layer)
  )

/** A file of an installation as it is, whichever version has made it: nothing is migrated. */
export const openAsItIs = Effect.fnUntraced(
  function* (file: string) {
    yield* assertThere(file)
    const sql = yield* open({ filename: file, disableWAL: true })
    // Nobody else waits in this process.
    yield* sql`PRAGMA busy_timeout = 2000`
    yield* assertInstalled.pipe(Effect.provideService(SqlClient.SqlClient, sql))
    return sql
  },
  Effect.provide(Reactivity.layer),
  (opened, file) =>
    Effect.catchCause(opened, (cause) =>
      Effect.fail(
        new DatabaseUnusable({ reason: `The database ${file} cannot be used: ${explain(Cause.squash(cause))}` })
      )
    )
)
