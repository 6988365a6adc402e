import { statfs } from "node:fs/promises"
import { Context, Effect, FileSystem, Layer, Option, Path, Schema } from "effect"
import { SqlClient } from "effect/sql"
import type { DatabaseSettings } from "../settings/DatabaseSettings.ts"
import { WorkProgress } from "../observability/WorkProgress.ts"
import { connect } from "./Database.ts"
import { orUnusable } from "./Failures.ts"
import { appliedMigration, lastMigration } from "./Migrations.ts"
import { keylessMails } from "../Limits.ts"
import { hasTimeouts } from "./Postgres.ts"
import { counted } from "./RequestCounts.ts"
import { dialectOf, problemsOf, valuesOf } from "./Statements.ts"

/** The state of a database, found without changing it. Sizes are in bytes. */
export interface Inspection {
  /** Damage to its pages and indexes; empty on Postgres, which checks them itself. */
  readonly damage: ReadonlyArray<string>
  readonly migrations: { readonly applied: number; readonly known: number }
  /** False if Postgres does not end statements that take too long. */
  readonly hasTimeouts: boolean
  /** The time of the newest ledger entry, in milliseconds; 0 if there is none. */
  readonly newestEntryAt: number
  /** The emails for requests without a key in the current hour, by what they are counted as; refused ones included. */
  readonly keylessMails: { readonly [kind in keyof typeof keylessMails]: number }
  /** The sizes of the SQLite file and its write-ahead log, and the free space on their disk. */
  readonly disk: Option.Option<{ readonly file: number; readonly log: number; readonly free: number }>
}

const integrity = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const { report } = yield* WorkProgress
  report({ work: "Checking the pages" })
  return yield* problemsOf(sql`PRAGMA integrity_check(10)`)
})

const contents = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const bounded = dialectOf(sql).isPostgres ? yield* Effect.provideService(hasTimeouts, SqlClient.SqlClient, sql) : true
  const applied = yield* Effect.provideService(appliedMigration, SqlClient.SqlClient, sql)
  const [newestEntryAt = 0] = yield* valuesOf(Schema.Int, sql`SELECT coalesce(max(created_at), 0) FROM credit_ledger`)
  const mails = { first: yield* counted(sql, keylessMails.first), further: yield* counted(sql, keylessMails.further) }
  return {
    migrations: { applied, known: yield* lastMigration },
    hasTimeouts: bounded,
    newestEntryAt,
    keylessMails: mails
  }
})

const nothing = {
  migrations: { applied: 0, known: 0 },
  hasTimeouts: true,
  newestEntryAt: 0,
  keylessMails: { first: 0, further: 0 }
}

const sizes = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const sizeOf = (name: string) =>
    files.stat(name).pipe(
      Effect.map(({ size }) => Number(size)),
      Effect.orElseSucceed(() => 0)
    )
  const { bavail, bsize } = yield* Effect.promise(() => statfs(path.dirname(file)))
  return { file: yield* sizeOf(file), log: yield* sizeOf(`${file}-wal`), free: bavail * bsize }
})

/** Inspects a database that may be in use. Fails with DatabaseUnusable if it cannot be opened or has other tables. */
export const inspect = Effect.fn("Inspection.inspect")(
  function* (database: DatabaseSettings) {
    const sql = Context.get(yield* Layer.build(connect(database, "inspect")), SqlClient.SqlClient)
    const isFile = database.kind === "sqlite"
    const damage = isFile ? yield* integrity(sql) : []
    const disk = isFile ? Option.some(yield* sizes(database.file)) : Option.none()
    // Damaged data may not be readable.
    const found = damage.length > 0 ? nothing : yield* contents(sql)
    const inspection: Inspection = { ...found, damage, disk }
    return inspection
  },
  Effect.scoped,
  orUnusable("The database cannot be inspected")
)
