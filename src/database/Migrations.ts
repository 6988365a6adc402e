import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { dialectOf } from "./Dialect.ts"
import { databaseFaults } from "./DatabaseFault.ts"
import { DatabaseUnusable } from "./Failures.ts"
import { keysAndCredits } from "./migrations/0001_keys_and_credits.ts"
import { accessAndMail } from "./migrations/0002_access_and_mail.ts"
import { idempotency } from "./migrations/0003_idempotency.ts"
import { auditNotes } from "./migrations/0004_audit_notes.ts"
import { orders } from "./migrations/0005_orders.ts"
import { requestCounts } from "./migrations/0006_request_counts.ts"
import { ends } from "./migrations/0007_ends.ts"
import { mailboxes } from "./migrations/0008_mailboxes.ts"
import { orderSecrets } from "./migrations/0009_order_secrets.ts"
import { accountSessions } from "./migrations/0010_account_sessions.ts"
import { retention } from "./migrations/0011_retention.ts"
import { orderMailboxes } from "./migrations/0012_order_mailboxes.ts"
import { ledgerChain } from "./migrations/0013_ledger_chain.ts"
import { monthOfBalance } from "./migrations/0014_month_of_balance.ts"

/** The migrations, in order; each runs on SQLite and on Postgres. */
const byName = {
  "0001_keys_and_credits": keysAndCredits,
  "0002_access_and_mail": accessAndMail,
  "0003_idempotency": idempotency,
  "0004_audit_notes": auditNotes,
  "0005_orders": orders,
  "0006_request_counts": requestCounts,
  "0007_ends": ends,
  "0008_mailboxes": mailboxes,
  "0009_order_secrets": orderSecrets,
  "0010_account_sessions": accountSessions,
  "0011_retention": retention,
  "0012_order_mailboxes": orderMailboxes,
  "0013_ledger_chain": ledgerChain,
  "0014_month_of_balance": monthOfBalance
}

export const migrations = Migrator.fromRecord(byName)

/** The number of the last migration that this version knows. */
export const lastMigration = Math.max(...Object.keys(byName).map((name) => Number.parseInt(name, 10)))

/** The number of the last migration that has run on the database. */
export const appliedMigration = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [found] = yield* sql<{ readonly newest: number | null }>`
    SELECT max(migration_id) AS newest FROM effect_sql_migrations`
  return found?.newest ?? 0
})

/** Whether a newer version of this service has migrated the database: what is in it may not be what is expected here. */
export const isNewer = Effect.map(appliedMigration, (applied) => applied > lastMigration)

/** Fails with DatabaseUnusable if a newer version of this service has migrated the database. */
export const assertNotNewer = Effect.gen(function* () {
  if (yield* isInstalled) {
    if (yield* isNewer) return yield* new DatabaseUnusable({ reason: databaseFaults.newer })
  }
})

const isInstalled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* dialectOf(sql).isPostgres
    ? sql`SELECT 1 WHERE to_regclass('credit_ledger') IS NOT NULL`
    : sql`SELECT 1 FROM sqlite_schema WHERE name = 'credit_ledger'`
  return found.length > 0
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
