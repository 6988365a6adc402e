import { Context, Effect, Schema } from "effect"
import { Migrator, SqlClient, type SqlError } from "effect/sql"
import { dialectOf, valuesOf } from "./Statements.ts"
import { databaseFaults, DatabaseUnusable } from "./Failures.ts"
import { tables } from "./migrations/0011_tables.ts"
import { audits } from "./migrations/0012_audits.ts"

/**
 * The purpose that a database is opened for. `serve` creates it and runs its migrations. `change`, `read` and `move`
 * require the schema of this version, and `inspect` an installation of any version. Only `serve` and `change` can
 * write, and only `move` locks others out, for the source of a copy.
 */
export type AccessMode = "serve" | "change" | "read" | "move" | "inspect"

export const isReadOnly = (mode: AccessMode): boolean => mode !== "serve" && mode !== "change"

/**
 * The number of the migration that creates all tables. Before it there were ten others, which changed the tables of
 * versions that were never released.
 */
const firstMigration = 11

/** The last commit with these ten, which can bring an earlier database up to date. */
const lastWithEarlier = "fb6428b7"

/** The migrations by number and name; each runs on SQLite and on Postgres. A test of migrating adds another one. */
export const Migrations = Context.Reference<
  Readonly<Record<string, Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>>>
>("outreach-forecast/database/Migrations", { defaultValue: () => ({ "0011_tables": tables, "0012_audits": audits }) })

/** The migrations, in order. */
export const migrations = Effect.flatMap(Migrations, Migrator.fromRecord)

/** The number of the last migration of this version. */
export const lastMigration = Effect.map(Migrations, (all) =>
  Math.max(...Object.keys(all).map((name) => Number.parseInt(name, 10)))
)

/** The number of the last migration applied to the database. */
export const appliedMigration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [newest = 0] = yield* valuesOf(
    Schema.Int,
    sql`SELECT coalesce(max(migration_id), 0) FROM effect_sql_migrations`
  )
  return newest
})

/** True if a newer version of this service has migrated the database: its schema may be incompatible. */
export const isNewer = Effect.zipWith(appliedMigration, lastMigration, (applied, last) => applied > last)

/** Fails with DatabaseUnusable if a newer version of this service has migrated the database. */
export const assertNotNewer = Effect.gen(function* () {
  if (yield* isInstalled) {
    if (yield* isNewer) return yield* new DatabaseUnusable({ reason: databaseFaults.newer })
  }
})

/**
 * True if the database has the tables of this service. Fails with DatabaseUnusable if they were created before the first
 * release, by migrations that no longer exist.
 */
const isInstalled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* dialectOf(sql).isPostgres
    ? sql`SELECT 1 WHERE to_regclass('credit_ledger') IS NOT NULL`
    : sql`SELECT 1 FROM sqlite_schema WHERE name = 'credit_ledger'`
  if (found.length === 0) return false
  const [first = "tables"] = yield* valuesOf(
    Schema.String,
    sql`SELECT name FROM effect_sql_migrations WHERE migration_id = 1`
  )
  if (first !== "tables") {
    return yield* new DatabaseUnusable({
      reason:
        "its tables were created before the first release, and cannot be updated. Name a new database in DATABASE_URL, or start the version that created them"
    })
  }
  const applied = yield* appliedMigration
  if (applied < firstMigration) {
    return yield* new DatabaseUnusable({
      reason: `its schema is at migration ${applied}, from before the first release. Run serve of commit ${lastWithEarlier} on it once, which brings it to migration ${firstMigration}; nothing was changed`
    })
  }
  return true
})

/**
 * Fails with DatabaseUnusable if the database has no tables of this service: it is new, or belongs to something else.
 */
export const assertInstalled = Effect.gen(function* () {
  if (!(yield* isInstalled)) {
    return yield* new DatabaseUnusable({ reason: "it has no tables of this service; only serve creates them" })
  }
})

/** Fails with DatabaseUnusable unless the database has the tables of this version: only `serve` migrates. */
export const assertCurrent = Effect.gen(function* () {
  yield* assertInstalled
  yield* assertNotNewer
  const [applied, last] = yield* Effect.all([appliedMigration, lastMigration])
  if (applied < last) {
    return yield* new DatabaseUnusable({
      reason: `it has ${applied} of ${last} migrations; start the service first: only serve migrates`
    })
  }
})
