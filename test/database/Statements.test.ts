import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { cellsOf, findAll, findFirst, findValue, nullable } from "../../src/database/Statements.ts"
import { applications } from "../support/Application.ts"

const Row = Schema.Struct({ state: Schema.Literals(["queued", "sent"]), sentAt: nullable(Schema.Int) })

for (const [name, application] of Object.entries({
  SQLite: applications.SQLite(),
  Postgres: applications.Postgres()
})) {
  describe(`cellsOf over ${name}`, () => {
    it.effect("returns the cells of each row in column order, even if two columns have the same name", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* cellsOf<readonly [text: string, none: null, number: number, same: string]>(
          sql`SELECT CAST('a' AS TEXT) AS same, NULL AS none, CAST(1790812800000 AS BIGINT) AS n, CAST('b' AS TEXT) AS same`,
          4
        )
        assert.deepStrictEqual(rows, [["a", null, 1_790_812_800_000, "b"]])
        // The same statement with named columns still works.
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
        assert.deepStrictEqual(yield* cellsOf<readonly [one: number]>(sql`SELECT 1 AS one`, 1), [[1]])
        assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
      }).pipe(Effect.provide(application))
    )

    it.effect("dies if the statement has a different number of columns", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const exit = yield* Effect.exit(cellsOf<readonly [number]>(sql`SELECT 1, 2`, 1))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      }).pipe(Effect.provide(application))
    )
  })

  describe(`rows over ${name}`, () => {
    it.effect("are decoded: NULL becomes undefined, and columns that a record lacks are left out", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const rows = yield* findAll(Row, sql`SELECT 'sent' AS state, CAST(7 AS BIGINT) AS sent_at, 1 AS other`)
        assert.deepStrictEqual(rows, [{ state: "sent", sentAt: 7 }])
        const first = yield* findFirst(Row, sql`SELECT 'queued' AS state, NULL AS sent_at`)
        assert.deepStrictEqual(first, Option.some({ state: "queued", sentAt: undefined }))
        assert.deepStrictEqual(yield* findValue(Schema.Int, sql`SELECT 3`), Option.some(3))
      }).pipe(Effect.provide(application))
    )

    it.effect("are a defect if the schema of the record does not allow them", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const exit = yield* Effect.exit(findAll(Row, sql`SELECT 'lost' AS state, NULL AS sent_at`))
        assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      }).pipe(Effect.provide(application))
    )
  })
}
