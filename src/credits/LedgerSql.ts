import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import { orDefect } from "../database/Failures.ts"
import { KeyId } from "../keys/ApiKey.ts"
import { Ledger, type LedgerEntry, type LedgerKind, type MonthlyRequests } from "./Ledger.ts"
import { type BalanceRow, debitsOnPostgres, debitsOnSqlite, toBalance } from "./DebitsSql.ts"

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

/** The row that a statement with RETURNING always has. */
const theRow = <Row>([row]: ReadonlyArray<Row>) =>
  row === undefined ? Effect.die(new Error("A statement returned no row")) : Effect.succeed(row)

/** The ledger in the tables `credit_ledger`, `credit_balances` and `usage_months`. */
export const layer = Layer.effect(
  Ledger,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const debits = dialectOf(sql).isPostgres ? debitsOnPostgres(sql) : debitsOnSqlite(sql)

    const insert = (entry: LedgerEntry) => sql`
      INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
      VALUES (${entry.keyId}, ${entry.kind}, ${entry.delta}, ${entry.balanceAfter}, ${entry.reference}, ${entry.createdAt})`

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

    return Ledger.of({
      lock: (keyIds) => orDefect(debits.lock(keyIds)),
      debit: (all, time) => orDefect(debits.debit(all, time)),
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
        )
    })
  })
)
