import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/** What an operator notes beside a change, as the reason for credits. */
export const auditNotes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = dialectOf(sql)
  yield* sql`ALTER TABLE audit_log ADD COLUMN note ${text}`
})
