import { assert, describe, layer } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { DatabaseUnavailable, FaultLog, orDefect } from "../../src/database/Failures.ts"
import { stores } from "../support/Application.ts"

const reasonOf = (effect: Effect.Effect<unknown, SqlError.SqlError>) =>
  Effect.map(Effect.flip(effect), ({ reason }) => reason._tag)

describe("a connection to Postgres", () => {
  layer(stores.Postgres)((it) => {
    it.effect(
      "is in UTC and UTF-8, keeps what is committed, and ends statements and transactions that take too long",
      () =>
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const names = [
            "TimeZone",
            "server_encoding",
            "synchronous_commit",
            "default_transaction_read_only",
            "transaction_isolation",
            "statement_timeout",
            "idle_in_transaction_session_timeout"
          ]
          const found = yield* Effect.forEach(names, (name) => sql`SELECT current_setting(${name}) AS value`)
          assert.deepStrictEqual(
            found.map(([row]) => row?.["value"]),
            ["UTC", "UTF8", "on", "off", "read committed", "10s", "10s"]
          )
        })
    )

    it.effect("reads 64-bit integers as numbers, and fails if one would be rounded", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [row] = yield* sql`
          SELECT 9007199254740991 AS large, -1::int8 AS negative, count(*) AS count, sum(1::int4) AS sum, ARRAY[1]::int8[] AS list`
        assert.deepStrictEqual(row, { large: Number.MAX_SAFE_INTEGER, negative: -1, count: 1, sum: 1, list: [1] })
        assert.strictEqual(yield* reasonOf(sql`SELECT 9007199254740993`), "UnknownError")
        const [sent] = yield* sql`SELECT ${Number.MAX_SAFE_INTEGER}::int8::text AS text`
        assert.deepStrictEqual(sent, { text: "9007199254740991" })
      })
    )

    it.effect("logs the server's own words for a failed statement", () => {
      const lines: Array<unknown> = []
      const logger = Logger.make(
        ({ fiber }) => void lines.push(fiber.getRef(References.CurrentLogAnnotations)["reason"])
      )
      return Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { note } = yield* FaultLog
        const failure = yield* Effect.flip(Effect.catchDefect(orDefect(sql`EXECUTE nothing`), Effect.fail))
        if (failure instanceof DatabaseUnavailable) yield* note(failure)
        assert.deepStrictEqual(lines, ['PgConnection: Query failed: prepared statement "nothing" does not exist'])
      }).pipe(Effect.provide(Logger.layer([logger])))
    })

    it.effect("reports the reason for a refusal", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const insert = sql`INSERT INTO request_counts VALUES ('a', 1, 1)`
        yield* insert
        assert.strictEqual(yield* reasonOf(insert), "UniqueViolation")
        assert.strictEqual(yield* reasonOf(sql.withTransaction(insert)), "UniqueViolation")
        assert.strictEqual(yield* reasonOf(sql`INSERT INTO request_counts VALUES (NULL, 1, 1)`), "ConstraintError")
        assert.strictEqual(yield* reasonOf(sql`SELECT * FROM missing`), "SqlSyntaxError")
        assert.strictEqual(yield* reasonOf(sql`SELECT ${"\u0000"}::text`), "UnknownError")
      })
    )
  })
})
