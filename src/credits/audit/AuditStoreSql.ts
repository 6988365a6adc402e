import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../../database/Dialect.ts"
import { orDefect } from "../../database/Failures.ts"
import { type AuditPosition, AuditStore, type Checked } from "./AuditStore.ts"
import { type MonthRow, requestsByMonth } from "../requestsByMonth.ts"
import { checkKey, type KeyCheck, type StoredEntry } from "./KeyCheck.ts"
import type { LedgerFault } from "./LedgerFault.ts"

interface KeyRow extends MonthRow {
  readonly key_id: string
  readonly balance: number | null
  readonly granted: number | null
  readonly last_entry_id: number | null
}

interface EntryRow {
  readonly id: number
  readonly key_id: string
  readonly previous_id: number | null
  readonly kind: string
  readonly delta: number
  readonly balance_after: number
  readonly created_at: number
}

const fromRow = (row: EntryRow): StoredEntry => ({
  id: row.id,
  keyId: row.key_id,
  previousId: row.previous_id,
  isForecast: row.kind === "forecast",
  delta: row.delta,
  balanceAfter: row.balance_after,
  createdAt: row.created_at
})

/** How many keys are begun where a step reads so many entries: with their months, they are about as many rows. */
const keysAtOnce = (limit: number) => Math.ceil(limit / 6)

/**
 * Checks the ledger in its tables: from the last entry of each key back to the first, and then that no entry is left out. A
 * step takes the same time however large the ledger is, and however many entries a key has. Numbers are read as floating
 * point, because the driver rejects integers that a JavaScript number cannot hold exactly.
 */
