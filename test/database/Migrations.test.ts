import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Migrations } from "../../src/database/Migrations.ts"
import { dialectOf } from "../../src/database/Statements.ts"
import { configuredStores, createDatabase, emptyDatabases, settings } from "../support/Application.ts"
import { asNextVersion } from "../support/NextVersion.ts"
import { connected } from "../support/Postgres.ts"
import { rowsOfSqlite } from "../support/SqliteFile.ts"

const isFile = (url: string) => url.startsWith("sqlite:")
const fileOf = (url: string) => url.slice("sqlite:".length)

/** Runs a statement outside the service. */
const query = (url: string, statement: string): Effect.Effect<ReadonlyArray<object>> =>
  isFile(url)
    ? Effect.sync(() => rowsOfSqlite(fileOf(url), statement))
    : connected(url, (sql) => sql.unsafe<Record<string, unknown>>(statement))

const recorded = (url: string) => query(url, "SELECT migration_id AS id, name FROM effect_sql_migrations ORDER BY 1")

/** The names of all tables and indexes, the migrations, and the bytes of a file. */
const stateOf = (url: string) =>
  Effect.all([
    query(
      url,
      isFile(url)
        ? "SELECT name FROM sqlite_schema ORDER BY 1"
        : "SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace ORDER BY 1"
    ),
    recorded(url),
    Effect.sync(() => (isFile(url) ? readFileSync(fileOf(url)).toString("latin1") : ""))
  ])

/** The reason why the service does not start on a database, which it leaves unchanged. */
const refusal = Effect.fnUntraced(function* (url: string) {
  const before = yield* stateOf(url)
  const { message } = yield* Effect.flip(createDatabase(url))
  assert.deepStrictEqual(yield* stateOf(url), before)
  return message
})

const issueKey = `
  INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
  VALUES ('key_1', 'Ada', 'ada@example.com', 'Example', 'active', 'usable', 0, 'none', 0)`

/** A change of tables with data, as a later version makes it. */
const addNotes = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { strict, text } = dialectOf(sql)
  yield* sql`ALTER TABLE api_keys ADD COLUMN note ${text} NOT NULL DEFAULT 'none'`
  yield* sql`CREATE TABLE notes (key_id ${text} PRIMARY KEY REFERENCES api_keys (id), note ${text} NOT NULL)${strict}`
  yield* sql`INSERT INTO notes (key_id, note) SELECT id, note FROM api_keys`
})

/** The migrations of this version, and the one that the next version has in addition. */
const created = Object.keys(Migrations.defaultValue()).map((name) => ({
  id: Number.parseInt(name, 10),
  name: name.replace(/^\d+_/, "")
}))
const next = { id: Math.max(...created.map(({ id }) => id)) + 1, name: "next" }
const isFirst = "migration_id = 11"

