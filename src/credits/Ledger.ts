import { Array, Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { type Balance, noBalance, type Standing, type UsageByMonth, usageByMonth } from "./Balance.ts"
import { KeyId, type SubKeyId } from "../KeyStatus.ts"
import { dayLength, startOfDay } from "../text/Times.ts"
import { DailyForecasts, DailyRequests, type DebitTime, LedgerEntry } from "./LedgerEntry.ts"
import { dialectOf, execute, findAll, findValue, rowsOf, valuesOf } from "../database/Statements.ts"
import { orDefect } from "../database/Failures.ts"
import {
  BalanceRow,
  debitsOf,
  isNoticeDue,
  KeyRow,
  keysOf,
  type MakeDebits,
  newEntryIds,
  pastRequests,
  subKeyColumns,
  SubKeyRow,
  toBalance,
  toStanding,
  withSubKey
} from "./DebitsSql.ts"

const KeyBalanceRow = Schema.Struct({ ...BalanceRow.fields, keyId: KeyId })

/** A key with one of the months before `current_month`, which is stored with its balance, or with none. */
const UsageRow = Schema.Struct({
  ...KeyBalanceRow.fields,
  currentMonth: Schema.NullOr(Schema.String),
  currentRequests: Schema.Int,
  month: Schema.NullOr(Schema.String),
  requests: Schema.NullOr(Schema.Int)
})

/** The most due notices that are read at a time. */
const maxDue = 100

/** The most entries of a key that are read back from the last one of a day to find those of one sub-key. */
const maxSteps = 500

const toUsageByMonth = (month: string, [newest, ...others]: ReadonlyArray<typeof UsageRow.Type>): UsageByMonth => {
  if (newest === undefined) return usageByMonth(month, noBalance, [])
  const current = { month: newest.currentMonth, requests: newest.currentRequests }
  const months = [current, newest, ...others].flatMap(({ month, requests }) =>
    month === null || requests === null ? [] : [{ month, requests }]
  )
  return usageByMonth(month, toBalance(newest), months)
}

/**
 * The store of credits: an append-only ledger, for each key its balance, which is the sum of its entries and equals
 * `balanceAfter` of the last one, and the spending of its sub-keys. Each method changes all of that or nothing; callers
 * run it in a transaction.
 */
export class Ledger extends Context.Service<
  Ledger,
  {
    /**
     * Locks the balances of keys against other transactions until this one ends, so that the debits of a key follow
     * each other.
     */
    readonly lock: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<void>
    /**
     * Takes the cost of each debit, in order, and counts its forecasts in the day and the month. A debit that costs
     * more than is left, or more than its sub-key may still spend in the month, is not made and changes nothing; nor is
     * one of a key or a sub-key that was revoked, or whose plan is inactive: once that was committed, no debit is. The
     * results are what each leaves for the next one, or what one that was not made has found.
     */
    readonly debit: MakeDebits
    /**
     * Adds an entry other than a forecast; a balance that would fall below 0 is a defect. A positive delta of any kind
     * re-arms both notices of a low balance, and cancels a due one; a negative delta may make one due.
     */
    readonly append: (entry: Omit<LedgerEntry, "id" | "balanceAfter" | "subKey">) => Effect.Effect<Balance>
    /** The balances of keys, in their order; zero for a key that never had credits. */
    readonly balances: (keyIds: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<Balance>>
    /**
     * Some of the keys for which a notice is due: the balance has fallen below a fifth of its value after credits were
     * last added, or to 0. The change itself makes the notice due, once for each of the two; adding credits makes both
     * possible again, and cancels a due one.
     */
    readonly dueNotices: Effect.Effect<ReadonlyArray<KeyId>>
    /** Takes the due notice of a key, and returns the key's balance; none if another process has taken it. */
    readonly takeNotice: (keyId: KeyId) => Effect.Effect<Option.Option<number>>
    /** The state that a debit of a key, or of one of its sub-keys, would find at a time. */
    readonly standing: (keyId: KeyId, subKeyId: SubKeyId | undefined, time: DebitTime) => Effect.Effect<Standing>
    /**
     * The forecasts of a key on the days of a month, or of all kept days, oldest first; with `subKeyId`, only those of
     * this sub-key.
     */
    readonly days: (
      keyId: KeyId,
      options: { readonly month?: string; readonly subKeyId?: SubKeyId | undefined }
    ) => Effect.Effect<ReadonlyArray<DailyRequests>>
    /** The newest rows of `days` before a day, the newest day first. */
    readonly daysBefore: (keyId: KeyId, day: string, limit: number) => Effect.Effect<ReadonlyArray<DailyForecasts>>
    /**
     * The newest entries of each of these rows, newest first: at most `most`, and only those near its last entry, which
     * may be among entries of other sub-keys.
     */
    readonly entriesOfDays: (
      days: ReadonlyArray<DailyForecasts>,
      most: number
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<LedgerEntry>>>
    /** The newest entries of a key other than forecasts, from a time until before another, newest first. */
    readonly changes: (
      keyId: KeyId,
      span: { readonly from: number; readonly before: number },
      limit: number
    ) => Effect.Effect<ReadonlyArray<LedgerEntry>>
    /** The usage of each key, in their order, each as of one instant. */
    readonly usages: (keyIds: ReadonlyArray<KeyId>, month: string) => Effect.Effect<ReadonlyArray<UsageByMonth>>
    /**
     * The entries of a key, newest first; with `before`, only those before this ID, which may be above all IDs of the
     * key. There are none before an entry of another key.
     */
    readonly entries: (keyId: KeyId, limit: number, before?: number) => Effect.Effect<ReadonlyArray<LedgerEntry>>
    /** Replaces the references that an operator chose for adjustments of a key whose owner was erased. */
    readonly eraseReferences: (keyId: KeyId) => Effect.Effect<void>
    /** The entry with this reference, of any key. */
    readonly find: (reference: string) => Effect.Effect<Option.Option<LedgerEntry>>
  }
>()("outreach-forecast/credits/Ledger") {
  /** The ledger in the tables `credit_ledger`, `credit_balances`, `usage_months`, `usage_days` and `sub_keys`. */
  static readonly layer = Layer.effect(
    Ledger,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { integer, isPostgres, tableOf } = dialectOf(sql)
      const entryColumns = sql.literal(
        "e.id, e.key_id, e.kind, e.delta, e.balance_after, e.reference, e.created_at, coalesce(s.name, e.sub_key_id) AS sub_key"
      )
      // The record of a sub-key is deleted some time after it was revoked; then its ID stands for its name.
      const nameOfDay = sql`coalesce(s.name, nullif(d.sub_key_id, ''))`
      const askedFor = (keyIds: ReadonlyArray<KeyId>) => tableOf(keysOf(keyIds), "asked", { key_id: "text" })

      /** In the order of the keys, so that two batches with the same keys cannot deadlock. */
      const lock = (keyIds: ReadonlyArray<KeyId>) =>
        sql`
          SELECT b.key_id FROM ${askedFor(keyIds)}
          JOIN credit_balances b ON b.key_id = asked.key_id ORDER BY b.key_id FOR UPDATE OF b`

      const append = Effect.fnUntraced(function* (entry: Parameters<Ledger["Service"]["append"]>[0]) {
        // Reads and locks the balance. Not one upsert: SQLite checks the constraints on the row to insert, and refuses every
        // negative change.
        const [previousId = null] = yield* valuesOf(
          Schema.NullOr(Schema.Int),
          sql`
            INSERT INTO credit_balances (key_id, balance, granted) VALUES (${entry.keyId}, 0, 0)
            ON CONFLICT (key_id) DO UPDATE SET granted = credit_balances.granted RETURNING last_entry_id`
        )
        const [id] = yield* newEntryIds(sql, 1)
        const [row] = yield* rowsOf(
          BalanceRow,
          sql`
            UPDATE credit_balances AS b
            SET balance = balance + ${entry.delta}, granted = granted + ${entry.delta}, last_entry_id = ${id}, ${
              entry.delta > 0
                ? sql`refilled_to = balance + ${entry.delta}, is_notice_due = 0`
                : sql`is_notice_due = ${isNoticeDue(sql, sql`(b.balance + ${entry.delta})`)}`
            }
            WHERE key_id = ${entry.keyId} RETURNING balance, granted`
        )
        if (row === undefined) return yield* Effect.die(new Error("A balance has vanished"))
        yield* sql`
          INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at, previous_id)
          VALUES (${id}, ${entry.keyId}, ${entry.kind}, ${entry.delta}, ${row.balance}, ${entry.reference},
            ${entry.createdAt}, ${previousId})`
        return toBalance(row)
      })

      /** The entries of a key from one back, each found through the one after it. */
      const entries = (keyId: KeyId, limit: number, before: number) =>
        findAll(
          LedgerEntry,
          sql`
            WITH RECURSIVE entry AS (
              SELECT * FROM credit_ledger WHERE id = (
                SELECT CASE WHEN last_entry_id < ${before} THEN last_entry_id ELSE (
                  SELECT previous_id FROM credit_ledger WHERE id = ${before} AND key_id = ${keyId}) END
                FROM credit_balances WHERE key_id = ${keyId})
              UNION ALL SELECT earlier.* FROM entry JOIN credit_ledger AS earlier ON earlier.id = entry.previous_id
            )
            SELECT ${entryColumns} FROM (SELECT * FROM entry LIMIT ${limit}) AS e
            LEFT JOIN sub_keys s ON s.id = e.sub_key_id ORDER BY e.id DESC`
        )

      const balances = Effect.fnUntraced(function* (keyIds: ReadonlyArray<KeyId>) {
        if (keyIds.length === 0) return []
        const rows = yield* findAll(
          KeyBalanceRow,
          sql`
            SELECT b.key_id, b.balance, b.granted
            FROM ${askedFor(keyIds)} JOIN credit_balances b ON b.key_id = asked.key_id`
        )
        const found = new Map(rows.map((row) => [row.keyId, toBalance(row)]))
        return keyIds.map((keyId) => found.get(keyId) ?? noBalance)
      })

      const standing = Effect.fnUntraced(function* (keyId: KeyId, subKeyId: SubKeyId | undefined, time: DebitTime) {
        const { month } = time
        const [key] = yield* findAll(
          KeyRow,
          sql`
            SELECT k.id AS key_id, coalesce(b.balance, 0) AS balance, coalesce(b.granted, 0) AS granted,
              CASE WHEN b.month = ${month} THEN b.requests ELSE coalesce(${pastRequests(sql, month)}, 0) END AS requests,
              k.state, k.plan AS key_plan, k.secret_prefix AS prefix
            FROM api_keys k LEFT JOIN credit_balances b ON b.key_id = k.id WHERE k.id = ${keyId}`
        )
        const ofKey = key === undefined ? { ...noBalance, requests: 0 } : toStanding(key)
        if (subKeyId === undefined) return ofKey
        const columns = subKeyColumns(sql, month)
        const [subKey] = yield* findAll(SubKeyRow, sql`SELECT ${columns} FROM sub_keys s WHERE s.id = ${subKeyId}`)
        return withSubKey(ofKey, subKey, time)
      })

      const days = (condition: Statement.Fragment) => sql`
        SELECT d.day, nullif(d.sub_key_id, '') AS sub_key_id, ${nameOfDay} AS sub_key, d.requests, d.last_entry_id
        FROM usage_days d LEFT JOIN sub_keys s ON s.id = d.sub_key_id WHERE ${condition}`

      /** The entries of each row from its last one back, each found through the one after it. */
      const entriesOfDays = Effect.fnUntraced(function* (rows: ReadonlyArray<DailyForecasts>, most: number) {
        const wanted = rows.map(({ day, lastEntryId, requests, subKeyId }) => ({
          entry_id: lastEntryId ?? null,
          sub_key_id: subKeyId ?? "",
          day_start: startOfDay(day),
          requests
        }))
        const line = tableOf(wanted, "line", {
          entry_id: "integer",
          sub_key_id: "text",
          day_start: "integer",
          requests: "integer"
        })
        const isOfLine = sql`CASE WHEN e.kind = 'forecast' AND coalesce(e.sub_key_id, '') = w.line_sub_key
          AND e.created_at >= w.day_start AND e.created_at < w.day_start + ${dayLength} THEN 1 ELSE 0 END`
        const one = sql`CAST(1 AS ${integer})`
        const found = yield* findAll(
          Schema.Struct({ position: Schema.Int, ...LedgerEntry.fields }),
          sql`
            WITH RECURSIVE walk AS (
              SELECT line.position, line.sub_key_id AS line_sub_key, line.day_start, ${one} AS steps, ${one} AS is_of_line,
                ${one} AS found, line.requests + e.delta AS missing, e.id, e.previous_id
              FROM ${line} JOIN credit_ledger e ON e.id = line.entry_id
              UNION ALL
              SELECT w.position, w.line_sub_key, w.day_start, w.steps + 1, CAST(${isOfLine} AS ${integer}),
                w.found + ${isOfLine}, w.missing + ${isOfLine} * e.delta, e.id, e.previous_id
              FROM walk w JOIN credit_ledger e ON e.id = w.previous_id
              WHERE w.missing > 0 AND w.found < ${most} AND w.steps < ${maxSteps}
            )
            SELECT walk.position, ${entryColumns} FROM walk JOIN credit_ledger e ON e.id = walk.id
            LEFT JOIN sub_keys s ON s.id = e.sub_key_id WHERE walk.is_of_line = 1 ORDER BY e.id DESC`
        )
        const byLine = Map.groupBy(found, ({ position }) => position)
        return rows.map((_, line) => (byLine.get(line) ?? []).map(({ position: __, ...entry }) => entry))
      })

      /** The entries that a condition and an order select. */
      const entriesWhere = (condition: Statement.Fragment) =>
        findAll(
          LedgerEntry,
          sql`
            SELECT ${entryColumns} FROM credit_ledger e LEFT JOIN sub_keys s ON s.id = e.sub_key_id WHERE ${condition}`
        )

      const usages = Effect.fnUntraced(function* (keyIds: ReadonlyArray<KeyId>, month: string) {
        const rows = yield* findAll(
          UsageRow,
          sql`
            SELECT b.key_id, b.balance, b.granted, b.month AS current_month, b.requests AS current_requests, m.month, m.requests
            FROM ${askedFor(keyIds)} JOIN credit_balances b ON b.key_id = asked.key_id
            LEFT JOIN usage_months m ON m.key_id = b.key_id ORDER BY m.month DESC`
        )
        const found = Map.groupBy(rows, (row) => row.keyId)
        return keyIds.map((keyId) => toUsageByMonth(month, found.get(keyId) ?? []))
      })

      return Ledger.of({
        // SQLite has only one writing transaction at a time, so there is nothing to lock.
        lock: (keyIds) => (isPostgres ? execute(lock(keyIds)) : Effect.void),
        debit: debitsOf(sql),
        append: (entry) => orDefect(append(entry)),
        balances,
        dueNotices: orDefect(
          valuesOf(KeyId, sql`SELECT key_id FROM credit_balances WHERE is_notice_due = 1 LIMIT ${maxDue}`)
        ),
        takeNotice: (keyId) =>
          findValue(
            Schema.Int,
            sql`
              UPDATE credit_balances SET is_notice_due = 0 WHERE key_id = ${keyId} AND is_notice_due = 1 RETURNING balance`
          ),
        standing,
        days: (keyId, { month, subKeyId }) => {
          const isInMonth = month === undefined ? sql`` : sql` AND substr(d.day, 1, 7) = ${month}`
          const isOfSubKey = subKeyId === undefined ? sql`` : sql` AND d.sub_key_id = ${subKeyId}`
          return findAll(
            DailyRequests,
            days(sql`d.key_id = ${keyId}${isInMonth}${isOfSubKey} ORDER BY d.day, d.sub_key_id`)
          )
        },
        daysBefore: (keyId, day, limit) =>
          findAll(
            DailyForecasts,
            days(sql`d.key_id = ${keyId} AND d.day < ${day} ORDER BY d.day DESC, d.sub_key_id LIMIT ${limit}`)
          ),
        entriesOfDays,
        changes: (keyId, { before, from }, limit) =>
          entriesWhere(sql`
            e.key_id = ${keyId} AND e.kind <> 'forecast' AND e.created_at >= ${from} AND e.created_at < ${before}
            ORDER BY e.created_at DESC, e.id DESC LIMIT ${limit}`),
        usages,
        entries: (keyId, limit, before = Number.MAX_SAFE_INTEGER) => entries(keyId, limit, before),
        eraseReferences: (keyId) =>
          execute(sql`
            UPDATE credit_ledger SET reference = 'adjustment:erased ' || id
            WHERE key_id = ${keyId} AND kind <> 'forecast' AND kind = 'adjustment' AND reference LIKE 'adjustment:%'`),
        find: (reference) => Effect.map(entriesWhere(sql`e.reference = ${reference}`), Array.head)
      })
    })
  )
}
