import { Array as Arr, Effect, Result, Schema } from "effect"
import type { SqlClient, SqlError, Statement } from "effect/sql"
import { cellsOf, dialectOf, rowsOf, valuesOf } from "../database/Statements.ts"
import { orDefect } from "../database/Failures.ts"
import { KeyId, KeyRevoked, KeyPlan, KeyState, unusable } from "../KeyStatus.ts"
import type { Debit, DebitTime } from "./LedgerEntry.ts"
import { type Standing, type Balance, isPayable, noBalance, withAllowance } from "./Balance.ts"
import { dayOf } from "../text/Times.ts"

/**
 * `debit` of the ledger. The month stored with a balance only advances; finished months and late forecasts are added to
 * `usage_months`.
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
  keyPlan: KeyPlan,
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

/** The state that a debit of a key itself finds. */
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

/** Takes IDs for new entries on Postgres, in order. */
const takeEntryIds = (sql: SqlClient.SqlClient, count: number) =>
  sql`SELECT nextval(pg_get_serial_sequence('credit_ledger', 'id')) FROM generate_series(1, ${count})`

/**
 * IDs for new entries, in order; called while their balances are locked, so that the IDs of a key's entries increase.
 */
export const newEntryIds = (sql: SqlClient.SqlClient, count: number) =>
  dialectOf(sql).isPostgres
    ? valuesOf(Schema.Int, takeEntryIds(sql, count))
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
const countSubKeys = (sql: SqlClient.SqlClient, used: Statement.Fragment, { createdAt, month }: DebitTime) => sql`
  UPDATE sub_keys
  SET requests = CASE WHEN month > ${month} THEN sub_keys.requests ELSE used.requests END,
    month = CASE WHEN month > ${month} THEN month ELSE ${month} END, last_used_at = ${createdAt}
  FROM ${used} WHERE sub_keys.id = used.id`

