import { Array as Arr, Effect, Result, Schema } from "effect"
import type { SqlClient, Statement } from "effect/sql"
import { cellsOf, dialectOf, rowsOf, valuesOf } from "../database/Statements.ts"
import { orDefect } from "../database/Failures.ts"
import { KeyId, KeyRevoked, KeyState, Plan, unusable } from "../KeyStatus.ts"
import type { Debit, DebitTime } from "./LedgerEntry.ts"
import { type Standing, type Balance, isPayable, noBalance, withAllowance } from "./Balance.ts"
import { dayOf } from "../text/Times.ts"

/**
 * `debit` of the ledger. The month stored with a balance only advances; finished months and late forecasts are
 * added to `usage_months`: a statement that has waited for a balance does not see rows that others wrote there in the
 * meantime, but it adds to them.
 */
export type MakeDebits = (
  debits: ReadonlyArray<Debit>,
  time: DebitTime
) => Effect.Effect<ReadonlyArray<Result.Result<Standing, Standing>>>

export const BalanceRow = Schema.Struct({ balance: Schema.Int, granted: Schema.Int })

export const toBalance = ({ balance, granted }: typeof BalanceRow.Type): Balance => ({ remaining: balance, granted })

/** A key before its debits; `requests` are its forecasts in their month. */
export const KeyRow = Schema.Struct({
  ...BalanceRow.fields,
  keyId: KeyId,
  requests: Schema.Int,
  state: KeyState,
  plan: Plan,
  prefix: Schema.String
})
export type KeyRow = typeof KeyRow.Type

/** A sub-key before its debits; `requests` are its forecasts in their month. */
export const SubKeyRow = Schema.Struct({
  id: Schema.String,
  monthlyLimit: Schema.NullOr(Schema.Int),
  requests: Schema.Int,
  revokedAt: Schema.NullOr(Schema.Int),
  prefix: Schema.String
})
export type SubKeyRow = typeof SubKeyRow.Type

/** What a debit of a key itself finds. */
export const toStanding = (row: KeyRow): Standing => {
  const reason = unusable(row)
  return { ...toBalance(row), requests: row.requests, ...(reason && { unusable: reason }) }
}

/** The same for a sub-key; one that is missing was revoked, and has been deleted since. */
export const withSubKey = (
  standing: Standing,
  subKey: SubKeyRow | undefined,
  { createdAt, month }: DebitTime
): Standing => {
  if (subKey === undefined) return { ...standing, unusable: new KeyRevoked({ prefix: "" }) }
  const { prefix, requests, revokedAt } = subKey
  const found = withAllowance({ ...standing, requests }, subKey, month, createdAt)
  return standing.unusable !== undefined || revokedAt === null
    ? found
    : { ...found, unusable: new KeyRevoked({ prefix }) }
}

/** Rows for a table of keys, each once. */
export const keysOf = (keyIds: ReadonlyArray<KeyId>) => [...new Set(keyIds)].map((keyId) => ({ key_id: keyId }))

/**
 * IDs for new entries, in order; called while their balances are locked, so that the IDs of a key's entries increase.
 */
export const newEntryIds = (sql: SqlClient.SqlClient, count: number) =>
  dialectOf(sql).isPostgres
    ? valuesOf(
        Schema.Int,
        sql`SELECT nextval(pg_get_serial_sequence('credit_ledger', 'id')) FROM generate_series(1, ${count})`
      )
    : Effect.map(valuesOf(Schema.Int, sql`SELECT coalesce(max(id), 0) FROM credit_ledger`), ([last = 0]) =>
        Arr.range(last + 1, last + count)
      )

/** The forecasts in `usage_months` in a month for the key of the balance `b`. */
export const pastRequests = (sql: SqlClient.SqlClient, month: string) =>
  sql`(SELECT requests FROM usage_months m WHERE m.key_id = b.key_id AND m.month = ${month})`

/**
 * The forecasts of the sub-key `s` in a month: from its row if it is the latest month, because a lock sees what others
 * have written in the meantime, otherwise from its days.
 */
export const subKeyRequests = (sql: SqlClient.SqlClient, month: string) => sql`
  CASE WHEN s.month = ${month} THEN s.requests WHEN s.month > ${month} THEN (
    SELECT CAST(coalesce(sum(requests), 0) AS ${dialectOf(sql).integer}) FROM usage_days d
    WHERE d.key_id = s.key_id AND d.sub_key_id = s.id AND substr(d.day, 1, 7) = ${month}
  ) ELSE 0 END`

