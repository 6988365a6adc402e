import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { chmodSync, existsSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { Cause, Effect, Exit, FileSystem, Layer, Logger, References } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, Statement } from "effect/sql"
import { TestClock } from "effect/testing"
import * as Database from "../../src/database/Database.ts"
import { DatabaseUnavailable, orDefect, FaultLog, isLocked } from "../../src/database/Failures.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import { DatabaseHealth, watching } from "../../src/database/DatabaseHealth.ts"
import type { AccessMode } from "../../src/database/Migrations.ts"
import {
  createDatabase,
  settings,
  sqliteFileSettings,
  configuredStores,
  stores,
  temporaryDirectory
} from "../support/Application.ts"
import { postgresDatabase } from "../support/Postgres.ts"
import { untilFound } from "../support/Process.ts"
import { changeSqlite, openSqlite, rowsOfSqlite } from "../support/SqliteFile.ts"

const open = (file: string) =>
  Database.layer.pipe(Layer.provide(NodeServices.layer), Layer.provide(settings({ DATABASE_URL: `sqlite:${file}` })))

/** The fault of the database that an effect dies with. */
const faultIn = (effect: Effect.Effect<unknown, unknown>) =>
  Effect.map(Effect.exit(effect), (exit) => {
    const failure = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
    return failure instanceof DatabaseUnavailable ? failure.fault : String(failure)
  })

/** Makes a write in a transaction. */
const selling = Effect.gen(function* () {
  const { run } = yield* Transaction
  const sql = yield* SqlClient.SqlClient
  return run(sql`UPDATE readiness SET checked_at = checked_at + 1`)
})

