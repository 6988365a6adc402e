import { Clock, Effect, Layer, Schema, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, rowsOf } from "../../database/Statements.ts"
import { orDefect } from "../../database/Failures.ts"
import { keptUsageDays } from "../LedgerEntry.ts"
import { type Audit, auditOfBalances, LedgerAudit, LedgerFault, piecesBy, runAudit, wholeAudit } from "./LedgerAudit.ts"
import { dayLength, dayOf } from "../../text/Times.ts"

/** The most faults in a report, so that it stays small. */
const shownFaults = 50

/** The most keys and entries that are read in one transaction, which takes about 0.1 seconds. */
const keysAtOnce = 1000
const entriesAtOnce = 20_000

/** The record of a key. Numbers are read as floating point, because the driver rejects integers that are not exact. */
const KeyRow = Schema.Struct({
  keyId: Schema.String,
  balance: Schema.Number,
  granted: Schema.Number,
  lastEntryId: Schema.NullOr(Schema.Number),
  month: Schema.NullOr(Schema.String),
  requests: Schema.Number
})

/** The requests of a key, or of one of its sub-keys, in a month or on a day, as they are recorded. */
const UsageRow = Schema.Struct({
  keyId: Schema.String,
  subKeyId: Schema.NullOr(Schema.String),
  period: Schema.String,
  requests: Schema.Number
})

/**
 * The sum of the entries of a key, or of one of its sub-keys, in a period: of those of a sub-key on a day, of others in
 * a month, of those that are not forecasts in all. An entry that ends a walk has a row of its own, with its `step`.
 */
const WalkRow = Schema.Struct({
  position: Schema.Number,
  subKeyId: Schema.NullOr(Schema.String),
  period: Schema.String,
  step: Schema.Number,
  delta: Schema.Number,
  id: Schema.NullOr(Schema.Number),
  previousId: Schema.NullOr(Schema.Number),
  balanceAfter: Schema.NullOr(Schema.Number)
})

/** The next entries of a key to walk over. */
interface Walk {
  readonly books: KeyBooks
  readonly entryId: number
}

/** The records of a key, to compare with its entries. */
interface KeyBooks {
  readonly keyId: string
  readonly key: typeof KeyRow.Type | undefined
  /** The recorded requests, and the sum of the entries, by the words for them. */
  readonly recorded: Map<string, number>
  readonly walked: Map<string, number>
  /** The recorded requests of the key in all months. */
  requests: number
  /** The balance before the entries that were walked over, and after them. */
  balance: number
  /** True if an entry is missing, so that the sums are not known. */
  isBroken: boolean
}

/** An entry that does not follow from the one before it. */
const EntryRow = Schema.Struct({
  id: Schema.Number,
  keyId: Schema.String,
  previousId: Schema.NullOr(Schema.Number),
  delta: Schema.Number,
  balanceAfter: Schema.Number,
  earlierKeyId: Schema.NullOr(Schema.String),
  earlierBalance: Schema.NullOr(Schema.Number)
})

const KeyPiece = Schema.Struct({ keys: Schema.Int, last: Schema.NullOr(Schema.String) })
const EntryPiece = Schema.Struct({ entries: Schema.Int, last: Schema.NullOr(Schema.Int) })

const faultOf = (row: typeof EntryRow.Type): LedgerFault => {
  const { balanceAfter: balance, delta, id, keyId, previousId } = row
  const fault = (what: string, expected: string | number, found: string | number) => ({ keyId, what, expected, found })
  if (previousId !== null && previousId >= id) return fault(`entry before entry ${id}`, `below ${id}`, previousId)
  if (previousId !== null && row.earlierKeyId !== keyId) {
    return fault(`entry ${previousId}`, "an entry of this key", row.earlierKeyId ?? "none")
  }
  const sum = (row.earlierBalance ?? 0) + delta
  if (balance !== sum) return fault(`balance_after of entry ${id}`, sum, balance)
  if (balance < 0) return fault(`balance_after of entry ${id}`, "at least 0", balance)
  return fault(`delta of entry ${id}, a forecast`, -1, delta)
}

const monthLength = "2026-11".length