/** The columns of a `SubKeyRow`, for the sub-key `s` in a month. */
export const subKeyColumns = (sql: SqlClient.SqlClient, month: string) =>
  sql`s.id, s.monthly_limit, ${subKeyRequests(sql, month)} AS requests, s.revoked_at, s.secret_prefix AS prefix`

/** Counts forecasts of sub-keys in their rows, from a table `used` of their ids and their forecasts in a month. */
export const countSubKeys = (
  sql: SqlClient.SqlClient,
  used: Statement.Fragment,
  { createdAt, month }: DebitTime
) => sql`
  UPDATE sub_keys
  SET requests = CASE WHEN month > ${month} THEN sub_keys.requests ELSE used.requests END,
    month = CASE WHEN month > ${month} THEN month ELSE ${month} END, last_used_at = ${createdAt}
  FROM ${used} WHERE sub_keys.id = used.id`

/** Adds the forecasts of `made`, which has a row for each debit and its entry, to the days of keys and sub-keys. */
export const countDays = (sql: SqlClient.SqlClient, made: Statement.Fragment, { createdAt }: DebitTime) => sql`
  INSERT INTO usage_days AS d (key_id, day, sub_key_id, requests, last_entry_id)
  SELECT key_id, ${dayOf(createdAt)}, coalesce(sub_key_id, ''), CAST(sum(cost) AS ${dialectOf(sql).integer}), max(id)
  FROM ${made} WHERE true GROUP BY key_id, sub_key_id
  ON CONFLICT (key_id, day, sub_key_id)
  DO UPDATE SET requests = d.requests + excluded.requests, last_entry_id = excluded.last_entry_id`

/**
 * True if a notice becomes due when the balance in the row `b` falls to `remaining`: it is 0, or it has just fallen
 * below a fifth of its value after credits were last added. This happens once, because it only falls until the next
 * time.
 */
export const isNoticeDue = (sql: SqlClient.SqlClient, remaining: Statement.Fragment) => sql`
  CASE WHEN ${remaining} = 0 OR (5 * ${remaining} < b.refilled_to AND 5 * b.balance >= b.refilled_to)
    THEN 1 ELSE b.is_notice_due END`

/**
 * Applies the debits in order to the previous state of keys and sub-keys, `before` and `subKeysBefore`, as far as these
 * can be used, and the credits and the limits of sub-keys suffice.
 */
export const apply = (
  debits: ReadonlyArray<Debit>,
  before: ReadonlyArray<KeyRow>,
  subKeysBefore: ReadonlyArray<SubKeyRow>,
  time: DebitTime
) => {
  const current = new Map(before.map((row): [string, Standing] => [row.keyId, toStanding(row)]))
  const subKeys = new Map<string, SubKeyRow>(subKeysBefore.map((row) => [row.id, row]))
  /** The debits that are made, each with the balance that it leaves. */
  const made: Array<Debit & { readonly balanceAfter: number }> = []
  const debited = debits.map((debit): Result.Result<Standing, Standing> => {
    const { cost, keyId, subKeyId } = debit
    const ofKey: Standing = current.get(keyId) ?? { ...noBalance, requests: 0 }
    const subKey = subKeys.get(subKeyId ?? "")
    const found = subKeyId === undefined ? ofKey : withSubKey(ofKey, subKey, time)
    if (found.unusable !== undefined || !isPayable(cost, found)) return Result.fail(found)
    const after = {
      remaining: ofKey.remaining - cost,
      granted: ofKey.granted,
      requests: ofKey.requests + cost
    }
    current.set(keyId, after)
    made.push({ ...debit, balanceAfter: after.remaining })
    if (subKey === undefined) return Result.succeed(after)
    const used = { ...subKey, requests: subKey.requests + cost }
    subKeys.set(subKey.id, used)
    return Result.succeed(withSubKey(after, used, time))
  })
  return { made, subKeys, debited }
}

/** A key as selected by `debitsInSteps`: `month` is the one stored with the balance, `counted` its forecasts. */
type CellsBefore = readonly [
  keyId: KeyRow["keyId"],
  balance: KeyRow["balance"],
  granted: KeyRow["granted"],
  requests: KeyRow["requests"],
  state: KeyRow["state"],
  plan: KeyRow["plan"],
  prefix: KeyRow["prefix"],
  lastEntryId: number | null,
  month: string | null,
  counted: number
]

const fromCellsBefore = (cells: CellsBefore) => {
  const [keyId, balance, granted, requests, state, plan, prefix, lastEntryId, month, counted] = cells
  return { keyId, balance, granted, requests, state, plan, prefix, lastEntryId, month, counted }
}

