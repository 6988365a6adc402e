import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import { orDefect } from "../database/Failures.ts"
import { KeyId, SubKeyId } from "../KeyId.ts"
import { type Account, Ledger, type LedgerKind, noSubKey } from "./Ledger.ts"
import { noBalance } from "../Balance.ts"
import {
  type BalanceRow,
  isNoticeDue,
  keysOf,
  newEntryIds,
  subKeyRequests,
  type SubKeyRow,
  toBalance
} from "./DebitRowsSql.ts"
import { makeDebits } from "./DebitsSql.ts"

interface EntryRow {
  readonly id: number
  readonly key_id: string
  readonly kind: LedgerKind
  readonly delta: number
  readonly balance_after: number
  readonly reference: string
  readonly created_at: number
  readonly sub_key: string | null
}

const fromRow = (row: EntryRow) => ({
  id: row.id,
  keyId: KeyId.make(row.key_id),
  kind: row.kind,
  delta: row.delta,
  balanceAfter: row.balance_after,
  reference: row.reference,
  createdAt: row.created_at,
  subKey: row.sub_key ?? undefined
})

/** A key with one of the months before `current_month`, which is stored with its balance, or with none. */
interface AccountRow extends BalanceRow {
  readonly key_id: string
  readonly current_month: string | null
  readonly current_requests: number
  readonly month: string | null
  readonly requests: number | null
}

/** The most due notices that are read at a time. */
const mostDue = 100

/** A day of a key, or of its sub-key, which has a name. */
interface DayRow {
  readonly day: string
  readonly sub_key_id: string
  readonly name: string | null
  readonly requests: number
}

const accountOf = ([first, ...others]: ReadonlyArray<AccountRow>): Account => {
  if (first === undefined) return { balance: noBalance, months: [] }
  const current = { month: first.current_month, requests: first.current_requests }
  const months = [current, first, ...others].flatMap(({ month, requests }) =>
    month === null || requests === null ? [] : [{ month, requests }]
  )
  return { balance: toBalance(first), months }
}

/** The only row of a statement with RETURNING, which always has one. */
const theRow = <Row>([row]: ReadonlyArray<Row>) =>
  row === undefined ? Effect.die(new Error("A statement returned no row")) : Effect.succeed(row)

