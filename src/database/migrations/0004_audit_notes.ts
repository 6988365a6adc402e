import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What an operator notes beside a change, as the reason for credits. */
export const auditNotes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`ALTER TABLE audit_log ADD COLUMN note TEXT`
})
