import { PgClient } from "@effect/sql-pg"
import { assert, describe, it } from "@effect/vitest"
import { Array, Cause, Deferred, Duration, Effect, Exit, Fiber, Predicate, Redacted, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { SqlClient, SqlError } from "effect/sql"
import { postgresDatabase, postgresServer } from "../support/Postgres.ts"

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

/** A statement that does not end by itself. */
const asleep = (sql: SqlClient.SqlClient) => sql`SELECT pg_sleep(3600)`

/** The processes of the server, at least one, that are `asleep`. */
const sleepingProcessesOf = (sql: SqlClient.SqlClient) =>
  Effect.repeat(
    sql<{ pid: number }>`SELECT pid FROM pg_stat_activity WHERE wait_event = 'PgSleep'`.pipe(
      Effect.map((rows) => rows.map(({ pid }) => pid))
    ),
    { until: (pids) => Array.isReadonlyArrayNonEmpty(pids) }
  )

const reasonOf = (error: SqlError.SqlError) => error.reason._tag

/** The code of a failure from the server or the socket. */
const codeOf = (error: SqlError.SqlError) => {
  const { cause } = error.reason
  return Predicate.hasProperty(cause, "code") ? String(cause.code) : ""
}

/** The failure of a statement whose exit contains only defects. */
const defectOf = (exit: Exit.Exit<unknown, unknown>) => {
  assert.isTrue(Exit.isFailure(exit) && exit.cause.reasons.every((reason) => Cause.isDieReason(reason)))
  const defect = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
  if (!SqlError.isSqlError(defect)) throw new Error("No SqlError", { cause: defect })
  return defect
}

/** The outcomes of two concurrent transactions, `done` or the reason for the failure. Each waits once for the other. */
const race = Effect.fnUntraced(function* (
  run: (own: number, other: number, met: Effect.Effect<void>) => Effect.Effect<unknown, SqlError.SqlError>
) {
  const first = yield* Deferred.make<void>()
  const second = yield* Deferred.make<void>()
  const meet = (here: Deferred.Deferred<void>, there: Deferred.Deferred<void>) =>
    Effect.andThen(Deferred.succeed(here, undefined), Deferred.await(there))
  const ends = yield* Effect.all([run(1, 2, meet(first, second)), run(2, 1, meet(second, first))].map(ended), {
    concurrency: 2
  })
  return ends.toSorted()
})

const ended = (effect: Effect.Effect<unknown, SqlError.SqlError>) =>
  Effect.match(effect, { onFailure: reasonOf, onSuccess: () => "done" })

/** Makes a transaction serializable. */
const serializable = Effect.provideService(SqlClient.BeginTransaction, "BEGIN ISOLATION LEVEL SERIALIZABLE")

describe("postgresDatabase", () => {
  it.effect("is new and empty, and is dropped when its scope closes, even while in use", () =>
    Effect.gen(function* () {
      const sql = yield* openDatabase
      assert.deepStrictEqual(yield* sql`SELECT * FROM pg_tables WHERE schemaname = 'public'`, [])
      const outer = yield* Effect.scope
      const { name, use } = yield* Effect.scoped(
        Effect.gen(function* () {
          const url = yield* postgresDatabase
          const other = yield* Scope.provide(open(url), outer)
          const use = yield* Effect.forkIn(Effect.flip(asleep(other)), outer)
          yield* sleepingProcessesOf(sql)
          return { name: new URL(url).pathname.slice(1), use }
        })
      )
      assert.strictEqual(reasonOf(yield* Fiber.join(use)), "ConnectionError")
      assert.deepStrictEqual(yield* sql`SELECT * FROM pg_database WHERE datname = ${name}`, [])
    })
  )

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
})

describe("the driver", () => {
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

  it.effect("accepts a number, a bigint and text for an int8, and rounds a fraction silently", () =>
    Effect.gen(function* () {
      const sql = yield* openDatabase
      yield* sql`CREATE TABLE numbers (n int8 NOT NULL)`
      for (const n of [1, 2 ** 40, 5n, "6", 7.5]) yield* sql`INSERT INTO numbers VALUES (${n})`
      const rows = yield* sql`SELECT n FROM numbers ORDER BY n`
      assert.deepStrictEqual(
        rows.map(({ n }) => n),
        [1n, 5n, 6n, 8n, 2n ** 40n]
      )
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

  it.effect("refuses several statements in one text", () =>
    Effect.gen(function* () {
      const sql = yield* openDatabase
      const error = yield* Effect.flip(sql.unsafe("SELECT 1; SELECT 2"))
      assert.match(String(error.reason.cause), /cannot insert multiple commands into a prepared statement/)
    })
  )
})

describe("two transactions at the same time", () => {
  it.effect("that are serializable, read one row and write it: one gets SerializationError, and can try again", () =>
    Effect.gen(function* () {
      const sql = yield* openAccounts
      const ends = yield* race((_own, _other, met) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              const [row] = yield* sql<{ balance: bigint }>`SELECT balance FROM accounts WHERE id = 1`
              yield* met
              yield* sql`UPDATE accounts SET balance = ${(row?.balance ?? 0n) - 1n} WHERE id = 1`
            })
          )
          .pipe(serializable)
      )
      assert.deepStrictEqual(ends, ["SerializationError", "done"])
      assert.deepStrictEqual(yield* sql`SELECT balance FROM accounts WHERE id = 1`, [{ balance: 9n }])
    })
  )

  it.effect("that are serializable and each write what the other read: one gets SerializationError", () =>
    Effect.gen(function* () {
      const sql = yield* openAccounts
      const ends = yield* race((own, _other, met) =>
        sql
          .withTransaction(
            Effect.gen(function* () {
              yield* sql`SELECT sum(balance) FROM accounts`
              yield* met
              yield* sql`UPDATE accounts SET balance = 0 WHERE id = ${own}`
            })
          )
          .pipe(serializable)
      )
      assert.deepStrictEqual(ends, ["SerializationError", "done"])
    })
  )

  it.live("that lock two rows in opposite order: one gets DeadlockError, after a second", () =>
    Effect.gen(function* () {
      const sql = yield* openAccounts
      const [duration, ends] = yield* Effect.timed(
        race((own, other, met) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`UPDATE accounts SET balance = balance - 1 WHERE id = ${own}`
              yield* met
              yield* sql`UPDATE accounts SET balance = balance + 1 WHERE id = ${other}`
            })
          )
        )
      )
      assert.deepStrictEqual(ends, ["DeadlockError", "done"])
      assert.isAtLeast(Duration.toMillis(duration), 900)
    })
  )
})

