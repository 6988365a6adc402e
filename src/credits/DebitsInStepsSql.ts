import { Array as Arr, Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { cellsOf, dialectOf } from "../database/Dialect.ts"
import {
  apply,
  countDays,
  countSubKeys,
  isNoticeDue,
  type KeyRow,
  keysOf,
  type MakeDebits,
  newEntryIds,
  pastRequests,
  subKeyRequests,
  type SubKeyRow
} from "./DebitRowsSql.ts"

/** A key as selected by `debitsInSteps`: `month` is the one stored with the balance, `counted` its forecasts. */
type CellsBefore = readonly [
  keyId: KeyRow["keyId"],
  balance: KeyRow["balance"],
  granted: KeyRow["granted"],
  requests: KeyRow["requests"],
  lastEntryId: number | null,
  month: string | null,
  counted: number
]

const fromCellsBefore = ([keyId, balance, granted, requests, lastEntryId, month, counted]: CellsBefore) => ({
  keyId,
  balance,
  granted,
  requests,
  lastEntryId,
  month,
  counted
})

/**
 * Any number of debits in five statements: their changes follow from the balances. There is one more if a debit is not
 * in the month of its balance, and two more if there are sub-keys.
 */
export const debitsInSteps = (sql: SqlClient.SqlClient): MakeDebits => {
  const { tableOf } = dialectOf(sql)
  /** Reads sub-keys after the balances of their keys, which are locked. */
  const readSubKeys = (ids: ReadonlyArray<string>, month: string) =>
    ids.length === 0
      ? Effect.succeed([])
      : sql<SubKeyRow>`
          SELECT s.id, s.monthly_limit, ${subKeyRequests(sql, month)} AS requests
          FROM ${tableOf(
            ids.map((id) => ({ id })),
            "asked",
            { id: "text" }
          )} JOIN sub_keys s ON s.id = asked.id`

  return Effect.fnUntraced(function* (debits, time) {
    const { createdAt, month } = time
    const asked = tableOf(keysOf(debits.map(({ keyId }) => keyId)), "asked", { key_id: "text" })
    const rows = yield* cellsOf<CellsBefore>(
      sql`
        SELECT b.key_id, b.balance, b.granted,
          CASE WHEN b.month = ${month} THEN b.requests
            WHEN b.month > ${month} THEN coalesce(${pastRequests(sql, month)}, 0) ELSE 0 END,
          b.last_entry_id, b.month, b.requests
        FROM ${asked} JOIN credit_balances b ON b.key_id = asked.key_id`,
      7
    )
    const before = rows.map(fromCellsBefore)
    const subKeysBefore = yield* readSubKeys([...new Set(debits.flatMap(({ subKeyId }) => subKeyId ?? []))], month)
    const { current, debited, subKeys } = apply(debits, before, subKeysBefore)
    const made = Arr.zip(debits, debited).filter(([, { isMade }]) => isMade)
    const lastIds = new Map(before.map((row) => [row.keyId, row.lastEntryId]))
    const entries = Arr.zipWith(
      made,
      yield* newEntryIds(sql, made.length),
      ([{ cost, keyId, reference, subKeyId }, { remaining }], { id }) => {
        const entry = {
          id,
          keyId,
          subKeyId: subKeyId ?? null,
          kind: "forecast",
          delta: -cost,
          balanceAfter: remaining,
          reference,
          createdAt,
          previousId: lastIds.get(keyId) ?? null
        }
        lastIds.set(keyId, id)
        return entry
      }
    )
    if (!Arr.isArrayNonEmpty(entries)) return debited
    const changed = before.flatMap((row) => {
      const after = current.get(row.keyId)
      return after?.isMade === true ? [{ row, after }] : []
    })
    // The month stored with a balance only advances: a clock that is behind counts in an earlier month.
    const isLate = (row: (typeof before)[number]) => row.month !== null && row.month > month
    const after = tableOf(
      changed.map(({ after, row }) => ({
        key_id: row.keyId,
        remaining: after.remaining,
        last_entry_id: lastIds.get(row.keyId) ?? null,
        month: isLate(row) ? row.month : month,
        requests: isLate(row) ? row.counted : after.requests
      })),
      "after",
      { key_id: "text", remaining: "integer", last_entry_id: "integer", month: "text", requests: "integer" }
    )
    yield* sql`
      UPDATE credit_balances AS b
      SET balance = after.remaining, last_entry_id = after.last_entry_id, month = after.month, requests = after.requests,
        is_notice_due = ${isNoticeDue(sql, sql`after.remaining`)}
      FROM ${after} WHERE b.key_id = after.key_id`
    // After the balances: they show whether another transaction has debited a key in the meantime.
    yield* sql`INSERT INTO credit_ledger ${sql.insert(entries)}`
    const past = changed.flatMap(({ after, row }) => {
      if (row.month === null || row.month === month) return []
      return isLate(row)
        ? [{ key_id: row.keyId, month, requests: after.requests - row.requests }]
        : [{ key_id: row.keyId, month: row.month, requests: row.counted }]
    })
    if (past.length > 0) {
      yield* sql`
        INSERT INTO usage_months (key_id, month, requests) SELECT key_id, month, requests
        FROM ${tableOf(past, "past", { key_id: "text", month: "text", requests: "integer" })} WHERE requests > 0
        ON CONFLICT (key_id, month) DO UPDATE SET requests = usage_months.requests + excluded.requests`
    }
    if (subKeysBefore.length > 0) {
      const used = subKeysBefore.flatMap(({ id, requests }) => {
        const after = subKeys.get(id)?.requests ?? requests
        return after > requests ? [{ id, requests: after }] : []
      })
      yield* countSubKeys(sql, sql`${tableOf(used, "used", { id: "text", requests: "integer" })}`, time)
    }
    const days = entries.map(({ delta, id, keyId, subKeyId }) => ({
      id,
      key_id: keyId,
      sub_key_id: subKeyId,
      cost: -delta
    }))
    const columns = { id: "integer", key_id: "text", sub_key_id: "text", cost: "integer" } as const
    yield* countDays(sql, tableOf(days, "made", columns), time)
    return debited
  })
}
