import { SqliteClient } from "@effect/sql-sqlite-node"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { verify } from "../../src/credits/audit/LedgerAuditSql.ts"
import { MemoryLedger } from "../../src/credits/Ledger.ts"
import { MemoryTables } from "../../src/database/MemoryTables.ts"
import { columnNames } from "../../src/database/Rows.ts"

/** Inserts rows, each an array of its columns, into a new table. */
const fill = Effect.fnUntraced(function* (name: string, columns: string, rows: ReadonlyArray<ReadonlyArray<unknown>>) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE ${sql.literal(`${name} (${columns})`)}`
  const values = columns.split(",").map((_, i) => `value ->> ${i}`)
  yield* sql`INSERT INTO ${sql.literal(name)} SELECT ${sql.literal(values.join())} FROM json_each(${JSON.stringify(rows)})`
})

/** Checks the ledger in memory with the statements for SQL, in tables of its rows. */
export const memoryAudit = Layer.effect(
  LedgerAudit,
  Effect.gen(function* () {
    const { balances, days, entries, months, subKeys } = yield* MemoryLedger
    const copy = Effect.gen(function* () {
      // Copied at one instant: requests are charged between two statements.
      const last = new Map<string, number>()
      const rows = [...entries.values()].map(
        ({ balanceAfter, createdAt, delta, keyId, kind, reference, subKeyId }, i) => {
          const previous = last.get(keyId) ?? null
          last.set(keyId, i + 1)
          return [i + 1, keyId, kind, delta, balanceAfter, reference, createdAt, previous, subKeyId ?? null]
        }
      )
      const balanceRows = [...balances].map(([id, { granted, remaining }]) => [
        id,
        remaining,
        granted,
        last.get(id) ?? null,
        null,
        0
      ])
      const monthRows = [...months].map(([key, requests]) => [...key.split(" "), requests])
      yield* fill(
        "credit_ledger",
        "id INTEGER PRIMARY KEY, key_id, kind, delta, balance_after, reference, created_at, previous_id UNIQUE, sub_key_id",
        rows
      )
      yield* fill(
        "credit_balances",
        "key_id PRIMARY KEY, balance, granted, last_entry_id, month, requests",
        balanceRows
      )
      yield* fill("usage_months", "key_id, month, requests", monthRows)
      const dayRows = [...days.values()].map((row) => [row.keyId, row.subKeyId ?? "", row.day, row.requests])
      yield* fill("usage_days", "key_id, sub_key_id, day, requests", dayRows)
      const subKeyRows = [...subKeys.values()].map((row) => [row.id, row.keyId, row.month ?? null, row.requests])
      yield* fill("sub_keys", "id, key_id, month, requests", subKeyRows)
    })
    return LedgerAudit.of({
      verify: Effect.andThen(Effect.orDie(copy), verify).pipe(
        Effect.provide(SqliteClient.layer({ ...columnNames, filename: ":memory:" }))
      )
    })
  })
).pipe(Layer.provide(MemoryLedger.layer), Layer.provide(MemoryTables.layer))
