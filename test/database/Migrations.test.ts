import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { configuredStores, createDatabase, emptyDatabases, settings } from "../support/Application.ts"

for (const [name, database] of Object.entries(emptyDatabases)) {
  describe(`A database on ${name}`, () => {
    it.effect("from before the first release is refused at startup", () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`UPDATE effect_sql_migrations SET name = 'keys_and_credits'`
        ).pipe(Effect.provide(configuredStores.pipe(Layer.provide(settings({ DATABASE_URL: url })))))
        assert.include(
          (yield* Effect.flip(createDatabase(url))).message,
          "its tables were created before the first release, and cannot be updated. Name a new database in DATABASE_URL"
        )
      })
    )

    it.effect("refuses an entry outside the chain of its key, and a balance that differs from its last entry", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql`
          INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
          VALUES ('key_1', 'Ada', 'ada@example.com', 'Example', 'active', 'usable', 0, 'none', 0)`
        const refused = [
          yield* Effect.flip(sql`
            INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
            VALUES ('key_1', 'forecast', -1, 88, 'first', 0)`),
          yield* Effect.flip(sql`INSERT INTO credit_balances (key_id, balance, granted) VALUES ('key_1', 100, 100)`)
        ]
        assert.deepStrictEqual(
          refused.map(({ reason }) => reason._tag),
          ["ConstraintError", "ConstraintError"]
        )
      }).pipe(
        Effect.provide(
          Layer.unwrap(
            Effect.map(database, (url) => configuredStores.pipe(Layer.provide(settings({ DATABASE_URL: url }))))
          )
        )
      )
    )
  })
}
