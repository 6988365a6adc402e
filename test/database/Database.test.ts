import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Cause, Effect, Exit, FileSystem, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "../../src/database/Database.ts"
import { DatabaseUnavailable } from "../../src/database/Failures.ts"
import { DatabaseHealth } from "../../src/database/DatabaseHealth.ts"
import { settings, sqlStores, sqliteFileSettings, temporaryDirectory } from "../support/Application.ts"

const open = (file: string) =>
  Database.layer.pipe(Layer.provide(NodeServices.layer), Layer.provide(settings({ DATABASE_URL: `sqlite:${file}` })))

describe("Database", () => {
  it.effect("writes ahead, syncs fully, hardly blocks the event loop for a lock and checks references", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const read = (name: string) => Effect.map(sql`PRAGMA ${sql.literal(name)}`, (rows) => ({ ...rows[0] }))
      assert.deepStrictEqual(yield* read("journal_mode"), { journal_mode: "wal" })
      assert.deepStrictEqual(yield* read("synchronous"), { synchronous: 2 })
      assert.deepStrictEqual(yield* read("busy_timeout"), { timeout: 5 })
      assert.deepStrictEqual(yield* read("foreign_keys"), { foreign_keys: 1 })
    }).pipe(Effect.provide(sqlStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("refuses to change or delete what is in the ledger", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO api_keys VALUES ('k', 'n', 'e@x', 'c', 'active', 'usable', 0, 'p', 0)`
      yield* sql`INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
                 VALUES ('k', 'adjustment', 5, 5, 'r', 0)`
      const changes = [sql`UPDATE credit_ledger SET delta = 6`, sql`DELETE FROM credit_ledger`]
      for (const change of changes) {
        const error = yield* Effect.flip(change)
        assert.match(String(error.reason.cause), /append-only/)
      }
      assert.lengthOf(yield* sql`SELECT * FROM credit_ledger WHERE delta = 5`, 1)
    }).pipe(Effect.provide(sqlStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("makes the folder, and keeps its content over a restart", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/new/folder/test.db`
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO readiness VALUES (1, 7)`).pipe(
        Effect.provide(open(file))
      )
      const rows = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT checked_at FROM readiness`).pipe(
        Effect.provide(open(file))
      )
      assert.deepStrictEqual({ ...rows[0] }, { checked_at: 7 })
    })
  )

  it.effect("says which file cannot be used, and why", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const file = `${yield* temporaryDirectory}/test.db`
      yield* files.writeFileString(file, "This is no database, and it is long enough to be seen as none. ".repeat(20))
      const error = yield* Effect.flip(Layer.build(open(file)))
      assert.strictEqual(error._tag, "DatabaseUnusable")
      assert.include(error.message, file)
      assert.include(error.message, "file is not a database")
    }).pipe(Effect.provide(NodeServices.layer), Effect.scoped)
  )

  it.effect("refuses a database whose journal cannot be a write-ahead log", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(open("file::memory:")))
      assert.include(error.message, "SQLite has journal_mode = memory where wal is needed")
    }).pipe(Effect.scoped)
  )

  it.effect("is healthy while it takes writes, and unavailable while it is read-only", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const health = yield* DatabaseHealth
      yield* health.check
      yield* sql`PRAGMA query_only = ON`
      yield* TestClock.adjust("1 second")
      const exit = yield* Effect.exit(health.check)
      assert.isTrue(Exit.isFailure(exit) && Cause.squash(exit.cause) instanceof DatabaseUnavailable)
      yield* sql`PRAGMA query_only = OFF`
      yield* TestClock.adjust("1 second")
      yield* health.check
    }).pipe(Effect.provide(sqlStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("writes once a second for all who ask whether it is healthy, and tells all of them of a failure", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const health = yield* DatabaseHealth
      yield* sql`CREATE TABLE checks (checked_at INTEGER)`
      for (const change of ["INSERT", "UPDATE"]) {
        yield* sql`CREATE TRIGGER ${sql.literal(`after_${change}`)} AFTER ${sql.literal(change)} ON readiness
                   BEGIN INSERT INTO checks VALUES (new.checked_at); END`
      }
      const checks = Effect.map(sql`SELECT * FROM checks`, ({ length }) => length)
      const ask = Effect.forEach(
        Array.from({ length: 100 }, () => Effect.exit(health.check)),
        (asked) => asked,
        { concurrency: "unbounded" }
      )

      assert.isTrue((yield* ask).every(Exit.isSuccess))
      assert.strictEqual(yield* checks, 1)
      yield* TestClock.adjust("999 millis")
      yield* ask
      assert.strictEqual(yield* checks, 1)
      yield* TestClock.adjust("1 milli")
      yield* ask
      assert.strictEqual(yield* checks, 2)

      yield* TestClock.adjust("1 second")
      yield* sql`PRAGMA query_only = ON`
      assert.isTrue((yield* ask).every(Exit.isFailure))
      yield* sql`PRAGMA query_only = OFF`
      assert.isTrue((yield* ask).every(Exit.isFailure))
      assert.strictEqual(yield* checks, 2)
    }).pipe(Effect.provide(sqlStores.pipe(Layer.provide(sqliteFileSettings()))))
  )
})