describe("a connection that the server ends, as it does at a restart", () => {
  it.live("fails a query with ConnectionError and a transaction between queries with a defect; the pool recovers", () =>
    Effect.gen(function* () {
      const url = yield* postgresDatabase
      const sql = yield* open(url)
      const other = yield* open(url)
      const query = yield* Effect.forkChild(Effect.flip(asleep(sql)))
      const [pid] = yield* sleepingProcessesOf(other)
      yield* other`SELECT pg_terminate_backend(${pid}, 5000)`
      assert.strictEqual(reasonOf(yield* Fiber.join(query)), "ConnectionError")

      const between = yield* Effect.exit(
        sql.withTransaction(
          Effect.gen(function* () {
            const [own] = yield* sql<{ pid: number }>`SELECT pg_backend_pid() AS pid`
            yield* other`SELECT pg_terminate_backend(${own?.pid}, 5000)`
            yield* Effect.sleep("50 millis")
            yield* sql`SELECT 1`
          })
        )
      )
      const defect = defectOf(between)
      assert.strictEqual(reasonOf(defect), "UnknownError")
      assert.strictEqual(codeOf(defect), "57P01")

      assert.deepStrictEqual(yield* sql`SELECT 1 AS one`, [{ one: 1 }])
    })
  )
})

describe("a server that is killed", () => {
  it.live("fails its statements with ConnectionError, and refuses connections at once", () =>
    Effect.gen(function* () {
      const server = yield* postgresServer
      const sql = yield* open(server.url)
      const query = yield* Effect.forkChild(Effect.flip(asleep(sql)))
      const busy = yield* Effect.forkChild(Effect.flip(sql`SELECT count(*) FROM generate_series(1, 1000000000)`))
      yield* Effect.repeat(sql`SELECT pid FROM pg_stat_activity WHERE query ~ '^SELECT (pg_sleep|count)'`, {
        until: (rows) => rows.length === 2
      })
      yield* Effect.promise(() => server.kill())
      for (const fiber of [query, busy]) {
        const error = yield* Fiber.join(fiber)
        assert.strictEqual(reasonOf(error), "ConnectionError")
        assert.isTrue(error.isRetryable)
      }
      // An old connection may not have noticed yet; a new one is refused.
      assert.strictEqual(reasonOf(yield* Effect.flip(sql`SELECT 1`)), "ConnectionError")
      const other = yield* open(server.url)
      const error = yield* Effect.flip(other`SELECT 1`)
      assert.strictEqual(reasonOf(error), "ConnectionError")
      assert.strictEqual(codeOf(error), "ECONNREFUSED")
    })
  )

  it.live("turns a failure in a transaction into a defect, and a failed commit into a failure", () =>
    Effect.gen(function* () {
      const server = yield* postgresServer
      const sql = yield* open(server.url)
      const kill = Effect.promise(() => server.kill())
      const restart = Effect.promise(() => server.start())
      yield* sql`CREATE TABLE numbers (n int8)`
      const write = sql`INSERT INTO numbers VALUES (1)`

      // The rollback fails too, which the driver reports as a defect: a retry has to inspect the cause.
      const inside = yield* Effect.exit(sql.withTransaction(Effect.andThen(write, Effect.andThen(kill, write))))
      assert.strictEqual(reasonOf(defectOf(inside)), "ConnectionError")

      yield* restart
      const atCommit = yield* Effect.flip(sql.withTransaction(Effect.andThen(write, kill)))
      assert.strictEqual(reasonOf(atCommit), "ConnectionError")
      const atBegin = yield* Effect.flip(sql.withTransaction(write))
      assert.strictEqual(reasonOf(atBegin), "ConnectionError")

      yield* restart
      assert.deepStrictEqual(yield* sql`SELECT * FROM numbers`, [])
    })
  )

  it.live("keeps what was committed when it is restarted, and the same client continues", () =>
    Effect.gen(function* () {
      const server = yield* postgresServer
      const sql = yield* open(server.url)
      yield* sql`CREATE TABLE numbers (n int8)`
      for (const n of [1n, 2n, 3n]) {
        yield* sql`INSERT INTO numbers VALUES (${n})`
        // Several connections, which the client still holds after the restart.
        yield* Effect.replicateEffect(sql`SELECT pg_sleep(0.05)`, 3, { concurrency: 3 })
        yield* Effect.promise(async () => {
          await server.kill()
          await server.start()
        })
        const rows = yield* sql`SELECT n FROM numbers ORDER BY n`
        assert.strictEqual(rows.length, Number(n))
      }
    })
  )

  it.live("says that it is not ready while it recovers, as UnknownError", () =>
    Effect.gen(function* () {
      const server = yield* postgresServer
      const sql = yield* open(server.url)
      const query = yield* Effect.forkChild(Effect.flip(asleep(sql)))
      const [pid] = yield* sleepingProcessesOf(sql)
      // Postgres restarts all its processes when one of them is killed.
      yield* Effect.sync(() => process.kill(pid, "SIGKILL"))
      assert.strictEqual(reasonOf(yield* Fiber.join(query)), "ConnectionError")
      const seen = new Set<string>()
      yield* sql`SELECT 1`.pipe(
        Effect.tapError((error) => Effect.sync(() => seen.add(`${reasonOf(error)} ${codeOf(error)}`))),
        Effect.eventually
      )
      const expected = new Set(["UnknownError 57P03", "ConnectionError ECONNRESET", "ConnectionError "])
      assert.deepStrictEqual(
        [...seen].filter((reason) => !expected.has(reason)),
        []
      )
    })
  )
})
