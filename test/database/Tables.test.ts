import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { passingTables, tables } from "../../src/database/Tables.ts"
import { sqliteFileSettings, configuredStores } from "../support/Application.ts"

describe("the tables that are copied", () => {
  it.effect("are all that the migrations create, each after those that it references, with their keys", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const made = yield* sql<{ readonly name: string }>`
        SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
      const listed = [...tables.map(({ name }) => name), ...passingTables, "effect_sql_migrations"]
      assert.sameMembers(
        made.map(({ name }) => name),
        listed
      )
      for (const [i, { isNumbered, key, name }] of tables.entries()) {
        const columns = yield* sql<{ readonly name: string; readonly type: string }>`
          SELECT name, type FROM pragma_table_info(${name}) WHERE pk > 0 ORDER BY pk`
        assert.deepStrictEqual(
          columns.map(({ name }) => name),
          key
        )
        assert.strictEqual(columns.length === 1 && columns[0]?.type === "INTEGER", isNumbered)
        const referred = yield* sql<{ readonly table: string }>`SELECT "table" FROM pragma_foreign_key_list(${name})`
        assert.includeMembers(
          listed.slice(0, i),
          referred.map(({ table }) => table)
        )
      }
    }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(sqliteFileSettings()))))
  )
})
