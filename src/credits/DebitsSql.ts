import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import type { KeyId } from "../KeyId.ts"
import { debitsInOneStatement } from "./DebitsInOneStatementSql.ts"
import { debitsInSteps } from "./DebitsInStepsSql.ts"
import { keysOf, type MakeDebits } from "./DebitRowsSql.ts"

/** Debits in a database: `lock` and `debit` of the ledger. */
interface Debits {
  readonly lock: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<void, SqlError.SqlError>
  readonly debit: MakeDebits
}

/** Creates the debits of a database. SQLite has only one writing transaction at a time, so there is nothing to lock. */
export const makeDebits = (sql: SqlClient.SqlClient): Debits => {
  const { isPostgres, tableOf } = dialectOf(sql)
  const inSteps = debitsInSteps(sql)
  if (!isPostgres) return { lock: () => Effect.void, debit: inSteps }
  const inOneStatement = debitsInOneStatement(sql)
  return {
    // In the order of the keys, so that two batches with the same keys cannot deadlock.
    lock: (keyIds) =>
      Effect.asVoid(sql`
        SELECT b.key_id FROM ${tableOf(keysOf(keyIds), "asked", { key_id: "text" })}
        JOIN credit_balances b ON b.key_id = asked.key_id ORDER BY b.key_id FOR UPDATE OF b`),
    debit: (debits, time) =>
      debits.every(({ cost }) => cost === 1) ? inOneStatement(debits, time) : inSteps(debits, time)
  }
}
