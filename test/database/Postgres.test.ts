import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Predicate, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import type { SqlError } from "effect/sql"
import { postgresDatabase } from "../support/Postgres.ts"

/** The behaviour of Postgres and its driver that the stores rely on. */

const open = (url: string) => PgClient.make({ url: Redacted.make(url) }).pipe(Effect.provide(Reactivity.layer))

const openDatabase = Effect.flatMap(postgresDatabase, open)

/** Two accounts, 1 and 2, of 10 each. */
const openAccounts = Effect.gen(function* () {
  const sql = yield* openDatabase
  yield* sql`CREATE TABLE accounts (id int4 PRIMARY KEY, balance int8 NOT NULL)`
  yield* sql`INSERT INTO accounts VALUES (1, 10), (2, 10)`
  return sql
})

const reasonOf = (error: SqlError.SqlError) => error.reason._tag

describe("Postgres with our settings", () => {
  it.effect("holds UTF-8, compares text byte by byte and keeps what is committed", () =>
    Effect.gen(function* () {
      const sql = yield* openDatabase
      const [row] = yield* sql`SELECT current_setting('server_encoding') AS encoding, 'a' < 'B' AS is_alphabetical,
        current_setting('synchronous_commit') AS commit, current_setting('transaction_isolation') AS isolation`
      assert.strictEqual(row?.["encoding"], "UTF8")
      assert.strictEqual(row?.["commit"], "on")
      assert.strictEqual(row?.["isolation"], "read committed")
      if ((process.env["DATABASE_URL_TEST"] ?? "") === "") assert.isFalse(row?.["is_alphabetical"])
    })
  )

  it.effect("returns int8 and counts as bigint, sums of int8 and numeric as text, and timestamps as Date", () =>
    Effect.gen(function* () {
      const sql = yield* openDatabase
      const numbers = yield* sql`SELECT 1::int4 AS int4, 1::int8 AS int8, 9007199254740993 AS large, count(*) AS count,
        count(*)::int4 AS count4, sum(1::int4) AS sum4, sum(1::int8) AS sum8, sum(1::int8)::int8 AS sum88,
        1.50 AS numeric, 1.5::float8 AS float8, ARRAY[1]::int8[] AS array`
      assert.deepStrictEqual(numbers, [
        {
          int4: 1,
          int8: 1n,
          large: 9_007_199_254_740_993n,
          count: 1n,
          count4: 1,
          sum4: 1n,
          sum8: "1",
          sum88: 1n,
          numeric: "1.50",
          float8: 1.5,
          array: [1n]
        }
      ])
      const others =
        yield* sql`SELECT to_timestamp(1.5) AS timestamptz, to_timestamp(1.5) AT TIME ZONE 'UTC' AS timestamp,
        DATE '2026-11-21' AS date, true AS boolean, '\\x00ff'::bytea AS bytea, '{"a":1}'::jsonb AS jsonb, NULL AS null`
      const timestamp = others[0]?.["timestamp"]
      const timestamptz = others[0]?.["timestamptz"]
      assert.isTrue(Predicate.isDate(timestamp) && Predicate.isDate(timestamptz))
      for (const time of [timestamp, timestamptz])
        assert.strictEqual(JSON.stringify(time), '"1970-01-01T00:00:01.500Z"')
      assert.deepInclude(others[0], { date: "2026-11-21", boolean: true, jsonb: { a: 1 }, null: null })
      assert.deepStrictEqual(others[0]?.["bytea"], new Uint8Array([0, 255]))
    })
  )

  it.effect("reports the reason for a refusal", () =>
    Effect.gen(function* () {
      const sql = yield* openAccounts
      const reason = (effect: Effect.Effect<unknown, SqlError.SqlError>) => Effect.map(Effect.flip(effect), reasonOf)
      const taken = (yield* Effect.flip(sql`INSERT INTO accounts VALUES (1, 0)`)).reason
      assert.isTrue(taken._tag === "UniqueViolation" && taken.constraint === "accounts_pkey")
      assert.isFalse(taken.isRetryable)
      assert.strictEqual(yield* reason(sql.withTransaction(sql`INSERT INTO accounts VALUES (1, 0)`)), "UniqueViolation")
      assert.strictEqual(yield* reason(sql`INSERT INTO accounts VALUES (3, NULL)`), "ConstraintError")
      assert.strictEqual(yield* reason(sql`SELECT * FROM missing`), "SqlSyntaxError")
      assert.strictEqual(yield* reason(sql`SELECT ${"\u0000"}::text`), "UnknownError")
      const missing = postgresDatabase.pipe(
        Effect.flatMap((url) => open(`${url}x`)),
        Effect.flatMap((other) => other`SELECT 1`),
        Effect.scoped
      )
      assert.strictEqual(yield* reason(missing), "UnknownError")
    })
  )
})
