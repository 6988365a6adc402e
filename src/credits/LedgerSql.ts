import { Array as Arr, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import { orDefect } from "../database/Failures.ts"
import { KeyId } from "../keys/ApiKey.ts"
import {
  type Balance,
  type Debit,
  type Debited,
  type DebitTime,
  Ledger,
  type LedgerEntry,
  type LedgerKind,
  type MonthlyRequests
} from "./Ledger.ts"
import { readPage, readReferences } from "./LedgerPageSql.ts"

interface EntryRow {
  readonly id: number
  readonly key_id: string
  readonly kind: LedgerKind
  readonly delta: number
  readonly balance_after: number
  readonly reference: string
  readonly created_at: number
}

const fromRow = (row: EntryRow) => ({
  id: row.id,
  keyId: KeyId.make(row.key_id),
  kind: row.kind,
  delta: row.delta,
  balanceAfter: row.balance_after,
  reference: row.reference,
  createdAt: row.created_at
})

interface BalanceRow {
  readonly balance: number
  readonly granted: number
}

const toBalance = ({ balance, granted }: BalanceRow): Balance => ({ remaining: balance, granted })

/** The row that a statement with RETURNING always has. */
const theRow = <Row>([row]: ReadonlyArray<Row>) =>
  row === undefined ? Effect.die(new Error("A statement returned no row")) : Effect.succeed(row)

/** The ledger in the tables `credit_ledger`, `credit_balances` and `usage_months`. */
export const layer = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { isPostgres, tableOf } = dialectOf(sql)

    const insert = (entry: LedgerEntry) => sql`
      INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
      VALUES (${entry.keyId}, ${entry.kind}, ${entry.delta}, ${entry.balanceAfter}, ${entry.reference}, ${entry.createdAt})`

    /** In the order of the keys, so that two batches which hold the same ones never wait for each other. */
    const lock = (keyIds: ReadonlyArray<KeyId>) => {
      if (!isPostgres) return Effect.void
      const asked = [...new Set(keyIds)].map((keyId) => ({ key_id: keyId }))
      return Effect.asVoid(sql`
        SELECT b.key_id FROM ${tableOf(asked, "asked", { key_id: "text" })}
        JOIN credit_balances b ON b.key_id = asked.key_id ORDER BY b.key_id FOR UPDATE OF b`)
    }

    /** All debits in four statements, however many there are: what they change is known once the balances are. */
    const debit = Effect.fnUntraced(function* (debits: ReadonlyArray<Debit>, { createdAt, month }: DebitTime) {
      const asked = [...new Set(debits.map(({ keyId }) => keyId))].map((keyId) => ({ key_id: keyId }))
      const before = yield* sql<BalanceRow & { readonly key_id: string; readonly requests: number }>`
        SELECT b.key_id, b.balance, b.granted, coalesce(m.requests, 0) AS requests
        FROM ${tableOf(asked, "asked", { key_id: "text" })} JOIN credit_balances b ON b.key_id = asked.key_id
        LEFT JOIN usage_months m ON m.key_id = b.key_id AND m.month = ${month}`
      const current = new Map<string, Debited>(
        before.map((row) => [row.key_id, { ...toBalance(row), requests: row.requests }])
      )
      const debited = debits.map(({ keyId }) => {
        const found = current.get(keyId)
        if (found === undefined || found.remaining === 0) return Option.none()
        const after = { ...found, remaining: found.remaining - 1, requests: found.requests + 1 }
        current.set(keyId, after)
        return Option.some(after)
      })
      const entries = debits.flatMap(({ keyId, reference }, i) =>
        Option.match(debited[i] ?? Option.none(), {
          onNone: () => [],
          onSome: ({ remaining }) => [
            { key_id: keyId, kind: "forecast", delta: -1, balance_after: remaining, reference, created_at: createdAt }
          ]
        })
      )
      if (!Arr.isArrayNonEmpty(entries)) return debited
      const after = tableOf(
        [...current].map(([keyId, { remaining, requests }]) => ({ key_id: keyId, remaining, requests })),
        "after",
        { key_id: "text", remaining: "integer", requests: "integer" }
      )
      yield* sql`
        UPDATE credit_balances SET balance = after.remaining FROM ${after} WHERE credit_balances.key_id = after.key_id`
      yield* sql`INSERT INTO credit_ledger ${sql.insert(entries)}`
      yield* sql`
        INSERT INTO usage_months (key_id, month, requests)
        SELECT key_id, ${month}, requests FROM ${after} WHERE requests > 0
        ON CONFLICT (key_id, month) DO UPDATE SET requests = excluded.requests`
      return debited
    })

    const append = Effect.fnUntraced(function* (entry: Parameters<Ledger["Service"]["append"]>[0]) {
      // Not one upsert: SQLite checks the constraints on the row to insert, and refuses every negative change.
      yield* sql`
        INSERT INTO credit_balances (key_id, balance, granted) VALUES (${entry.keyId}, 0, 0)
        ON CONFLICT (key_id) DO NOTHING`
      const rows = yield* sql<BalanceRow>`
        UPDATE credit_balances SET balance = balance + ${entry.delta}, granted = granted + ${entry.delta}
        WHERE key_id = ${entry.keyId} RETURNING balance, granted`
      const balance = toBalance(yield* theRow(rows))
      yield* insert({ ...entry, balanceAfter: balance.remaining })
      return balance
    })

    const balance = Effect.fnUntraced(function* (keyId: KeyId) {
      const [row] = yield* sql<BalanceRow>`SELECT balance, granted FROM credit_balances WHERE key_id = ${keyId}`
      return row === undefined ? { remaining: 0, granted: 0 } : toBalance(row)
    })

    const requests = Effect.fnUntraced(function* (keyId: KeyId, month: string) {
      const [row] = yield* sql<{ readonly requests: number }>`
        SELECT requests FROM usage_months WHERE key_id = ${keyId} AND month = ${month}`
      return row?.requests ?? 0
    })

    const page = readPage(sql)
    const references = readReferences(sql)

    return Ledger.of({
      lock: (keyIds) => orDefect(lock(keyIds)),
      debit: (debits, time) => orDefect(debit(debits, time)),
      append: (entry) => orDefect(append(entry)),
      balance: (keyId) => orDefect(balance(keyId)),
      requests: (keyId, month) => orDefect(requests(keyId, month)),
      hasReference: (reference) =>
        orDefect(
          Effect.map(sql`SELECT 1 FROM credit_ledger WHERE reference = ${reference}`, (rows) => rows.length > 0)
        ),
      months: (keyId) =>
        orDefect(
          sql<MonthlyRequests>`SELECT month, requests FROM usage_months WHERE key_id = ${keyId} ORDER BY month DESC`
        ),
      entries: (keyId, limit, before = Number.MAX_SAFE_INTEGER) =>
        orDefect(
          Effect.map(
            sql<EntryRow>`
              SELECT * FROM credit_ledger WHERE key_id = ${keyId} AND id < ${before} ORDER BY id DESC LIMIT ${limit}`,
            (rows) => rows.map(fromRow)
          )
        ),
      find: (reference) =>
        orDefect(
          Effect.map(sql<EntryRow>`SELECT * FROM credit_ledger WHERE reference = ${reference}`, ([row]) =>
            Option.map(Option.fromUndefinedOr(row), fromRow)
          )
        ),
      page: (after, limit) => orDefect(page(after, limit)),
      references: (after, limit) => orDefect(references(after, limit))
    })
  })
)
