import { Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { dialectOf } from "./Dialect.ts"
import { DatabaseUnusable } from "./Failures.ts"
import { keysAndCredits } from "./migrations/0001_keys_and_credits.ts"
import { accessAndMail } from "./migrations/0002_access_and_mail.ts"
import { idempotency } from "./migrations/0003_idempotency.ts"
import { auditNotes } from "./migrations/0004_audit_notes.ts"
import { orders } from "./migrations/0005_orders.ts"
import { requestCounts } from "./migrations/0006_request_counts.ts"
import { ends } from "./migrations/0007_ends.ts"

/** The migrations, in order; each runs on SQLite and on Postgres. */
export const migrations = Migrator.fromRecord({
  "0001_keys_and_credits": keysAndCredits,
  "0002_access_and_mail": accessAndMail,
  "0003_idempotency": idempotency,
  "0004_audit_notes": auditNotes,
  "0005_orders": orders,
  "0006_request_counts": requestCounts,
  "0007_ends": ends
})

/**
 * Fails with DatabaseUnusable if the database has no tables of this service: it is new, or belongs to something else.
 */
export const assertInstalled = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const found = yield* dialectOf(sql).isPostgres
    ? sql`SELECT 1 WHERE to_regclass('credit_ledger') IS NOT NULL`
    : sql`SELECT 1 FROM sqlite_schema WHERE name = 'credit_ledger'`
  if (found.length === 0) return yield* new DatabaseUnusable({ reason: "it has no tables of this service" })
})
