import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { KeyId } from "../../src/KeyId.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { SubKeys } from "../../src/keys/subkeys/SubKeys.ts"
import { SubKeyStore } from "../../src/keys/subkeys/SubKeyStore.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { clientOf, migrateBefore } from "../support/EarlierTables.ts"
import { postgresDatabase } from "../support/Postgres.ts"

const keyId = KeyId.make("key_ada")

/** The earlier tables with two sub-keys of a key whose names look the same, and a change in the audit log. */
const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateBefore(9)
  yield* sql`
    INSERT INTO api_keys VALUES (${keyId}, 'Ada', 'ada@example.com', 'Example', 'active', 'usable', 0, '', 0, 'ada')`
  for (const [id, name, folded] of [
    ["sub_first", "CRM", "crm"],
    ["sub_wide", "ＣＲＭ", "ｃｒｍ"]
  ] as const) {
    yield* sql`
      INSERT INTO sub_keys (id, key_id, name, folded_name, secret_prefix, created_at)
      VALUES (${id}, ${keyId}, ${name}, ${folded}, '', 1)`
  }
  yield* sql`INSERT INTO audit_log (key_id, actor, action, created_at) VALUES (${keyId}, 'owner', 'rotated', 0)`
})

const databases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => `sqlite:${directory}/test.db`),
  Postgres: postgresDatabase
}

for (const [name, database] of Object.entries(databases)) {
  describe(`A database on ${name} from before names of sub-keys were compared by their looks`, () => {
    it.live("keeps sub-keys whose names look the same and its audit log, and accepts no more such names", () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* Effect.provide(install, clientOf(url))
        yield* Effect.gen(function* () {
          const subKeys = yield* SubKeys
          const store = yield* SubKeyStore
          const [first, wide] = yield* subKeys.usableOf(keyId)
          if (first === undefined || wide === undefined) return assert.fail("a sub-key is missing")
          assert.deepStrictEqual([first.name, wide.name], ["CRM", "ＣＲＭ"])
          assert.deepStrictEqual(
            (yield* (yield* AuditLog).entries(keyId, 50)).map(({ lastAt, times }) => [times, lastAt]),
            [[1, undefined]]
          )
          const again = { ...first, id: wide.id, name: "C\u200bRM" }
          // By the constraint of the database.
          assert.isTrue(Exit.isFailure(yield* Effect.exit(store.update(again))))
          yield* subKeys.revoke(keyId, first.id, "owner")
          yield* store.update(again)
        }).pipe(Effect.provide(applicationOn(url)))
      }).pipe(Effect.scoped)
    )
  })
}