/** The ledger in the tables `credit_ledger`, `credit_balances`, `usage_months`, `usage_days` and `sub_keys`. */
export const layer = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { tableOf } = dialectOf(sql)
    const debits = makeDebits(sql)
    const askedFor = (keyIds: ReadonlyArray<KeyId>) => tableOf(keysOf(keyIds), "asked", { key_id: "text" })

    const append = Effect.fnUntraced(function* (entry: Parameters<Ledger["Service"]["append"]>[0]) {
      // Reads and locks the balance. Not one upsert: SQLite checks the constraints on the row to insert, and refuses every
      // negative change.
      const locked = yield* sql<{ readonly last_entry_id: number | null }>`
        INSERT INTO credit_balances (key_id, balance, granted) VALUES (${entry.keyId}, 0, 0)
        ON CONFLICT (key_id) DO UPDATE SET granted = credit_balances.granted RETURNING last_entry_id`
      const { last_entry_id: previousId } = yield* theRow(locked)
      const { id } = yield* theRow(yield* newEntryIds(sql, 1))
      const rows = yield* sql<BalanceRow>`
        UPDATE credit_balances AS b
        SET balance = balance + ${entry.delta}, granted = granted + ${entry.delta}, last_entry_id = ${id}, ${
          entry.delta > 0
            ? sql`refilled_to = balance + ${entry.delta}, is_notice_due = 0`
            : sql`is_notice_due = ${isNoticeDue(sql, sql`(b.balance + ${entry.delta})`)}`
        }
        WHERE key_id = ${entry.keyId} RETURNING balance, granted`
      const row = yield* theRow(rows)
      yield* sql`
        INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at, previous_id)
        VALUES (${id}, ${entry.keyId}, ${entry.kind}, ${entry.delta}, ${row.balance}, ${entry.reference},
          ${entry.createdAt}, ${previousId})`
      return toBalance(row)
    })

    /** The entries of a key, each found through the one after it. */
    const entries = (keyId: KeyId, limit: number, before: number) =>
      Effect.map(
        sql<EntryRow>`
          WITH RECURSIVE entry AS (
            SELECT * FROM credit_ledger WHERE id = (
              SELECT CASE WHEN last_entry_id < ${before} THEN last_entry_id ELSE (
                SELECT previous_id FROM credit_ledger WHERE id = ${before} AND key_id = ${keyId}) END
              FROM credit_balances WHERE key_id = ${keyId})
            UNION ALL SELECT earlier.* FROM entry JOIN credit_ledger AS earlier ON earlier.id = entry.previous_id
          )
          SELECT page.*, s.name AS sub_key
          FROM (SELECT * FROM entry LIMIT ${limit}) AS page LEFT JOIN sub_keys s ON s.id = page.sub_key_id
          ORDER BY page.id DESC`,
        (rows) => rows.map(fromRow)
      )

    const balances = Effect.fnUntraced(function* (keyIds: ReadonlyArray<KeyId>) {
      if (keyIds.length === 0) return []
      const rows = yield* sql<BalanceRow & { readonly key_id: string }>`
        SELECT b.key_id, b.balance, b.granted
        FROM ${askedFor(keyIds)} JOIN credit_balances b ON b.key_id = asked.key_id`
      const found = new Map(rows.map((row) => [row.key_id, toBalance(row)]))
      return keyIds.map((keyId) => found.get(keyId) ?? noBalance)
    })

    const subKeyUse = (subKeyId: SubKeyId, month: string) =>
      Effect.flatMap(
        sql<SubKeyRow>`
          SELECT s.id, s.monthly_limit, ${subKeyRequests(sql, month)} AS requests FROM sub_keys s WHERE s.id = ${subKeyId}`,
        ([row]) =>
          row === undefined
            ? Effect.die(noSubKey)
            : Effect.succeed({ monthlyLimit: row.monthly_limit, requests: row.requests })
      )

    const days: Ledger["Service"]["days"] = (keyId, { month, subKeyId }) =>
      orDefect(
        Effect.map(
          sql<DayRow>`
            SELECT d.day, d.sub_key_id, s.name, d.requests FROM usage_days d LEFT JOIN sub_keys s ON s.id = d.sub_key_id
            WHERE ${sql.and([
              sql`d.key_id = ${keyId}`,
              ...(month === undefined ? [] : [sql`substr(d.day, 1, 7) = ${month}`]),
              ...(subKeyId === undefined ? [] : [sql`d.sub_key_id = ${subKeyId}`])
            ])} ORDER BY d.day, d.sub_key_id`,
          (rows) =>
            rows.map(({ day, name, requests, sub_key_id }) => ({
              day,
              subKeyId: sub_key_id === "" ? undefined : SubKeyId.make(sub_key_id),
              subKey: name ?? undefined,
              requests
            }))
        )
      )

    const takeNotice = (keyId: KeyId) =>
      Effect.map(
        sql<{ readonly balance: number }>`
          UPDATE credit_balances SET is_notice_due = 0 WHERE key_id = ${keyId} AND is_notice_due = 1 RETURNING balance`,
        ([row]) => Option.fromUndefinedOr(row?.balance)
      )

    const accounts = Effect.fnUntraced(function* (keyIds: ReadonlyArray<KeyId>) {
      const rows = yield* sql<AccountRow>`
        SELECT b.key_id, b.balance, b.granted, b.month AS current_month, b.requests AS current_requests, m.month, m.requests
        FROM ${askedFor(keyIds)} JOIN credit_balances b ON b.key_id = asked.key_id
        LEFT JOIN usage_months m ON m.key_id = b.key_id ORDER BY m.month DESC`
      const found = Map.groupBy(rows, (row) => row.key_id)
      return keyIds.map((keyId) => accountOf(found.get(keyId) ?? []))
    })

    return Ledger.of({
      lock: (keyIds) => orDefect(debits.lock(keyIds)),
      debit: (all, time) => orDefect(debits.debit(all, time)),
      append: (entry) => orDefect(append(entry)),
      balances: (keyIds) => orDefect(balances(keyIds)),
      dueNotices: orDefect(
        Effect.map(
          sql<{ readonly key_id: string }>`SELECT key_id FROM credit_balances WHERE is_notice_due = 1 LIMIT ${mostDue}`,
          (rows) => rows.map(({ key_id }) => KeyId.make(key_id))
        )
      ),
      takeNotice: (keyId) => orDefect(takeNotice(keyId)),
      subKeyUse: (subKeyId, month) => orDefect(subKeyUse(subKeyId, month)),
      days,
      accounts: (keyIds) => orDefect(accounts(keyIds)),
      entries: (keyId, limit, before = Number.MAX_SAFE_INTEGER) => orDefect(entries(keyId, limit, before)),
      find: (reference) =>
        orDefect(
          Effect.map(
            sql<EntryRow>`
              SELECT l.*, s.name AS sub_key FROM credit_ledger l LEFT JOIN sub_keys s ON s.id = l.sub_key_id
              WHERE l.reference = ${reference}`,
            ([row]) => Option.map(Option.fromUndefinedOr(row), fromRow)
          )
        )
    })
  })
)