/** The words for the requests of a key, or of a sub-key, in a month or on a day. */
const requestsOf = (subKeyId: string | null, period: string) => {
  const isMonth = period.length <= monthLength
  const when = `${isMonth ? "in" : "on"} ${period === "" ? "no month" : period}`
  return subKeyId === null ? `requests ${when}` : `requests of ${subKeyId} ${when}`
}

const add = (sums: Map<string, number>, name: string, amount: number) => sums.set(name, (sums.get(name) ?? 0) + amount)

const booksOf = (keyId: string, key?: typeof KeyRow.Type): KeyBooks => {
  const recorded = new Map<string, number>()
  if (key !== undefined) {
    recorded.set("granted", key.granted)
    if (key.month !== null) recorded.set(requestsOf(null, key.month), key.requests)
  }
  return { keyId, key, recorded, walked: new Map(), requests: key?.requests ?? 0, balance: 0, isBroken: false }
}

/** Adds entries to the sums of their key. Only the latest month of a sub-key, and its days after `before`, are recorded. */
const addTo = (books: KeyBooks, { delta, period, subKeyId }: typeof WalkRow.Type, before: string) => {
  const { recorded, walked } = books
  books.balance += delta
  if (delta === 0) return
  if (period === "granted") return void add(walked, period, delta)
  const month = period.slice(0, monthLength)
  add(walked, requestsOf(null, month), -delta)
  if (subKeyId === null) return
  const ofMonth = requestsOf(subKeyId, month)
  if (recorded.has(ofMonth)) add(walked, ofMonth, -delta)
  if (period > before) add(walked, requestsOf(subKeyId, period), -delta)
}

/**
 * The faults in the records of a key. If only its entries since the last audit were walked over, a sum of them is the
 * least that may be recorded, and the months together have to explain the balance.
 */
const compare = (books: KeyBooks, isWhole: boolean): ReadonlyArray<LedgerFault> => {
  const { balance, isBroken, key, keyId, recorded, requests, walked } = books
  if (isBroken) return []
  const names = [...new Set([...recorded.keys(), ...walked.keys()])].toSorted()
  const sums = names.flatMap((what) => {
    const [expected, found] = [walked.get(what) ?? 0, recorded.get(what) ?? 0]
    return (isWhole ? found === expected : found >= expected) ? [] : [{ keyId, what, expected, found }]
  })
  const stored = key?.balance ?? 0
  const taken = (key?.granted ?? 0) - stored
  return [
    ...(stored === balance ? [] : [{ keyId, what: "balance", expected: balance, found: stored }]),
    ...sums,
    ...(isWhole || requests === taken || stored !== balance
      ? []
      : [{ keyId, what: "requests in all months", expected: taken, found: requests }])
  ]
}

