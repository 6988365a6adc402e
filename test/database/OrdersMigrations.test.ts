import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { clientOf, migrateBefore } from "../support/EarlierTables.ts"
import { postgresDatabase } from "../support/Postgres.ts"

/** Creates the earlier tables, with an order in each of two states. */
const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateBefore(4)
  for (const [id, state] of [
    ["ord_open", "awaiting_payment"],
    ["ord_gone", "cancelled"]
  ] as const) {
    yield* sql`
      INSERT INTO orders (id, name, email, company, pack, credits, amount, currency, method, session_id, pay_url, state,
        created_at, mailbox)
      VALUES (${id}, 'Ada', 'ada@example.com', 'Example', 'starter', 500, 1900, 'USD', 'stripe', ${`cs_${id}`},
        'https://pay.example/', ${state}, 1, 'ada@example.com')`
  }
  return yield* sql`SELECT * FROM orders ORDER BY id`
})

const databases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => `sqlite:${directory}/test.db`),
  Postgres: postgresDatabase
}

for (const [name, database] of Object.entries(databases)) {
  describe(`A database on ${name} from before invoices and disputes`, () => {
    it.live("keeps its orders, which have no invoice and no dispute until one is stored", () =>
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
        const invoices = [null, "https://invoice.example/1"]
        assert.deepStrictEqual(
          after,
          before.map((row, i) => ({ ...row, invoice_url: invoices[i], dispute_id: null, dispute: null }))
        )
      }).pipe(Effect.scoped)
    )
  })
}
