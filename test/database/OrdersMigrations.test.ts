import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { clientOf, migrateBefore } from "../support/EarlierTables.ts"
import { postgresDatabase } from "../support/Postgres.ts"

/** Creates the earlier tables, with an open order, and with one of an erased person and what was written about them. */
const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateBefore(4)
  yield* sql`
    INSERT INTO api_keys VALUES ('gone', 'erased', 'gone@erased.invalid', 'erased', 'active', 'revoked', 0, '', 0, '')`
  yield* sql`INSERT INTO audit_log (key_id, actor, action, created_at, note) VALUES ('gone', 'operator', 'issued', 0, 'Ada')`
  yield* sql`
    INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
    VALUES ('gone', 'adjustment', 5, 5, 'adjustment:Ada', 0)`
  for (const [id, state, email] of [
    ["ord_open", "awaiting_payment", "ada@example.com"],
    ["ord_gone", "cancelled", "ord_gone@erased.invalid"]
  ] as const) {
    yield* sql`
      INSERT INTO orders (id, name, email, company, pack, credits, amount, currency, method, session_id, pay_url, state,
        reference, created_at, mailbox)
      VALUES (${id}, 'Ada', ${email}, 'Example', 'starter', 500, 1900, 'USD', 'stripe', ${`cs_${id}`},
        'https://pay.example/', ${state}, 'bank 7', 1, 'ada@example.com')`
  }
  return yield* sql`SELECT * FROM orders ORDER BY id`
})

const databases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => `sqlite:${directory}/test.db`),
  Postgres: postgresDatabase
}

for (const [name, database] of Object.entries(databases)) {
  describe(`A database on ${name} from before invoices and disputes`, () => {
    it.live("keeps its orders, without invoice and dispute, and loses what was written about erased people", () =>
      Effect.gen(function* () {
        const url = yield* database
        const before = yield* Effect.provide(install, clientOf(url))
        yield* Effect.gen(function* () {
          const store = yield* OrderStore
          const order = Option.getOrThrow(yield* store.find("ord_open"))
          assert.include(order, { state: "awaiting_payment", amount: 1900, invoiceUrl: undefined, dispute: undefined })
          yield* store.update({ ...order, invoiceUrl: "https://invoice.example/1" })
        }).pipe(Effect.provide(applicationOn(url)))
        const after = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM orders ORDER BY id`).pipe(
          Effect.provide(clientOf(url))
        )
        const changes = [
          { invoice_url: null, reference: "erased" },
          { invoice_url: "https://invoice.example/1", reference: "bank 7" }
        ]
        assert.deepStrictEqual(
          after,
          before.map((row, i) => ({ ...row, ...changes[i], dispute_id: null, dispute: null }))
        )
        const texts = yield* Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`SELECT note AS text FROM audit_log UNION ALL SELECT reference FROM credit_ledger`
        ).pipe(Effect.provide(clientOf(url)))
        assert.deepStrictEqual(texts, [{ text: null }, { text: "adjustment:erased 1" }])
      }).pipe(Effect.scoped)
    )
  })
}