for (const [name, database] of Object.entries(emptyDatabases)) {
  const newDatabase = Effect.tap(database, createDatabase)

  describe(`A database on ${name}`, () => {
    it.effect("that is new gets all tables at once", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* recorded(yield* newDatabase), created)
        assert.deepInclude(created[0], { id: 11, name: "tables" })
      })
    )

    it.effect("with the first tables alone gets the others, with its data", () =>
      Effect.gen(function* () {
        const url = yield* database
        const { "0011_tables": first = Effect.void } = yield* Migrations
        yield* Effect.provideService(createDatabase(url), Migrations, { "0011_tables": first })
        yield* query(url, issueKey)
        assert.deepStrictEqual(yield* recorded(url), created.slice(0, 1))
        yield* createDatabase(url)
        assert.deepStrictEqual(yield* recorded(url), created)
        assert.deepStrictEqual(yield* query(url, "SELECT id FROM api_keys"), [{ id: "key_1" }])
        assert.lengthOf(yield* query(url, "SELECT id FROM ledger_audit WHERE ended_at = 0"), 1)
      })
    )

    it.effect("that the earlier migrations have brought to the same tables is up to date", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase
        yield* query(url, issueKey)
        yield* query(url, `UPDATE effect_sql_migrations SET name = 'trial_orders' WHERE ${isFirst}`)
        yield* query(
          url,
          "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (1, 'tables'), (10, 'mail_links')"
        )
        const before = yield* recorded(url)
        yield* createDatabase(url)
        assert.deepStrictEqual(yield* recorded(url), before)
        assert.deepStrictEqual(yield* query(url, "SELECT id FROM api_keys"), [{ id: "key_1" }])
      })
    )

    it.effect(
      "that the earlier migrations have not brought there is refused unchanged, with the commit that does",
      () =>
        Effect.gen(function* () {
          const url = yield* newDatabase
          yield* query(url, `DELETE FROM effect_sql_migrations WHERE NOT ${isFirst}`)
          for (const [statement, applied] of [
            [`UPDATE effect_sql_migrations SET migration_id = 10, name = 'mail_links' WHERE ${isFirst}`, 10],
            // As after an earlier version was stopped halfway.
            ["DELETE FROM effect_sql_migrations", 0]
          ] as const) {
            yield* query(url, statement)
            assert.include(
              yield* refusal(url),
              `its schema is at migration ${applied}, from before the first release. Run serve of commit fb6428b7 on it once, which brings it to migration 11; nothing was changed`
            )
          }
        })
    )

    it.effect("that the migrations before those have made is refused unchanged, whatever their number", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase
        yield* query(url, "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (1, 'keys_and_credits')")
        assert.include(
          yield* refusal(url),
          "its tables were created before the first release, and cannot be updated. Name a new database in DATABASE_URL"
        )
      })
    )

    if (name === "SQLite") {
      it.effect("that was restored and not served yet is not even given a log if it is refused", () =>
        Effect.gen(function* () {
          const url = yield* newDatabase
          yield* query(url, `DELETE FROM effect_sql_migrations WHERE NOT ${isFirst}`)
          yield* query(url, "UPDATE effect_sql_migrations SET migration_id = 10")
          yield* query(url, "PRAGMA journal_mode = DELETE")
          yield* refusal(url)
          assert.deepStrictEqual(yield* query(url, "PRAGMA journal_mode"), [{ journal_mode: "delete" }])
        })
      )
    }

    it.effect("is changed by the next version with its data, which this version then refuses", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase
        yield* query(url, issueKey)
        yield* asNextVersion(addNotes)(createDatabase(url))
        assert.deepStrictEqual(yield* recorded(url), [...created, next])
        assert.deepStrictEqual(yield* query(url, "SELECT key_id, note FROM notes"), [{ key_id: "key_1", note: "none" }])
        assert.include(yield* refusal(url), "its schema was created by a newer version of this service")
        yield* asNextVersion(addNotes)(createDatabase(url))
        assert.deepStrictEqual(yield* recorded(url), [...created, next])
      })
    )

    it.effect("that is new gets the tables of the next version one after the other", () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* asNextVersion(addNotes)(createDatabase(url))
        assert.deepStrictEqual(yield* recorded(url), [...created, next])
      })
    )

    it.effect("is as before after a migration has failed halfway, and is migrated by the next start", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase
        yield* query(url, issueKey)
        const before = yield* stateOf(url)
        const failing = Effect.andThen(
          addNotes,
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO notes VALUES ('key_none', 'x')`)
        )
        const { message } = yield* Effect.flip(asNextVersion(Effect.asVoid(failing))(createDatabase(url)))
        assert.include(message, `Migration "${next.id}_next" failed`)
        assert.deepStrictEqual((yield* stateOf(url)).slice(0, 2), before.slice(0, 2))
        yield* createDatabase(url)
        yield* asNextVersion(addNotes)(createDatabase(url))
        assert.deepStrictEqual(yield* recorded(url), [...created, next])
      })
    )

    // Live, because one waits for the lock of the other.
    it.live("is migrated once by instances that start together", () =>
      Effect.gen(function* () {
        const url = yield* newDatabase
        let runs = 0
        const counted = Effect.andThen(
          Effect.sync(() => runs++),
          // Under its lock, so that the others find it.
          Effect.andThen(Effect.sleep("50 millis"), addNotes)
        )
        yield* Effect.replicateEffect(asNextVersion(counted)(createDatabase(url)), 3, { concurrency: "unbounded" })
        assert.strictEqual(runs, 1)
        assert.deepStrictEqual(yield* recorded(url), [...created, next])
      })
    )

    it.effect("refuses an entry outside the chain of its key, and a balance that differs from its last entry", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        yield* sql.unsafe(issueKey)
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
