import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../Statements.ts"

/**
 * The audit of the ledger, in one row: when the last one and the last whole one ended, and up to which entry; and the one
 * under way, with the instance that runs it. Keys are listed in the order of their creation.
 */
export const audits = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { integer, strict, text } = dialectOf(sql)
  yield* sql`
    CREATE TABLE ledger_audit (
      id ${integer} PRIMARY KEY CHECK (id = 1),
      ended_at ${integer} NOT NULL,
      whole_at ${integer} NOT NULL,
      audited_to ${integer} NOT NULL,
      faults ${integer} NOT NULL,
      progress ${text},
      newest_id ${integer} NOT NULL,
      instance ${text},
      held_until ${integer} NOT NULL
    )${strict}`
  yield* sql`
    INSERT INTO ledger_audit (id, ended_at, whole_at, audited_to, faults, newest_id, held_until)
    VALUES (1, 0, 0, 0, 0, 0, 0)`
  yield* sql`CREATE INDEX api_keys_created ON api_keys (created_at, id)`
})
