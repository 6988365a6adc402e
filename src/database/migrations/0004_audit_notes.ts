import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Dialect.ts"

/** The operator's note on a change, such as the reason for an adjustment of credits. */
export const auditNotes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { text } = dialectOf(sql)
  yield* sql`ALTER TABLE audit_log ADD COLUMN note ${text}`
})