describe("Database", () => {
  it.effect(
    "uses a write-ahead log, syncs fully, hardly blocks the event loop for a lock and checks foreign keys",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const read = (name: string) => Effect.map(sql`PRAGMA ${sql.literal(name)}`, (rows) => ({ ...rows[0] }))
        assert.deepStrictEqual(yield* read("journal_mode"), { journalMode: "wal" })
        assert.deepStrictEqual(yield* read("synchronous"), { synchronous: 2 })
        assert.deepStrictEqual(yield* read("busy_timeout"), { timeout: 5 })
        assert.deepStrictEqual(yield* read("foreign_keys"), { foreignKeys: 1 })
      }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("runs a statement that it could not prepare while another process had locked the file", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      changeSqlite(file, "CREATE TABLE t (n)")
      const sql = yield* SqliteClient.make({ filename: file, disableWAL: true })
      const other = openSqlite(file)
      other.exec("BEGIN EXCLUSIVE")
      const count = sql`SELECT count(*) AS n FROM t`
      assert.isTrue(isLocked(yield* Effect.flip(count)))
      other.close()
      assert.deepStrictEqual(
        (yield* count).map((row) => ({ ...row })),
        [{ n: 0 }]
      )
    }).pipe(Effect.provide(Reactivity.layer), Effect.scoped)
  )

  it.effect("refuses to change or delete what is in the ledger", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO api_keys VALUES ('k', 'n', 'e@x', 'c', 'active', 'usable', 0, 'p', 0, 'e@x')`
      yield* sql`INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
                 VALUES ('k', 'adjustment', 5, 5, 'r', 0)`
      const changes = [sql`UPDATE credit_ledger SET delta = 6`, sql`DELETE FROM credit_ledger`]
      for (const change of changes) {
        const error = yield* Effect.flip(change)
        assert.match(String(error.reason.cause), /append-only/)
      }
      assert.lengthOf(yield* sql`SELECT * FROM credit_ledger WHERE delta = 5`, 1)
    }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("creates its folder, and keeps its content across restarts", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/new/folder/test.db`
      yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO readiness VALUES (1, 7)`).pipe(
        Effect.provide(open(file))
      )
      const rows = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT checked_at FROM readiness`).pipe(
        Effect.provide(open(file))
      )
      assert.deepStrictEqual({ ...rows[0] }, { checkedAt: 7 })
    })
  )

  // Live, because one waits for the lock of the other.
  it.live("is created by several that start at once, with its folders, and can shrink", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/new/folder/test.db`
      yield* Effect.replicateEffect(createDatabase(`sqlite:${file}`), 3, { concurrency: "unbounded" })
      assert.deepStrictEqual(rowsOfSqlite(file, "PRAGMA auto_vacuum"), [{ auto_vacuum: 2 }])
    })
  )

  it.effect("refuses writes of a read-only command, on both SQLite and Postgres", () =>
    Effect.gen(function* () {
      for (const url of [`sqlite:${yield* temporaryDirectory}/test.db`, yield* postgresDatabase]) {
        yield* createDatabase(url)
        const write = Effect.flatMap(SqlClient.SqlClient, (sql) => orDefect(sql`INSERT INTO readiness VALUES (1, 7)`))
        const opened = (mode: AccessMode) =>
          Database.layerFor(mode).pipe(
            Layer.provide(NodeServices.layer),
            Layer.provide(settings({ DATABASE_URL: url }))
          )
        for (const mode of ["read", "inspect"] as const) {
          assert.strictEqual(yield* faultIn(Effect.provide(write, opened(mode))), "unreachable")
        }
        yield* Effect.provide(write, opened("change"))
      }
    })
  )

  it.effect.skipIf(!existsSync("/proc/self"))("refuses a folder that cannot be created, at startup", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(Layer.build(open("/proc/x/y/test.db")))
      assert.strictEqual(
        error.message,
        "The database /proc/x/y/test.db cannot be used: there is no folder /proc/x, and it cannot be created"
      )
    }).pipe(Effect.scoped)
  )

  it.effect("is readable by its owner only, whatever the modes of its folder and file were", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      const modes = Effect.map(Layer.build(open(file)), () =>
        [file, `${file}-wal`, `${file}-shm`].map((name) => statSync(name).mode & 0o777)
      ).pipe(Effect.scoped)
      assert.deepStrictEqual(yield* modes, [0o600, 0o600, 0o600])
      chmodSync(file, 0o644)
      assert.deepStrictEqual(yield* modes, [0o600, 0o600, 0o600])
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

  it.effect("is healthy while it accepts writes, and unavailable while it is read-only", () =>
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
    }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("notices that its file or log was deleted or replaced, and commits nothing more until the next start", () =>
    Effect.gen(function* () {
      for (const [suffix, isReplaced, look] of [
        ["", false, "check"],
        ["", true, "check"],
        ["-wal", false, "check"],
        ["-wal", true, "check"],
        ["", false, "assertInPlace"],
        ["-wal", true, "assertInPlace"]
      ] as const) {
        const file = `${yield* temporaryDirectory}/test.db`
        const opened = configuredStores.pipe(Layer.provide(settings({ DATABASE_URL: `sqlite:${file}` })))
        yield* Effect.gen(function* () {
          const health = yield* DatabaseHealth
          const sell = yield* selling
          yield* health[look]
          yield* sell
          const name = file + suffix
          renameSync(name, `${name}.away`)
          // A different file with the same name is not the open one.
          if (isReplaced) writeFileSync(name, "")
          yield* TestClock.adjust("1 second")
          assert.strictEqual(yield* faultIn(health[look]), "damaged")
          assert.strictEqual(yield* faultIn(sell), "damaged")
          renameSync(`${name}.away`, name)
          assert.strictEqual(yield* faultIn(health.checkAgain), "damaged")
        }).pipe(Effect.provide(opened))
        yield* Effect.flatten(selling).pipe(Effect.provide(opened))
      }
    })
  )

  it.effect("is looked at every second while it is watched, and then refuses whatever it is told to store", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      const opened = configuredStores.pipe(Layer.provide(settings({ DATABASE_URL: `sqlite:${file}` })))
      yield* Effect.gen(function* () {
        const sell = yield* selling
        const sql = yield* SqlClient.SqlClient
        // The first check is over.
        yield* untilFound(sql`SELECT * FROM readiness`, ({ length }) => length === 1)
        yield* sell
        renameSync(file, `${file}.away`)
        yield* TestClock.adjust("1 second")
        yield* untilFound(faultIn(sell), (fault) => fault === "damaged")
      }).pipe(Effect.provide(watching.pipe(Layer.provideMerge(opened), Layer.provide(Logger.layer([])))))
    })
  )

  it.effect("refuses to create a file next to the write-ahead log of a missing one", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      writeFileSync(`${file}-wal`, "pages")
      const error = yield* Effect.flip(Layer.build(open(file)))
      assert.include(error.message, "the file is gone, but its write-ahead log is still there")
      writeFileSync(`${file}-wal`, "")
      yield* Layer.build(open(file))
    }).pipe(Effect.scoped)
  )

  it.effect("notices tables of a newer version, even before it uses them", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      const newer = settings({ DATABASE_URL: `sqlite:${file}` })
      yield* Effect.gen(function* () {
        const health = yield* DatabaseHealth
        const sql = yield* SqlClient.SqlClient
        yield* sql`INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'future')`
        assert.strictEqual(yield* faultIn(health.check), "newer")
        assert.strictEqual(yield* faultIn(orDefect(sql`SELECT checked_at FROM readiness`)), "newer")
      }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(newer))))
      const error = yield* Effect.flip(Layer.build(open(file)))
      assert.include(error.message, "Start that version, or restore a backup")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "runs no statement once a newer version has migrated it, and explains those that failed before that was known",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const transaction = yield* Transaction
        const health = yield* DatabaseHealth
        const { explain, lookForNewer } = yield* FaultLog
        yield* sql`CREATE TRIGGER later BEFORE INSERT ON readiness BEGIN SELECT RAISE(ABORT, 'later'); END`
        const failure = Effect.map(Effect.exit(orDefect(sql`INSERT INTO readiness VALUES (1, 7)`)), (exit) =>
          Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
        )
        // By itself this would be a bug.
        assert.isUndefined(yield* explain(yield* failure))
        const write = orDefect(sql`DELETE FROM readiness`)
        yield* write
        yield* sql`INSERT INTO effect_sql_migrations (migration_id, name) VALUES (9999, 'future')`
        assert.strictEqual((yield* explain(yield* failure))?.fault, "newer")
        for (const refused of [write, orDefect(sql`SELECT 1`), transaction.run(write)]) {
          assert.strictEqual(yield* faultIn(refused), "newer")
        }
        yield* sql`DELETE FROM effect_sql_migrations WHERE migration_id = 9999`.pipe(
          Effect.provideService(Statement.CurrentTransformer, undefined)
        )
        assert.isFalse(yield* lookForNewer)
        yield* sql`DROP TRIGGER later`
        yield* health.check
        yield* write
      }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("reports a full disk", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`PRAGMA max_page_count = 1`
      const fill = sql`INSERT INTO request_counts SELECT hex(randomblob(9999)), 1, value FROM json_each('[1,2,3,4,5,6,7,8,9]')`
      assert.strictEqual(yield* faultIn(orDefect(fill)), "full")
    }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("notices damaged pages, at startup and when they are read", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      const damagedSettings = settings({ DATABASE_URL: `sqlite:${file}` })
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const health = yield* DatabaseHealth
        yield* health.assertSound
        yield* sql`INSERT INTO request_counts SELECT hex(randomblob(500)), 1, value FROM json_each(${JSON.stringify([...Array(100).keys()])})`
        yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
      }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(damagedSettings))))
      const bytes = readFileSync(file)
      for (let page = Math.floor(bytes.length / 8192); page < bytes.length / 4096; page++)
        bytes.fill(0xff, page * 4096, page * 4096 + 200)
      writeFileSync(file, bytes)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const health = yield* DatabaseHealth
        const { note } = yield* FaultLog
        const error = yield* Effect.flip(health.assertSound)
        assert.include(
          error.message,
          "Stop the service and put the file back; otherwise run outreach-forecast database restore FILE with the last backup"
        )
        const failure = yield* Effect.flip(
          Effect.catchDefect(orDefect(sql`SELECT sum(length(id)) FROM request_counts`), Effect.fail)
        )
        assert.isTrue(failure instanceof DatabaseUnavailable && failure.fault === "damaged")
        yield* health.check
        if (failure instanceof DatabaseUnavailable) yield* note(failure)
        assert.strictEqual(yield* faultIn(health.checkAgain), "damaged")
      }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(damagedSettings))))
    })
  )

  it.effect("logs a fault at once, and then once a minute with the number of failures", () => {
    const lines: Array<unknown> = []
    const logger = Logger.make(({ fiber }) => void lines.push(fiber.getRef(References.CurrentLogAnnotations)["count"]))
    return Effect.gen(function* () {
      const { note } = yield* FaultLog
      const fail = note(new DatabaseUnavailable({ seen: "full" }))
      yield* Effect.replicateEffect(fail, 1000)
      assert.deepStrictEqual(lines, [1])
      yield* note(new DatabaseUnavailable({ seen: "locked" }))
      yield* TestClock.adjust("1 minute")
      yield* Effect.replicateEffect(fail, 1000)
      assert.deepStrictEqual(lines, [1, 1, 1000])
    }).pipe(
      Effect.provide(Layer.merge(configuredStores.pipe(Layer.provide(sqliteFileSettings())), Logger.layer([logger])))
    )
  })

  it.effect("can be checked again, whatever is left of an earlier result after the clock was set back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const health = yield* DatabaseHealth
      yield* TestClock.setTime(40 * 86_400_000)
      yield* health.check
      yield* TestClock.setTime(0)
      yield* sql`PRAGMA query_only = ON`
      assert.strictEqual(yield* faultIn(health.checkAgain), "unreachable")
      assert.strictEqual(yield* faultIn(health.check), "unreachable")
    }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(sqliteFileSettings()))))
  )

  it.effect("writes once per second for all health checks, and reports a failure to all of them", () =>
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
    }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(sqliteFileSettings()))))
  )
})

for (const name of ["SQLite", "Postgres"] as const) {
  it.effect(`the size of a database on ${name} is known to its client`, () =>
    Effect.gen(function* () {
      const { size } = yield* DatabaseHealth
      const before = yield* size
      assert.isAbove(before, 50_000)
      const sql = yield* SqlClient.SqlClient
      yield* sql`INSERT INTO payment_events (id, created_at) SELECT ${"x".repeat(900)} || value, 1
        FROM ${name === "SQLite" ? sql`json_each(${JSON.stringify([...Array(500).keys()])})` : sql`generate_series(1, 500) AS value`}`
      assert.isAbove((yield* size) - before, 400_000)
    }).pipe(Effect.provide(stores[name]))
  )
}