/** Adds the forecasts of `made`, which has a row for each debit and its entry, to the days of keys and sub-keys. */
const countDays = (sql: SqlClient.SqlClient, made: Statement.Fragment, { createdAt }: DebitTime) => sql`
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
const apply = (
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

/** A key before its debits: `month` is the one stored with its balance, `counted` the forecasts stored with it. */
const KeyBefore = Schema.Struct({
  ...KeyRow.fields,
  lastEntryId: Schema.NullOr(Schema.Int),
  month: Schema.NullOr(Schema.String),
  counted: Schema.Int
})
type KeyBefore = typeof KeyBefore.Type

/** Keys and sub-keys before their debits, and an ID for the entry of each debit. */
const Before = Schema.Struct({
  keys: Schema.Array(KeyBefore),
  subKeys: Schema.Array(SubKeyRow),
  entryIds: Schema.Array(Schema.Int)
})

/** Reads what debits depend on, which nobody changes until they are committed. */
type ReadBefore = (debits: ReadonlyArray<Debit>, month: string) => Effect.Effect<typeof Before.Type, SqlError.SqlError>

/** The columns of a `KeyBefore`, for the balance `b` of the key `k`. */
const keyColumns = (sql: SqlClient.SqlClient, month: string) => sql`
  b.key_id, b.balance, b.granted,
  CASE WHEN b.month = ${month} THEN b.requests
    WHEN b.month > ${month} THEN coalesce(${pastRequests(sql, month)}, 0) ELSE 0 END AS requests,
  k.state, k.plan AS key_plan, k.secret_prefix AS prefix, b.last_entry_id, b.month, b.requests AS counted`

const keysAsked = (sql: SqlClient.SqlClient, debits: ReadonlyArray<Debit>) =>
  dialectOf(sql).tableOf(keysOf(debits.map(({ keyId }) => keyId)), "asked", { key_id: "text" })

const subKeyIdsOf = (debits: ReadonlyArray<Debit>) => [...new Set(debits.flatMap(({ subKeyId }) => subKeyId ?? []))]

const subKeysAsked = (sql: SqlClient.SqlClient, ids: ReadonlyArray<string>) =>
  dialectOf(sql).tableOf(
    ids.map((id) => ({ id })),
    "asked",
    { id: "text" }
  )

/** The cells of `keyColumns`. */
type KeyCells = readonly [
  keyId: KeyBefore["keyId"],
  balance: KeyBefore["balance"],
  granted: KeyBefore["granted"],
  requests: KeyBefore["requests"],
  state: KeyBefore["state"],
  keyPlan: KeyBefore["keyPlan"],
  prefix: KeyBefore["prefix"],
  lastEntryId: KeyBefore["lastEntryId"],
  month: KeyBefore["month"],
  counted: KeyBefore["counted"]
]

const fromKeyCells = (cells: KeyCells): KeyBefore => {
  const [keyId, balance, granted, requests, state, keyPlan, prefix, lastEntryId, month, counted] = cells
  return { keyId, balance, granted, requests, state, keyPlan, prefix, lastEntryId, month, counted }
}

/** SQLite has only one writing transaction at a time, so there is nothing to lock. */
const readOnSqlite = (sql: SqlClient.SqlClient): ReadBefore =>
  Effect.fnUntraced(function* (debits, month) {
    const keys = yield* cellsOf<KeyCells>(
      sql`
        SELECT ${keyColumns(sql, month)}
        FROM ${keysAsked(sql, debits)} JOIN credit_balances b ON b.key_id = asked.key_id
        JOIN api_keys k ON k.id = b.key_id`,
      10
    )
    const ids = subKeyIdsOf(debits)
    const subKeys =
      ids.length === 0
        ? []
        : yield* rowsOf(
            SubKeyRow,
            sql`
              SELECT ${subKeyColumns(sql, month)}
              FROM ${subKeysAsked(sql, ids)} JOIN sub_keys s ON s.id = asked.id`
          )
    return { keys: keys.map(fromKeyCells), subKeys, entryIds: yield* newEntryIds(sql, debits.length) }
  })

/** Locks balances, keys and sub-keys on Postgres as it reads them, and takes IDs after all balances are locked. */
const lockOnPostgres = (sql: SqlClient.SqlClient): ReadBefore => {
  const read: ReadBefore = Effect.fnUntraced(function* (debits, month) {
    const [before] = yield* rowsOf(
      Before,
      sql`
        WITH held AS (
          SELECT ${keyColumns(sql, month)}
          FROM ${keysAsked(sql, debits)} JOIN credit_balances b ON b.key_id = asked.key_id
          JOIN api_keys k ON k.id = b.key_id ORDER BY b.key_id FOR UPDATE OF b FOR SHARE OF k
        ), sub_key AS (
          SELECT ${subKeyColumns(sql, month)}
          FROM ${subKeysAsked(sql, subKeyIdsOf(debits))} JOIN sub_keys s ON s.id = asked.id
          JOIN held ON held.key_id = s.key_id FOR UPDATE OF s
        )
        SELECT coalesce((SELECT json_agg(held) FROM held), '[]') AS keys,
          coalesce((SELECT json_agg(sub_key) FROM sub_key), '[]') AS sub_keys,
          ARRAY(${takeEntryIds(sql, debits.length)} WHERE (SELECT count(*) FROM held) >= 0) AS entry_ids`
    )
    return before ?? (yield* Effect.die(new Error("A statement of one row has none")))
  })
  return Effect.fnUntraced(function* (debits, month) {
    const before = yield* read(debits, month)
    // A statement that has waited for a balance does not see what others have counted in earlier months in the
    // meantime; now that the balances are locked, another one does.
    const isLate = before.keys.some((key) => key.month !== null && key.month > month)
    return isLate ? yield* read(debits, month) : before
  })
}

/**
 * Any number of debits: one statement of Postgres reads, `apply` decides, and another one writes, because each would
 * cost a round trip; SQLite takes several of each.
 */
export const debitsOf = (sql: SqlClient.SqlClient): MakeDebits => {
  const { integer, isPostgres, tableOf } = dialectOf(sql)
  const read = isPostgres ? lockOnPostgres(sql) : readOnSqlite(sql)
  // Looking up entries by their IDs takes SQLite half as long as parsing them again. On Postgres, the parts of a
  // statement see nothing of each other except what they return.
  const written = sql.literal(isPostgres ? "entry" : "credit_ledger AS entry")
  const entriesWith = (ids: ReadonlyArray<number>) => {
    const rows = ids.map((id) => ({ id }))
    return sql`${tableOf(rows, "made", { id: "integer" })} JOIN ${written} ON entry.id = made.id`
  }

  /** Makes changes; the first one inserts the entries that the others read. */
  const write = (first: Statement.Fragment, others: ReadonlyArray<Statement.Fragment>) =>
    isPostgres
      ? sql`
          WITH entry AS (${first} RETURNING *)${others.reduce(
            (all, change, i) => sql`${all}, ${sql(`change_${i}`)} AS (${change})`,
            sql``
          )}
          SELECT 1`
      : Effect.forEach([first, ...others], (change) => sql`${change}`, { discard: true })

  return Effect.fnUntraced(function* (debits, time) {
    if (debits.length === 0) return []
    const { createdAt, month } = time
    const before = yield* read(debits, month)
    const { debited, made, subKeys } = apply(debits, before.keys, before.subKeys, time)
    const lastIds = new Map(before.keys.map((row) => [row.keyId, row.lastEntryId]))
    const entries = Arr.zipWith(made, before.entryIds, ({ balanceAfter, cost, keyId, reference, subKeyId }, id) => {
      const previousId = lastIds.get(keyId) ?? null
      lastIds.set(keyId, id)
      return {
        id,
        key_id: keyId,
        sub_key_id: subKeyId ?? null,
        delta: -cost,
        balance_after: balanceAfter,
        reference,
        previous_id: previousId
      }
    })
    if (entries.length === 0) return debited
    const last = new Map(entries.map((entry) => [entry.key_id, entry]))
    const past = before.keys.flatMap(({ balance, counted, keyId, month: stored }) => {
      const entry = last.get(keyId)
      if (entry === undefined || stored === null || stored === month) return []
      return stored > month
        ? [{ key_id: keyId, month, requests: balance - entry.balance_after }]
        : [{ key_id: keyId, month: stored, requests: counted }]
    })
    const used = before.subKeys.flatMap(({ id, requests }) => {
      const after = subKeys.get(id)?.requests ?? requests
      return after > requests ? [{ id, requests: after }] : []
    })
    const forecasts = sql`
      (SELECT entry.id, entry.key_id, entry.sub_key_id, -entry.delta AS cost
       FROM ${entriesWith(entries.map(({ id }) => id))}) AS made`
    yield* write(
      sql`
        INSERT INTO credit_ledger (id, key_id, sub_key_id, kind, delta, balance_after, reference, created_at, previous_id)
        SELECT id, key_id, sub_key_id, 'forecast', delta, balance_after, reference, CAST(${createdAt} AS ${integer}), previous_id
        FROM ${tableOf(entries, "made", {
          id: "integer",
          key_id: "text",
          sub_key_id: "text",
          delta: "integer",
          balance_after: "integer",
          reference: "text",
          previous_id: "integer"
        })}`,
      [
        // The month stored with a balance only advances: a clock that is behind counts in an earlier month.
        sql`
          UPDATE credit_balances AS b
          SET balance = entry.balance_after, last_entry_id = entry.id,
            month = CASE WHEN b.month > ${month} THEN b.month ELSE ${month} END,
            requests = CASE WHEN b.month > ${month} THEN b.requests
              WHEN b.month = ${month} THEN b.requests + b.balance - entry.balance_after
              ELSE b.balance - entry.balance_after END,
            is_notice_due = ${isNoticeDue(sql, sql`entry.balance_after`)}
          FROM ${entriesWith(Array.from(last.values(), ({ id }) => id))} WHERE b.key_id = entry.key_id`,
        ...(past.length === 0
          ? []
          : [
              sql`
                INSERT INTO usage_months (key_id, month, requests) SELECT key_id, month, requests
                FROM ${tableOf(past, "past", { key_id: "text", month: "text", requests: "integer" })} WHERE requests > 0
                ON CONFLICT (key_id, month) DO UPDATE SET requests = usage_months.requests + excluded.requests`
            ]),
        ...(used.length === 0
          ? []
          : [countSubKeys(sql, sql`${tableOf(used, "used", { id: "text", requests: "integer" })}`, time)]),
        countDays(sql, forecasts, time)
      ]
    )
    return debited
  }, orDefect)
}
