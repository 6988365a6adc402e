import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import type { KeyId } from "../KeyId.ts"
import type { Debit, Debited, DebitTime } from "./Ledger.ts"
import type { Balance } from "../Balance.ts"

/**
 * Creates `debit` of the ledger. The month next to a balance only advances; months that end and late forecasts are added to
 * `usage_months`: a statement that has waited for a balance does not see rows that others wrote there in the meantime, but
 * it does add to them.
 */
export type MakeDebits = (
  debits: ReadonlyArray<Debit>,
  time: DebitTime
) => Effect.Effect<ReadonlyArray<Debited>, SqlError.SqlError>

export interface BalanceRow {
  readonly balance: number
  readonly granted: number
}

export const toBalance = ({ balance, granted }: BalanceRow): Balance => ({ remaining: balance, granted })

/** A key before its debits; `requests` are its forecasts in their month. */
export interface KeyRow extends BalanceRow {
  readonly key_id: string
  readonly requests: number
}

/** Rows for a table of keys, each once. */
export const keysOf = (keyIds: ReadonlyArray<KeyId>) => [...new Set(keyIds)].map((keyId) => ({ key_id: keyId }))

/** Ids for new entries, in their order: once their balances are locked, so that those of a key grow. */
export const newEntryIds = (sql: SqlClient.SqlClient, count: number) =>
  dialectOf(sql).isPostgres
    ? sql<{ readonly id: number }>`
        SELECT nextval(pg_get_serial_sequence('credit_ledger', 'id')) AS id FROM generate_series(1, ${count})`
    : Effect.map(sql<{ readonly last: number | null }>`SELECT max(id) AS last FROM credit_ledger`, ([row]) =>
        Array.from({ length: count }, (_, i) => ({ id: (row?.last ?? 0) + 1 + i }))
      )

/** What `usage_months` has counted of a month for the key of the balance `b`. */
export const pastRequests = (sql: SqlClient.SqlClient, month: string) =>
  sql`(SELECT requests FROM usage_months m WHERE m.key_id = b.key_id AND m.month = ${month})`

/** What each debit comes to, where `before` are the keys as they were: one debit after another, where the credits suffice. */
export const apply = (debits: ReadonlyArray<Debit>, before: ReadonlyArray<KeyRow>) => {
  const current = new Map<string, Debited>(
    before.map((row) => [row.key_id, { isMade: false, ...toBalance(row), requests: row.requests }])
  )
  const debited = debits.map(({ cost, keyId }): Debited => {
    const found = current.get(keyId) ?? { isMade: false, remaining: 0, granted: 0, requests: 0 }
    if (found.remaining < cost) return { ...found, isMade: false }
    const after = {
      isMade: true,
      remaining: found.remaining - cost,
      granted: found.granted,
      requests: found.requests + cost
    }
    current.set(keyId, after)
    return after
  })
  return { current, debited }
}