/** The statements that read an audit's pieces, and find faults in them. Without transforms, which cost a third. */
const statementsOn = (client: SqlClient.SqlClient, since: number) => {
  const sql = client.withoutTransforms()
  const { isPostgres, real, tableOf } = dialectOf(sql)

  /** The number of keys in the next piece, and the last one. */
  const keysAfter = (keyId: string) =>
    Effect.map(
      rowsOf(
        KeyPiece,
        sql`
        SELECT count(*) AS keys, max(key_id) AS last
        FROM (SELECT key_id FROM credit_balances WHERE key_id > ${keyId} ORDER BY key_id LIMIT ${keysAtOnce}) AS piece`
      ),
      ([piece]) => piece ?? { keys: 0, last: null }
    )

  const isInPiece = (after: string, to: string | null) =>
    to === null ? sql`b.key_id > ${after}` : sql`b.key_id > ${after} AND b.key_id <= ${to}`

  /** The keys with entries to walk over, and those whose balance is not that of their last entry and of their usage. */
  const keysIn = (after: string, to: string | null) =>
    rowsOf(
      KeyRow,
      sql`
      SELECT b.key_id AS "keyId", CAST(b.balance AS ${real}) AS balance, CAST(b.granted AS ${real}) AS granted,
        b.last_entry_id AS "lastEntryId", b.month, CAST(b.requests AS ${real}) AS requests
      FROM credit_balances b LEFT JOIN credit_ledger e ON e.id = b.last_entry_id AND e.key_id = b.key_id
      WHERE ${isInPiece(after, to)} AND (
        b.last_entry_id > ${since} OR e.id IS NULL OR e.balance_after <> b.balance
        OR b.granted - b.balance <> b.requests
          + COALESCE((SELECT sum(m.requests) FROM usage_months m WHERE m.key_id = b.key_id), 0))
      ORDER BY b.key_id`
    )

  /** The recorded usage of these keys; in a whole audit, of all in the piece. Days up to `before` may be deleted. */
  const usageOf = (keys: ReadonlyArray<typeof KeyRow.Type>, after: string, to: string | null, before: string) => {
    const ids = keys.map(({ keyId }) => ({ key_id: keyId }))
    const areWanted =
      since === 0
        ? isInPiece(after, to)
        : sql`b.key_id IN (SELECT key_id FROM ${tableOf(ids, "asked", { key_id: "text" })})`
    return rowsOf(
      UsageRow,
      sql`
      SELECT b.key_id AS "keyId", NULL AS "subKeyId", b.month AS period, CAST(b.requests AS ${real}) AS requests
      FROM usage_months b WHERE ${areWanted}
      UNION ALL
      SELECT b.key_id, b.id, b.month, CAST(b.requests AS ${real})
      FROM sub_keys b WHERE ${areWanted} AND b.month IS NOT NULL
      UNION ALL
      SELECT b.key_id, b.sub_key_id, b.day, CAST(b.requests AS ${real})
      FROM usage_days b WHERE ${areWanted} AND b.sub_key_id <> '' AND b.day > ${before}`
    )
  }

  const periodIn = (sqlite: string, postgres: string) =>
    sql.literal(
      isPostgres
        ? `CASE WHEN e.created_at BETWEEN 0 AND 253402300799999
             THEN to_char(to_timestamp(e.created_at / 1000) AT TIME ZONE 'UTC', '${postgres}') ELSE '' END`
        : `COALESCE(strftime('${sqlite}', e.created_at / 1000, 'unixepoch'), '')`
    )

  /**
   * Walks from an entry of each key to those before it, as far as the last audited one, or for some steps, and adds them
   * up.
   */
  const walk = (walks: ReadonlyArray<Walk>, steps: number) => {
    const starts = walks.map(({ books, entryId }) => ({ key_id: books.keyId, entry_id: entryId }))
    const columns = sql`e.id, e.previous_id, CAST(e.balance_after AS ${real}) AS balance_after,
      CAST(e.delta AS ${real}) AS delta, CASE WHEN e.kind = 'forecast' THEN e.sub_key_id END AS sub_key_id,
      CASE WHEN e.kind <> 'forecast' THEN 'granted' WHEN e.sub_key_id IS NULL
        THEN ${periodIn("%Y-%m", "YYYY-MM")} ELSE ${periodIn("%Y-%m-%d", "YYYY-MM-DD")} END AS period`
    return rowsOf(
      WalkRow,
      sql`
      WITH RECURSIVE walk AS (
        SELECT start.position, start.key_id, 1 AS step, ${columns}
        FROM ${tableOf(starts, "start", { key_id: "text", entry_id: "integer" })}
        LEFT JOIN credit_ledger e ON e.id = start.entry_id AND e.key_id = start.key_id
        UNION ALL
        SELECT w.position, w.key_id, w.step + 1, ${columns}
        FROM walk w LEFT JOIN credit_ledger e ON e.id = w.previous_id AND e.key_id = w.key_id AND e.id < w.id
        WHERE w.id > ${since} AND w.previous_id IS NOT NULL AND w.step < ${steps}
      ), step AS (
        SELECT position, sub_key_id, COALESCE(period, '') AS period, id, previous_id, balance_after,
          CASE WHEN id > ${since} THEN delta ELSE 0 END AS delta,
          CASE WHEN id > ${since} AND step < ${steps} THEN 0 ELSE step END AS step
        FROM walk
      )
      SELECT position, sub_key_id AS "subKeyId", period, step, sum(delta) AS delta, max(id) AS id,
        max(previous_id) AS "previousId", max(balance_after) AS "balanceAfter"
      FROM step GROUP BY position, sub_key_id, period, step`
    )
  }

  /** The size of the next piece of entries, and its last one. */
  const entriesAfter = (id: number) =>
    Effect.map(
      rowsOf(
        EntryPiece,
        sql`
        SELECT count(*) AS entries, max(id) AS last
        FROM (SELECT id FROM credit_ledger WHERE id > ${id} ORDER BY id LIMIT ${entriesAtOnce}) AS piece`
      ),
      ([piece]) => piece ?? { entries: 0, last: null }
    )

  /** Checks that each entry names the previous one of its key, and adds to its balance. */
  const links = (after: number, to: number) =>
    Effect.map(
      rowsOf(
        EntryRow,
        sql`
        WITH entry AS NOT MATERIALIZED (
          SELECT id, key_id, kind, previous_id, CAST(delta AS ${real}) AS delta,
            CAST(balance_after AS ${real}) AS balance_after
          FROM credit_ledger
        )
        SELECT entry.id, entry.key_id AS "keyId", entry.previous_id AS "previousId", entry.delta,
          entry.balance_after AS "balanceAfter", earlier.key_id AS "earlierKeyId",
          earlier.balance_after AS "earlierBalance"
        FROM entry LEFT JOIN entry AS earlier ON earlier.id = entry.previous_id
        WHERE entry.id > ${after} AND entry.id <= ${to} AND (
          entry.balance_after <> COALESCE(earlier.balance_after, 0) + entry.delta OR entry.balance_after < 0
          OR (entry.kind = 'forecast' AND entry.delta > -1)
          OR (entry.previous_id IS NOT NULL
            AND (entry.previous_id >= entry.id OR earlier.key_id IS NULL OR earlier.key_id <> entry.key_id)))
        ORDER BY entry.id`
      ),
      (rows) => rows.map(faultOf)
    )

  /** Checks that every entry is followed by another one, unless the balance of its key names it as the last. */
  const ends = (after: number, to: number) =>
    rowsOf(
      LedgerFault,
      sql`
      SELECT key_id AS "keyId", 'what follows entry ' || id AS what, 'an entry or the balance' AS expected, 'none' AS found
      FROM credit_ledger AS entry
      WHERE id > ${after} AND id <= ${to}
        AND NOT EXISTS (SELECT 1 FROM credit_ledger WHERE previous_id = entry.id)
        AND NOT EXISTS (SELECT 1 FROM credit_balances b WHERE b.key_id = entry.key_id AND b.last_entry_id = entry.id)
      ORDER BY id`
    )

  /** Checks that no earlier entry has the reference of an entry. */
  const references = (after: number, to: number) =>
    rowsOf(
      LedgerFault,
      sql`
      SELECT key_id AS "keyId", 'entries with the reference ' || reference AS what, 1 AS expected,
        (SELECT count(*) FROM credit_ledger WHERE reference = entry.reference) AS found
      FROM credit_ledger AS entry
      WHERE id > ${after} AND id <= ${to}
        AND EXISTS (SELECT 1 FROM credit_ledger AS other WHERE other.reference = entry.reference AND other.id < entry.id)
      ORDER BY id`
    )

  return { keysAfter, keysIn, usageOf, walk, entriesAfter, links, ends, references }
}