/**
 * Any number of debits in five statements: their changes follow from the balances. There is one more if a debit is not
 * in the month of its balance, and two more if there are sub-keys.
 */
export const debitsInSteps = (sql: SqlClient.SqlClient): MakeDebits => {
  const { isPostgres, tableOf } = dialectOf(sql)
  // Until the debit is committed, nobody can revoke what it charges. SQLite has only one writing transaction at a time.
  const locked = (of: string) => sql.literal(isPostgres ? of : "")
  /** Reads sub-keys after the balances of their keys, which are locked. */
  const readSubKeys = (ids: ReadonlyArray<string>, month: string) =>
    ids.length === 0
      ? Effect.succeed([])
      : rowsOf(
          SubKeyRow,
          sql`
            SELECT ${subKeyColumns(sql, month)}
            FROM ${tableOf(
              ids.map((id) => ({ id })),
              "asked",
              { id: "text" }
            )} JOIN sub_keys s ON s.id = asked.id ${locked("FOR UPDATE OF s")}`
        )

  return Effect.fnUntraced(function* (debits, time) {
    const { createdAt, month } = time
    const asked = tableOf(keysOf(debits.map(({ keyId }) => keyId)), "asked", { key_id: "text" })
    const rows = yield* cellsOf<CellsBefore>(
      sql`
        SELECT b.key_id, b.balance, b.granted,
          CASE WHEN b.month = ${month} THEN b.requests
            WHEN b.month > ${month} THEN coalesce(${pastRequests(sql, month)}, 0) ELSE 0 END,
          k.state, k.plan, k.secret_prefix, b.last_entry_id, b.month, b.requests
        FROM ${asked} JOIN credit_balances b ON b.key_id = asked.key_id JOIN api_keys k ON k.id = b.key_id
        ${locked("ORDER BY b.key_id FOR UPDATE OF b FOR SHARE OF k")}`,
      10
    )
    const before = rows.map(fromCellsBefore)
    const subKeysBefore = yield* readSubKeys([...new Set(debits.flatMap(({ subKeyId }) => subKeyId ?? []))], month)
    const { debited, made, subKeys } = apply(debits, before, subKeysBefore, time)
    const lastIds = new Map(before.map((row) => [row.keyId, row.lastEntryId]))
    const entries = Arr.zipWith(
      made,
      yield* newEntryIds(sql, made.length),
      ({ balanceAfter, cost, keyId, reference, subKeyId }, id) => {
        const previousId = lastIds.get(keyId) ?? null
        lastIds.set(keyId, id)
        return {
          id,
          keyId,
          subKeyId: subKeyId ?? null,
          kind: "forecast",
          delta: -cost,
          balanceAfter,
          reference,
          createdAt,
          previousId
        }
      }
    )
    if (!Arr.isArrayNonEmpty(entries)) return debited
    yield* sql`INSERT INTO credit_ledger ${sql.insert(entries)}`
    // What follows is read back from the entries: looking up rows by their IDs takes SQLite half as long as parsing them.
    const entriesWith = (ids: ReadonlyArray<number>) => {
      const rows = ids.map((id) => ({ id }))
      return sql`${tableOf(rows, "made", { id: "integer" })} JOIN credit_ledger e ON e.id = made.id`
    }
    const last = new Map(entries.map((entry) => [entry.keyId, entry]))
    // The month stored with a balance only advances: a clock that is behind counts in an earlier month.
    yield* sql`
      UPDATE credit_balances AS b
      SET balance = e.balance_after, last_entry_id = e.id, month = CASE WHEN b.month > ${month} THEN b.month ELSE ${month} END,
        requests = CASE WHEN b.month > ${month} THEN b.requests
          WHEN b.month = ${month} THEN b.requests + b.balance - e.balance_after ELSE b.balance - e.balance_after END,
        is_notice_due = ${isNoticeDue(sql, sql`e.balance_after`)}
      FROM ${entriesWith(Array.from(last.values(), ({ id }) => id))} WHERE b.key_id = e.key_id`
    const past = before.flatMap(({ balance, counted, keyId, month: stored }) => {
      const entry = last.get(keyId)
      if (entry === undefined || stored === null || stored === month) return []
      return stored > month
        ? [{ key_id: keyId, month, requests: balance - entry.balanceAfter }]
        : [{ key_id: keyId, month: stored, requests: counted }]
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
    const forecasts = sql`
      (SELECT e.id, e.key_id, e.sub_key_id, -e.delta AS cost FROM ${entriesWith(entries.map(({ id }) => id))}) AS made`
    yield* countDays(sql, forecasts, time)
    return debited
  }, orDefect)
}
