import { Array as Arr, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { cellsOf } from "../database/cellsOf.ts"
import { dialectOf } from "../database/Dialect.ts"
import { apply, type KeyRow, keysOf, type MakeDebits, newEntryIds, requestsBefore } from "./DebitRowsSql.ts"

/** A key as `debitsInSteps` selects it. */
type CellsBefore = readonly [
  key_id: KeyRow["key_id"],
  balance: KeyRow["balance"],
  granted: KeyRow["granted"],
  requests: KeyRow["requests"],
  last_entry_id: number | null,
  /** The month that is counted beside the balance. */
  month: string | null
]

const fromCellsBefore = ([key_id, balance, granted, requests, last_entry_id, month]: CellsBefore) => ({
  key_id,
  balance,
  granted,
  requests,
  last_entry_id,
  month
})

/**
 * Lets the balances of keys begin to count a month: the one that they count now goes to the months before it, and what was
 * counted of the new one comes from there.
 */
const beginMonth = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  keyIds: ReadonlyArray<string>,
  month: string
) {
  const asked = dialectOf(sql).tableOf(
    keyIds.map((key_id) => ({ key_id })),
    "asked",
    { key_id: "text" }
  )
  yield* sql`
    INSERT INTO usage_months (key_id, month, requests)
    SELECT b.key_id, b.month, b.requests FROM ${asked} JOIN credit_balances b ON b.key_id = asked.key_id
    WHERE b.requests > 0
    ON CONFLICT (key_id, month) DO UPDATE SET requests = usage_months.requests + excluded.requests`
  yield* sql`DELETE FROM usage_months WHERE month = ${month} AND key_id IN (SELECT key_id FROM ${asked})`
})

/** All debits in four statements, however many there are: what they change is known once the balances are. */
export const debitsInSteps = (sql: SqlClient.SqlClient): MakeDebits => {
  const { tableOf } = dialectOf(sql)
  return Effect.fnUntraced(function* (debits, { createdAt, month }) {
    const asked = tableOf(keysOf(debits.map(({ keyId }) => keyId)), "asked", { key_id: "text" })
    const rows = yield* cellsOf<CellsBefore>(
      sql`
        SELECT b.key_id, b.balance, b.granted,
          CASE WHEN b.month = ${month} THEN b.requests ELSE coalesce(${requestsBefore(sql, month)}, 0) END,
          b.last_entry_id, b.month
        FROM ${asked} JOIN credit_balances b ON b.key_id = asked.key_id`,
      6
    )
    const before = rows.map(fromCellsBefore)
    const { current, debited } = apply(debits, before)
    const made = Arr.zip(debits, debited).filter(([, { isMade }]) => isMade)
    const lastIds = new Map(before.map((row) => [row.key_id, row.last_entry_id]))
    const entries = Arr.zipWith(
      made,
      yield* newEntryIds(sql, made.length),
      ([{ cost, keyId, reference }, { remaining }], { id }) => {
        const entry = {
          id,
          key_id: keyId,
          kind: "forecast",
          delta: -cost,
          balance_after: remaining,
          reference,
          created_at: createdAt,
          previous_id: lastIds.get(keyId) ?? null
        }
        lastIds.set(keyId, id)
        return entry
      }
    )
    if (!Arr.isArrayNonEmpty(entries)) return debited
    const changed = before.filter(({ key_id }) => current.get(key_id)?.isMade)
    const beginning = changed.filter((row) => row.month !== month)
    if (beginning.length > 0) {
      yield* beginMonth(
        sql,
        beginning.map(({ key_id }) => key_id),
        month
      )
    }
    const after = tableOf(
      changed.map(({ key_id }) => ({
        key_id,
        remaining: current.get(key_id)?.remaining ?? null,
        requests: current.get(key_id)?.requests ?? null,
        last_entry_id: lastIds.get(key_id) ?? null
      })),
      "after",
      { key_id: "text", remaining: "integer", requests: "integer", last_entry_id: "integer" }
    )
    yield* sql`
      UPDATE credit_balances
      SET balance = after.remaining, last_entry_id = after.last_entry_id, month = ${month}, requests = after.requests
      FROM ${after} WHERE credit_balances.key_id = after.key_id`
    // After the balances: where another transaction has debited a key meanwhile, that shows there.
    yield* sql`INSERT INTO credit_ledger ${sql.insert(entries)}`
    return debited
  })
}