/** Runs reads on one snapshot. */
const onSnapshot = <A, E, R>(sql: SqlClient.SqlClient, reads: Effect.Effect<A, E, R>) =>
  Effect.provideService(
    sql.withTransaction(reads),
    SqlClient.BeginTransaction,
    dialectOf(sql).isPostgres ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN"
  )

/** The findings of a piece of an audit. */
type Found = Pick<Audit, "keysTo" | "entriesTo" | "keys" | "entries" | "faults">

/** Checks the balance, the granted credits and the usage of some keys after one, against the sums of their entries. */
const checkKeys = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { entriesTo, since }: Audit, after: string) {
  const { keysAfter, keysIn, usageOf, walk } = statementsOn(sql, since)
  const before = dayOf((yield* Clock.currentTimeMillis) - keptUsageDays * dayLength)
  const faults: Array<LedgerFault> = []

  /** Adds up entries of keys, and returns the walks that have not ended. */
  const walkOn = Effect.fnUntraced(function* (walks: ReadonlyArray<Walk>) {
    const next: Array<Walk> = []
    if (walks.length === 0) return next
    for (const row of yield* walk(walks, Math.floor(entriesAtOnce / walks.length))) {
      const walked = walks[row.position]
      if (walked === undefined) return yield* Effect.die(new Error("A walk has vanished"))
      const { books, entryId } = walked
      addTo(books, row, before)
      if (row.step === 0) continue
      const { balanceAfter, id, previousId } = row
      if (id === null || balanceAfter === null || (previousId ?? 0) >= id) {
        books.isBroken = true
        // Of any other entry, the check of the one after it says so.
        if (id === null && row.step === 1 && entryId === books.key?.lastEntryId) {
          faults.push({ keyId: books.keyId, what: `entry ${entryId}`, expected: "an entry of this key", found: "none" })
        }
      } else if (id <= since) books.balance += balanceAfter
      else if (previousId !== null) next.push({ books, entryId: previousId })
    }
    return next
  })

  // The records are those of one snapshot. Entries before the last one of a key do not change afterwards.
  const begin = Effect.gen(function* () {
    const { keys, last } = yield* keysAfter(after)
    const to = keys < keysAtOnce ? null : last
    const found = yield* keysIn(after, to)
    const books = new Map(found.map((key) => [key.keyId, booksOf(key.keyId, key)]))
    for (const { keyId, period, requests, subKeyId } of yield* usageOf(found, after, to, before)) {
      const of = books.get(keyId) ?? booksOf(keyId)
      books.set(keyId, of)
      add(of.recorded, requestsOf(subKeyId, period), requests)
      if (subKeyId === null) of.requests += requests
    }
    const walks = [...books.values()].flatMap((books) => {
      const entryId = books.key?.lastEntryId ?? null
      return entryId === null ? [] : [{ books, entryId }]
    })
    return { keys, to, books, walks: yield* walkOn(walks) }
  })

  const { books, keys, to, ...began } = yield* onSnapshot(sql, begin)
  for (let { walks } = began; walks.length > 0;) walks = yield* onSnapshot(sql, walkOn(walks))
  for (const of of books.values()) faults.push(...compare(of, since === 0))
  const found: Found = { keysTo: to, entriesTo, keys, entries: 0, faults }
  return found
})

