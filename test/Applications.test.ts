import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Settings } from "../src/Settings.ts"
import { applications, applicationsWith } from "./support/Application.ts"

const kinds = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { database } = yield* Settings
  return [sql.onDialectOrElse({ pg: () => "postgres", orElse: () => "sqlite" }), database.kind]
})

describe("each application of the tests", () => {
  const changed = applicationsWith<never>((stores) => Layer.fresh(stores))
  for (const [name, kind] of [
    ["SQLite", "sqlite"],
    ["Postgres", "postgres"]
  ] as const) {
    it.effect(`over ${name} really uses ${name}`, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* Effect.provide(kinds, applications[name]({ env: { LOG_LEVEL: "none" } })), [
          kind,
          kind
        ])
        assert.deepStrictEqual(yield* Effect.provide(kinds, changed[name]), [kind, kind])
      })
    )
  }
})
