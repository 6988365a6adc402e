import { Effect, Schema } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { dialectOf, valuesOf } from "./Statements.ts"
import { databaseFaults, DatabaseUnusable } from "./Failures.ts"
import { tables } from "./migrations/0001_tables.ts"
import { subKeys } from "./migrations/0002_sub_keys.ts"
import { notices } from "./migrations/0003_notices.ts"
import { invoices } from "./migrations/0004_invoices.ts"
import { ledgerDays } from "./migrations/0005_ledger_days.ts"
import { disputes } from "./migrations/0006_disputes.ts"
import { erasableTexts } from "./migrations/0007_erasable_texts.ts"
import { openMails } from "./migrations/0008_open_mails.ts"
import { repeatedChanges } from "./migrations/0009_repeated_changes.ts"
import { mailLinks } from "./migrations/0010_mail_links.ts"
import { trialOrders } from "./migrations/0011_trial_orders.ts"

/**
 * What a database is opened for. `serve` creates it and runs its migrations. `change`, `read` and `move` require
 * the schema of this version, and `inspect` an installation of any version. Only `serve` and `change` can write, and
 * only `move` locks others out, for the source of a copy.
 */
export type AccessMode = "serve" | "change" | "read" | "move" | "inspect"

export const isReadOnly = (mode: AccessMode): boolean => mode !== "serve" && mode !== "change"

/** The migrations, in order; each runs on SQLite and on Postgres. */
const byName = {
  "0001_tables": tables,
  "0002_sub_keys": subKeys,
  "0003_notices": notices,
  "0004_invoices": invoices,
  "0005_ledger_days": ledgerDays,
  "0006_disputes": disputes,
  "0007_erasable_texts": erasableTexts,
  "0008_open_mails": openMails,
  "0009_repeated_changes": repeatedChanges,
  "0010_mail_links": mailLinks,
  "0011_trial_orders": trialOrders
}

export const migrations = Migrator.fromRecord(byName)

/** The number of the last migration of this version. */
export const lastMigration = Math.max(...Object.keys(byName).map((name) => Number.parseInt(name, 10)))

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
export const isNewer = Effect.map(appliedMigration, (applied) => applied > lastMigration)

/** Fails with DatabaseUnusable if a newer version of this service has migrated the database. */
export const assertNotNewer = Effect.gen(function* () {
  if (yield* isInstalled) {
    if (yield* isNewer) return yield* new DatabaseUnusable({ reason: databaseFaults.newer })
  }
})

/**
 * Fails with DatabaseUnusable if the tables were created before the first release, by migrations that no longer exist.
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
  const applied = yield* appliedMigration
  if (applied < lastMigration) {
    return yield* new DatabaseUnusable({
      reason: `it has ${applied} of ${lastMigration} migrations; start the service first: only serve migrates`
    })
  }
})