/** Checks some entries after one: what is before and after each, and its reference. */
const checkEntries = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, { since }: Audit, after: number) {
  const { ends, links, entriesAfter, references } = statementsOn(sql, since)
  const read = Effect.gen(function* () {
    const { entries, last } = yield* entriesAfter(after)
    const checks = last === null ? [] : [links(after, last), ends(after, last), references(after, last)]
    return { entries, last, faults: (yield* Effect.all(checks)).flat() }
  })
  const { entries, faults, last } = yield* onSnapshot(sql, read)
  const found: Found = { keysTo: null, entriesTo: entries < entriesAtOnce ? null : last, keys: 0, entries, faults }
  return found
})

/** Checks the next piece of an audit that has not ended. On SQLite this blocks the thread for 0.1 seconds. */
export const advance = Effect.fn("LedgerAudit.advance")(function* (audit: Audit) {
  const sql = yield* SqlClient.SqlClient
  const { entriesTo, keysTo } = audit
  if (entriesTo === null) return audit
  const began = yield* Clock.currentTimeMillis
  const check = keysTo === null ? checkEntries(sql, audit, entriesTo) : checkKeys(sql, audit, keysTo)
  const { faults, ...found } = yield* orDefect(check)
  const next: Audit = {
    ...audit,
    ...found,
    keys: audit.keys + found.keys,
    entries: audit.entries + found.entries,
    millis: audit.millis + (yield* Clock.currentTimeMillis) - began,
    faultCount: audit.faultCount + faults.length,
    faults: [...audit.faults, ...faults].slice(0, shownFaults)
  }
  return next
})

/** Audits the ledger that a client is connected to. */
export const pieces = piecesBy(advance)

/** Verifies the whole ledger that a client is connected to. */
export const verify = runAudit(pieces, wholeAudit)

/** Verifies the balances of that ledger, and the last entry of each key. */
export const verifyBalances = runAudit(pieces, auditOfBalances)

/** Runs over the provided client. */
export const layer = Layer.effect(
  LedgerAudit,
  Effect.map(SqlClient.SqlClient, (sql) =>
    LedgerAudit.make((audit) => Stream.provideService(pieces(audit), SqlClient.SqlClient, sql))
  )
)