export const layer = Layer.effect(
  AuditStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { isPostgres, real, tableOf } = dialectOf(sql)

    /** Begins the checks of keys that come after a key: balance and months are read by one statement. */
    const begin = Effect.fnUntraced(function* (afterKey: string, limit: number) {
      const rows = yield* sql<KeyRow>`
        SELECT k.id AS key_id, CAST(b.balance AS ${real}) AS balance, CAST(b.granted AS ${real}) AS granted,
          b.last_entry_id, b.month AS current_month, CAST(b.requests AS ${real}) AS current_requests,
          m.month, CAST(m.requests AS ${real}) AS requests
        FROM (SELECT id FROM api_keys WHERE id > ${afterKey} ORDER BY id LIMIT ${keysAtOnce(limit)}) AS k
        LEFT JOIN credit_balances b ON b.key_id = k.id LEFT JOIN usage_months m ON m.key_id = k.id
        ORDER BY k.id`
      return [...Map.groupBy(rows, ({ key_id: keyId }) => keyId)].map(([keyId, ofKey]) =>
        checkKey({
          keyId,
          balance: ofKey[0]?.balance ?? null,
          granted: ofKey[0]?.granted ?? null,
          lastEntryId: ofKey[0]?.last_entry_id ?? null,
          months: requestsByMonth(ofKey)
        })
      )
    })

    /** The entries that checks want next, and those before them: all of a length, but for what is over `limit`. */
    const behind = (checks: ReadonlyArray<KeyCheck>, limit: number) => {
      const wanted = tableOf(
        checks.map((check) => ({ id: check.wanted() })),
        "wanted",
        { id: "integer" }
      )
      const columns = sql.literal("e.id, e.key_id, e.previous_id, e.kind, e.delta, e.balance_after, e.created_at")
      return sql<EntryRow>`
        WITH RECURSIVE entry AS (
          SELECT ${columns} FROM ${wanted} JOIN credit_ledger e ON e.id = wanted.id
          UNION ALL
          SELECT ${columns} FROM entry JOIN credit_ledger e ON e.id = entry.previous_id AND e.id < entry.id
        )
        SELECT id, key_id, previous_id, kind, CAST(delta AS ${real}) AS delta,
          CAST(balance_after AS ${real}) AS balance_after, CAST(created_at AS ${real}) AS created_at
        FROM entry LIMIT ${limit}`
    }

    /** Gives checks what they want for as long as it is there; where all was read that there is, the rest is missing. */
    const giveEntries = (checks: ReadonlyArray<KeyCheck>, rows: ReadonlyArray<EntryRow>, isAll: boolean) => {
      const entries = new Map(rows.map((row) => [row.id, fromRow(row)]))
      let given = 0
      for (const check of checks) {
        for (let id = check.wanted(); id !== null; id = check.wanted()) {
          const entry = entries.get(id)
          if (entry === undefined && !isAll) break
          if (entry !== undefined) given++
          check.take(entry)
        }
      }
      return given
    }

    const checkKeys = Effect.fnUntraced(function* (
      { afterKey, checks: going }: Extract<AuditPosition, { by: "key" }>,
      limit: number
    ) {
      const checks = going.length > 0 ? going : yield* begin(afterKey, limit)
      const open = checks.filter((check) => check.wanted() !== null)
      const rows = open.length === 0 ? [] : yield* behind(open, limit)
      const entries = giveEntries(open, rows, rows.length < limit)
      const left = checks.filter((check) => check.wanted() !== null)
      const done = checks.filter((check) => check.wanted() === null)
      const next: AuditPosition =
        checks.length === 0
          ? { by: "entry", afterId: 0 }
          : { by: "key", checks: left, afterKey: going.length > 0 ? afterKey : (checks.at(-1)?.keyId ?? afterKey) }
      const checked: Checked = {
        keys: done.filter(({ hasBalance }) => hasBalance).length,
        entries,
        read: entries,
        faults: done.flatMap((check) => check.faults()),
        next
      }
      return checked
    })

    /** Every entry is followed by one of its key or is the last one of its balance, so the checks of keys came to it. */
    const checkEntries = Effect.fnUntraced(function* (
      { afterId }: Extract<AuditPosition, { by: "entry" }>,
      limit: number
    ) {
      const rows = yield* sql<{ readonly id: number; readonly key_id: string; readonly is_followed: boolean | number }>`
        SELECT id, key_id, EXISTS (SELECT 1 FROM credit_ledger e WHERE e.previous_id = entry.id)
          OR EXISTS (SELECT 1 FROM credit_balances b WHERE b.key_id = entry.key_id AND b.last_entry_id = entry.id)
          AS is_followed
        FROM (SELECT id, key_id FROM credit_ledger WHERE id > ${afterId} ORDER BY id LIMIT ${limit}) AS entry ORDER BY id`
      const last = rows.at(-1)
      const left = rows.flatMap(({ id, is_followed, key_id: keyId }): ReadonlyArray<LedgerFault> =>
        is_followed
          ? []
          : [{ keyId, what: `what follows entry ${id}`, expected: "an entry or the balance", found: "none" }]
      )
      const isEnd = last === undefined || rows.length < limit
      const repeated = isEnd ? yield* repeatedReferences : []
      const checked: Checked = {
        keys: 0,
        entries: 0,
        read: rows.length,
        faults: [...left, ...repeated],
        next: isEnd ? undefined : { by: "entry", afterId: last.id }
      }
      return checked
    })

    const uniqueIndex = isPostgres
      ? sql`
          SELECT 1 FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
          WHERE i.indrelid = 'credit_ledger'::regclass AND i.indisunique AND i.indnatts = 1 AND a.attname = 'reference'`
      : sql`
          SELECT 1 FROM pragma_index_list('credit_ledger') AS list, pragma_index_info(list.name) AS info
          WHERE list."unique" = 1 AND info.seqno = 0 AND info.name = 'reference'`

    /** The unique index rules these out; only if it was dropped are all references read, in one statement. */
    const repeatedReferences = Effect.gen(function* () {
      if ((yield* uniqueIndex).length > 0) return []
      return yield* sql<LedgerFault>`
        SELECT min(key_id) AS "keyId", 'entries with the reference ' || reference AS what, 1 AS expected, count(*) AS found
        FROM credit_ledger GROUP BY reference HAVING count(*) > 1 ORDER BY reference`
    })

    const size = Effect.map(
      sql<{ readonly count: number | string }>`SELECT count(*) AS count FROM credit_ledger`,
      ([row]) => 2 * Number(row?.count ?? 0)
    )

    return AuditStore.of({
      check: (from, limit) => orDefect(from.by === "key" ? checkKeys(from, limit) : checkEntries(from, limit)),
      size: orDefect(size)
    })
  })
)
