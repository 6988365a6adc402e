import { PgClient } from "@effect/sql-pg"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { migrations } from "../../src/database/Migrations.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { postgresDatabase } from "../support/Postgres.ts"

const clientOf = (url: string) =>
  url.startsWith("sqlite:")
    ? SqliteClient.layer({ filename: url.slice("sqlite:".length) })
    : PgClient.layer({ url: Redacted.make(url) })

/** Creates the earlier tables, with an order in each of two states. */
const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const before = Effect.map(migrations, (all) => all.filter(([id]) => id < 4))
  yield* Migrator.make({})({ loader: before })
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
  describe(`A database on ${name} from before invoices`, () => {
    it.live("keeps its orders, which have no invoice until one is stored", () =>
      Effect.gen(function* () {
        const url = yield* database
        const before = yield* Effect.provide(install, clientOf(url))
        yield* Effect.gen(function* () {
          const store = yield* OrderStore
          const order = Option.getOrThrow(yield* store.find("ord_open"))
          assert.include(order, { state: "awaiting_payment", amount: 1900, invoiceUrl: undefined })
          yield* store.update({ ...order, invoiceUrl: "https://invoice.example/1" })
        }).pipe(Effect.provide(applicationOn(url)))
        const after = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM orders ORDER BY id`).pipe(
          Effect.provide(clientOf(url))
        )
        const invoices = [null, "https://invoice.example/1"]
        assert.deepStrictEqual(
          after,
          before.map((row, i) => ({ ...row, invoice_url: invoices[i] }))
        )
      }).pipe(Effect.scoped)
    )
  })
}
