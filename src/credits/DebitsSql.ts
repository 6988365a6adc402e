import { Array as Arr, Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { cellsOf } from "../database/cellsOf.ts"
import { dialectOf } from "../database/Dialect.ts"
import type { KeyId } from "../keys/KeyId.ts"
import type { Balance, Debit, Debited, DebitTime } from "./Ledger.ts"

export interface BalanceRow {
  readonly balance: number
  readonly granted: number
}

export const toBalance = ({ balance, granted }: BalanceRow): Balance => ({ remaining: balance, granted })

/** How debits are made in a database: `lock` and `debit` of the ledger. */
interface Debits {
  readonly lock: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<void, SqlError.SqlError>
  readonly debit: (
    debits: ReadonlyArray<Debit>,
    time: DebitTime
  ) => Effect.Effect<ReadonlyArray<Debited>, SqlError.SqlError>
}

/** A key and its forecasts of the month as they were before its debits. */
interface KeyRow extends BalanceRow {
  readonly key_id: string
  readonly requests: number
}

/** A key as `debitsInSteps` selects it. */
type CellsBefore = readonly [
  key_id: KeyRow["key_id"],
  balance: KeyRow["balance"],
  granted: KeyRow["granted"],
  requests: KeyRow["requests"],
  last_entry_id: number | null
]

const fromCellsBefore = ([key_id, balance, granted, requests, last_entry_id]: CellsBefore) => ({
  key_id,
  balance,
  granted,
  requests,
  last_entry_id
})

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

/** What each debit comes to, where `before` are the keys as they were: a debit after the other, where the credits suffice. */
const apply = (debits: ReadonlyArray<Debit>, before: ReadonlyArray<KeyRow>) => {
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

/** All debits in five statements, however many there are: what they change is known once the balances are. */
const debitsInSteps = (sql: SqlClient.SqlClient): Debits["debit"] => {
  const { tableOf } = dialectOf(sql)
  return Effect.fnUntraced(function* (debits, { createdAt, month }) {
    const asked = tableOf(keysOf(debits.map(({ keyId }) => keyId)), "asked", { key_id: "text" })
    const rows = yield* cellsOf<CellsBefore>(
      sql`
        SELECT b.key_id, b.balance, b.granted, coalesce(m.requests, 0), b.last_entry_id
        FROM ${asked} JOIN credit_balances b ON b.key_id = asked.key_id
        LEFT JOIN usage_months m ON m.key_id = b.key_id AND m.month = ${month}`,
      5
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
    const after = tableOf(
      [...current].map(([keyId, { remaining, requests }]) => ({
        key_id: keyId,
        remaining,
        requests,
        last_entry_id: lastIds.get(keyId) ?? null
      })),
      "after",
      { key_id: "text", remaining: "integer", requests: "integer", last_entry_id: "integer" }
    )
    yield* sql`
      UPDATE credit_balances SET balance = after.remaining, last_entry_id = after.last_entry_id
      FROM ${after} WHERE credit_balances.key_id = after.key_id`
    // After the balances: where another transaction has debited a key meanwhile, that shows there.
    yield* sql`INSERT INTO credit_ledger ${sql.insert(entries)}`
    yield* sql`
      INSERT INTO usage_months (key_id, month, requests)
      SELECT key_id, ${month}, requests FROM ${after} WHERE requests > 0
      ON CONFLICT (key_id, month) DO UPDATE SET requests = excluded.requests`
    return debited
  })
}

/** All debits, of one credit each, in one statement: every other is a way to the server and back. */
const debitsInOneStatement = (sql: SqlClient.SqlClient): Debits["debit"] => {
  const { tableOf } = dialectOf(sql)
  return Effect.fnUntraced(function* (debits, { createdAt, month }) {
    const rows = debits.map(({ keyId, reference }) => ({ key_id: keyId, reference }))
    const before = yield* sql<KeyRow>`
      WITH asked AS (
        SELECT *, row_number() OVER (PARTITION BY key_id ORDER BY position) AS nth
        FROM ${tableOf(rows, "debit", { key_id: "text", reference: "text" })}
      ), locked AS (
        SELECT b.key_id, b.balance, b.granted, b.last_entry_id, least(b.balance, wanted.debits) AS taken
        FROM (SELECT key_id, count(*) AS debits FROM asked GROUP BY key_id) AS wanted
        JOIN credit_balances b ON b.key_id = wanted.key_id ORDER BY b.key_id FOR UPDATE OF b
      ), made AS (
        SELECT *, nextval(pg_get_serial_sequence('credit_ledger', 'id')) AS id
        FROM (SELECT * FROM asked JOIN locked USING (key_id) WHERE nth <= taken ORDER BY position) AS ordered
      ), paid AS (
        UPDATE credit_balances b SET balance = made.balance - taken, last_entry_id = made.id
        FROM made WHERE b.key_id = made.key_id AND nth = taken
      ), written AS (
        INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at, previous_id)
        SELECT id, key_id, 'forecast', -1, balance - nth, reference, CAST(${createdAt} AS BIGINT),
          lag(id, 1, last_entry_id) OVER (PARTITION BY key_id ORDER BY nth)
        FROM made ORDER BY id
      ), counted AS (
        INSERT INTO usage_months AS m (key_id, month, requests)
        SELECT key_id, ${month}, taken FROM locked WHERE taken > 0
        ON CONFLICT (key_id, month) DO UPDATE SET requests = m.requests + excluded.requests
        RETURNING key_id, requests
      )
      SELECT key_id, balance, granted, coalesce(requests - taken, 0) AS requests
      FROM locked LEFT JOIN counted USING (key_id)`
    return apply(debits, before).debited
  })
}

/** The debits of a database. SQLite has one transaction that writes at a time, and nothing to lock. */
export const makeDebits = (sql: SqlClient.SqlClient): Debits => {
  const { isPostgres, tableOf } = dialectOf(sql)
  const inSteps = debitsInSteps(sql)
  if (!isPostgres) return { lock: () => Effect.void, debit: inSteps }
  const inOneStatement = debitsInOneStatement(sql)
  return {
    // In the order of the keys, so that two batches with the same keys never wait for each other.
    lock: (keyIds) =>
      Effect.asVoid(sql`
        SELECT b.key_id FROM ${tableOf(keysOf(keyIds), "asked", { key_id: "text" })}
        JOIN credit_balances b ON b.key_id = asked.key_id ORDER BY b.key_id FOR UPDATE OF b`),
    debit: (debits, time) =>
      debits.every(({ cost }) => cost === 1) ? inOneStatement(debits, time) : inSteps(debits, time)
  }
}
