import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { Reactivity } from "effect/reactivity"
import { tables } from "../../src/database/Tables.ts"
import {
  configuredStores,
  installedDirectory,
  newPostgresDatabase,
  temporaryDirectory
} from "../support/Application.ts"
import { asNextVersion } from "../support/NextVersion.ts"
import { connected, postgresDatabase } from "../support/Postgres.ts"
import { issueHere, runHere } from "../support/CommandLine.ts"
import { serveHere, serveWithMails } from "../support/Http.ts"
import { run, serve, start, stop, until, untilFound } from "../support/Process.ts"
import { forecastFrom, getFrom, jsonOf, postTo } from "../support/Requests.ts"
import { linkOf, smtpServer } from "../support/Smtp.ts"
import { changeSqlite, openSqlite, rowsOfSqlite } from "../support/SqliteFile.ts"
import { slowly } from "../support/slowly.ts"

const original = "data/outreach-forecast.db"

/** The service in this process on the database of a URL. */
const serveOn = (url: string, env: Readonly<Record<string, string>> = {}) =>
  serveHere({ DATABASE_URL: url, ...env }, Layer.orDie(configuredStores))

/** Adds a sub-key that may spend 2 credits a month, and returns its secret. */
const addSubKey = (url: string, key: string) =>
  Effect.map(postTo(url, "/api/v1/sub-keys", { name: "CRM", monthly_limit: 2 }, { "x-api-key": key }), ({ json }) =>
    String(json["api_key"])
  )

/** Issues a key to an owner with an odd name. */
const issue = (directory: string) => issueHere(directory, { name: `Ada "Ä" \\ 😀 'L'` })

/** Writes forecasts of the only key, each with its debit. */
const seed = (directory: string, forecasts: number) =>
  changeSqlite(
    `${directory}/${original}`,
    `UPDATE credit_balances SET granted = granted + ${forecasts}, balance = balance + ${forecasts}`,
    `INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at, previous_id)
     SELECT key_id, 'adjustment', ${forecasts}, balance, 'seed', 0, last_entry_id FROM credit_balances`,
    `WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < ${forecasts}),
       newest AS MATERIALIZED (SELECT max(id) AS id FROM credit_ledger)
     INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at, previous_id)
     SELECT newest.id + i, key_id, 'forecast', -1, balance - i, 'seed ' || i, 0, newest.id + i - 1
     FROM credit_balances, counter, newest`,
    `UPDATE credit_balances SET balance = balance - ${forecasts}, last_entry_id = (SELECT max(id) FROM credit_ledger)`,
    `INSERT INTO usage_months SELECT key_id, '1970-01', ${forecasts} FROM credit_balances`
  )

/** Lets the service write rows to almost every table of an installation. */
const use = Effect.fnUntraced(function* (directory: string, secret: string) {
  const smtp = yield* smtpServer
  const server = yield* serveWithMails(`sqlite:${directory}/${original}`, smtp.url)
  const owner = { name: "Bob", email: "bob@example.com", company: "Example" }
  const response = yield* forecastFrom(server.url, secret, { "idempotency-key": "first" })
  yield* forecastFrom(server.url, secret)
  const subKey = yield* addSubKey(server.url, secret)
  yield* forecastFrom(server.url, subKey)
  yield* postTo(server.url, "/api/v1/access-requests", owner)
  const order = yield* postTo(server.url, "/api/v1/orders", { pack: "starter" }, { "x-api-key": secret })
  yield* runHere(directory, ["orders", "fulfil", String(order.json["order_id"]), "--reference", "bank 7"])
  yield* runHere(directory, ["credits", "adjust", secret.slice(0, 17), "-5", "--reason", "given\u2009twice"])
  yield* until(() => smtp.messages.length === 3)
  const link = linkOf(smtp.messages.find((mail) => mail.includes("bob@example.com")) ?? "")
  yield* postTo(server.url, "/api/v1/access-requests/confirm", { token: link.split("/").at(-1) })
  return { subKey, response }
}, Effect.scoped)

/** A stopped installation with rows in every table. */
const installation = Effect.fnUntraced(function* () {
  const directory = yield* installedDirectory
  const { secret } = yield* issue(directory)
  seed(directory, 1)
  const { response, subKey } = yield* use(directory, secret)
  changeSqlite(
    `${directory}/${original}`,
    "INSERT INTO payment_events VALUES ('evt_1', 1)",
    "INSERT INTO unsubscribed_keys SELECT key_id, 1 FROM sub_keys",
    "INSERT INTO unsubscribe_links SELECT 'hash', key_id, 1 FROM sub_keys"
  )
  return { directory, secret, subKey, response }
})

const copyTo = (to: string) => ["database", "copy", "--from", `sqlite:${original}`, "--to", to]

const copy = (directory: string, to: string) => runHere(directory, copyTo(to))

const count = (url: string, table: string) =>
  connected(url, (sql) => Effect.map(sql`SELECT count(*)::int4 AS count FROM ${sql(table)}`, ([row]) => row?.["count"]))

/** Makes a copy to a Postgres database wait in a table while the advisory lock 7 is held. */
const holdCopyTo = (url: string, table: string) =>
  connected(url, (sql) =>
    Effect.andThen(
      sql`CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NEW; END'`,
      sql`CREATE TRIGGER hold BEFORE INSERT ON ${sql(table)} FOR EACH ROW EXECUTE FUNCTION hold()`
    )
  )

describe("database copy", slowly, () => {
  it.live("moves an installation to Postgres, where it continues, and back", () =>
    Effect.gen(function* () {
      const { response, directory, secret, subKey } = yield* installation()
      const url = yield* postgresDatabase
      // The target is the configured database, and no password is in the command.
      const moved = yield* runHere(directory, ["database", "copy", "--from", `sqlite:${original}`], {
        DATABASE_URL: url
      })
      assert.strictEqual(moved.code, 0, moved.stderr)
      for (const { name } of tables) assert.match(moved.stdout, new RegExp(`\n${name} +[1-9]\\d* +yes\n`))
      assert.match(moved.stdout, /\nsource +3 +10 +0 +\d+\ntarget +3 +10 +0 +\d+\n/)
      assert.notInclude(moved.stdout + moved.stderr, "postgres:postgres")

      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* serveOn(url)
          const usage = yield* getFrom(server.url, "/api/v1/usage", { "x-api-key": secret })
          assert.include(usage.json, { credits_remaining: 592, credits_granted: 596 })
          const again = yield* forecastFrom(server.url, secret, { "idempotency-key": "first" })
          assert.deepStrictEqual([again.text, again.headers.get("idempotent-replayed")], [response.text, "true"])
          const next = yield* forecastFrom(server.url, secret, { "idempotency-key": "second" })
          assert.deepInclude(next.json["usage"], { credits_remaining: 591 })
          // The month of its limit continues.
          const ofSubKey = [yield* forecastFrom(server.url, subKey), yield* forecastFrom(server.url, subKey)]
          assert.deepStrictEqual(
            ofSubKey.map(({ status }) => status),
            [200, 429]
          )
          assert.include(ofSubKey[1]?.json, { code: "sub_key_limit_reached" })
          yield* runHere(directory, ["credits", "grant", secret.slice(0, 17), "1", "--reason", "why"], {
            DATABASE_URL: url
          })
        })
      )

      writeFileSync(`${directory}/url`, `${url}\n`)
      const back = ["database", "copy", "--from-file", "url", "--to", "sqlite:back.db", "--json"]
      const returned = yield* runHere(directory, back)
      assert.strictEqual(returned.code, 0, returned.stderr)
      const database = openSqlite(`${directory}/back.db`)
      database.exec(`ATTACH '${directory}/${original}' AS original`)
      for (const { name } of tables.filter(({ isNumbered }) => isNumbered)) {
        const lost = database.prepare(`SELECT * FROM original.${name} EXCEPT SELECT * FROM main.${name}`)
        assert.deepStrictEqual(lost.all(), [], name)
        const added = database.prepare(`SELECT id FROM main.${name} WHERE id > (SELECT max(id) FROM original.${name})`)
        assert.isAbove(added.all().length, 0, name)
      }
      database.close()
    })
  )

  it.live("refuses what it cannot do, says why, and writes nothing", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issue(directory)
      const url = yield* postgresDatabase
      changeSqlite(`${directory}/other.db`, "CREATE TABLE things (id INTEGER)")
      const from = ["--from", `sqlite:${original}`]
      const expected = "must be sqlite:PATH or postgres://user:password@host:5432/name"
      const refusals = [
        [["--to", url], "Name the database to copy: --from URL, or --from-file FILE"],
        [["--from", "sqlite:missing.db", "--to", url], "The database missing.db cannot be used: there is no such file"],
        [["--from", "sqlite:other.db", "--to", url], "other.db cannot be used: it has no tables of this service"],
        [["--from", "sqlite:data", "--to", url], "data cannot be used: it is a folder; name a file in it"],
        [[...from, "--to", "sqlite:data/"], "such as sqlite:data/outreach-forecast.db"],
        [["--from", `${url}x`, "--to", "sqlite:new.db"], "does not exist"],
        [["--from", url, "--to", "sqlite:new.db"], "it has no tables of this service"],
        [["--from-file", "missing.txt", "--to", url], "missing.txt"],
        [["--from", "mysql://u:canary@h/d", "--to", url], `--from ${expected}`],
        [["--from", "postgres://u:p@canary/x@h/d", "--to", url], `--from ${expected}`],
        [[...from, "--to", "postgres:u:canary@h/d"], `--to ${expected}`],
        [[...from, "--to", "sqlite::memory:"], "A copy in memory would be lost immediately; name a file"],
        [[...from, "--to", "postgres://u:canary@127.0.0.1:1/d"], "postgres://127.0.0.1:1/d cannot be used"],
        [[...from, "--to", `sqlite:./${original}`], `${original} cannot be copied to itself`],
        [from, `${original} cannot be copied to itself; name the target with --to or DATABASE_URL`]
      ] as const
      const refused = Effect.fnUntraced(function* ([args, message]: (typeof refusals)[number]) {
        const { code, stderr, stdout } = yield* runHere(directory, ["database", "copy", ...args])
        assert.deepStrictEqual([args, code, stdout], [args, 1, ""])
        assert.include(stderr, message)
        assert.notInclude(stderr, "canary")
        assert.notMatch(stderr, /^ +at /m)
      })
      yield* Effect.forEach(refusals, refused, { concurrency: 3 })
      assert.sameMembers(readdirSync(directory), ["data", "other.db"])

      assert.strictEqual((yield* copy(directory, url)).code, 0)
      const again = yield* copy(directory, url)
      assert.strictEqual(again.code, 1)
      assert.include(again.stderr, "is not empty, and nothing was written: there are rows in api_keys, key_secrets")
      assert.strictEqual(yield* count(url, "api_keys"), 1)
    })
  )

  it.live("copies nothing if the ledger has faults, and keeps nothing if the copy differs", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issue(directory)
      const url = yield* newPostgresDatabase
      const spoil = (table: string, change: string) =>
        connected(url, (sql) => {
          const body = sql.literal(`'BEGIN ${change}; RETURN NEW; END'`)
          return Effect.andThen(
            sql`CREATE OR REPLACE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS ${body}`,
            sql`CREATE TRIGGER spoil BEFORE INSERT ON ${sql(table)} FOR EACH ROW EXECUTE FUNCTION spoil()`
          )
        })
      yield* spoil("api_keys", "NEW.name = ''Eve''")
      const renamed = yield* copy(directory, url)
      assert.strictEqual(renamed.code, 1)
      assert.match(renamed.stdout, /\napi_keys +1 +no\n[^]*\ntarget +1 +1 +0 +\d+\n$/)
      assert.include(renamed.stderr, "The copy differs from the original. It was rolled back")
      assert.strictEqual(yield* count(url, "api_keys"), 0)

      yield* connected(url, (sql) => sql`DROP TRIGGER spoil ON api_keys`)
      yield* spoil("credit_balances", "NEW.granted = 123")
      const damaged = yield* copy(directory, url)
      assert.strictEqual(damaged.code, 1)
      assert.match(damaged.stdout, /\ncredit_balances +1 +no\ncredit_ledger +1 +yes\n/)
      assert.match(damaged.stdout, /\nsource +1 +1 +0 +\d+\ntarget +1 +1 +1 +\d+\n[^]*granted +100 +123\n/)
      assert.include(damaged.stderr, "The copy differs from the original. It was rolled back")
      assert.strictEqual(yield* count(url, "api_keys"), 0)

      changeSqlite(`${directory}/${original}`, "UPDATE credit_balances SET balance = 99")
      const wrong = yield* copy(directory, url)
      assert.strictEqual(wrong.code, 1)
      assert.match(wrong.stdout, /balance +100 +99\n/)
      assert.include(wrong.stderr, "The ledger is wrong: 1 fault.")
      assert.strictEqual(yield* count(url, "api_keys"), 0)

      changeSqlite(
        `${directory}/${original}`,
        "UPDATE credit_balances SET balance = 100",
        "UPDATE api_keys SET created_at = 1 << 60"
      )
      const large = yield* copy(directory, url)
      assert.strictEqual(large.code, 1)
      assert.include(large.stderr, "The copy failed; nothing was written")
      assert.include(large.stderr, "1152921504606846976")
    })
  )

  it.live("that is killed midway leaves nothing, and can be repeated", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issue(directory)
      seed(directory, 3000)
      const url = yield* newPostgresDatabase
      yield* holdCopyTo(url, "usage_months")
      // The copy cannot end before it is killed: it waits in a table that comes after the ledger.
      yield* connected(url, (other) =>
        other.withTransaction(
          Effect.gen(function* () {
            yield* other`SELECT pg_advisory_xact_lock(7)`
            const copying = yield* start(directory, copyTo(url), {})
            const written = connected(url, (sql) => sql`SELECT 1 WHERE pg_relation_size('credit_ledger') > 200000`)
            yield* untilFound(written, (rows) => rows.length > 0)
            assert.strictEqual((yield* stop(copying, "SIGKILL")).code, "SIGKILL")
          }).pipe(Effect.scoped)
        )
      )
      assert.deepStrictEqual([yield* count(url, "api_keys"), yield* count(url, "credit_ledger")], [0, 0])
      const again = yield* copy(directory, url)
      assert.strictEqual(again.code, 0, again.stderr)
      assert.match(again.stdout, /\ncredit_ledger +3002 +yes\n/)
    })
  )

  it.live("refuses a source under load and writes nothing, and loses no forecast once the service is stopped", () =>
    Effect.gen(function* () {
      const refuses = Effect.fnUntraced(function* (
        url: string,
        {
          directory,
          log,
          stopped,
          ...server
        }: {
          readonly directory: string
          readonly url: string
          readonly log: () => string
          readonly stopped: Effect.Effect<unknown>
        }
      ) {
        let answered = 0
        const one = Effect.map(forecastFrom(server.url, "demo"), ({ status }) => {
          assert.strictEqual(status, 200)
          answered++
        })
        const caller = Effect.forever(Effect.delay(one, "40 millis"))
        const load = yield* Effect.forkChild(Effect.replicateEffect(caller, 5, { concurrency: 5 }))
        yield* until(() => answered > 40)
        const before = answered
        const command = ["database", "copy", "--from", url, "--to", "sqlite:copy.db"]
        const refused = yield* runHere(directory, command)
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.include(refused.stderr, "is in use by another process, such as the service. Stop that first")
        assert.isFalse(existsSync(`${directory}/copy.db`))
        // It has delayed nobody.
        yield* until(() => answered > before + 40)
        yield* Fiber.interrupt(load)

        // An idle service uses the database, too.
        const whileStopped = yield* runHere(directory, command)
        assert.deepStrictEqual([whileStopped.code, existsSync(`${directory}/copy.db`)], [1, false])

        yield* stopped
        const copied = yield* runHere(directory, command)
        assert.strictEqual(copied.code, 0, copied.stderr)
        const sold = rowsOfSqlite(`${directory}/copy.db`, "SELECT id FROM credit_ledger WHERE kind = 'forecast'")
        const charges = log().match(/"charge":"[^"]+"/g) ?? []
        assert.lengthOf(sold, charges.length)
        assert.isAtLeast(charges.length, answered)
      })
      const credits = { DEMO_CREDITS: "1000000" }
      const onSqlite = Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const server = yield* serve(directory, credits)
        const stopped = Effect.map(stop(server, "SIGTERM"), ({ code }) => assert.strictEqual(code, 0))
        yield* refuses(`sqlite:${original}`, { directory, url: server.url, log: server.stderr, stopped })
      })
      const onPostgres = Effect.gen(function* () {
        const url = yield* postgresDatabase
        const scope = yield* Effect.scope
        const own = yield* Scope.fork(scope)
        const server = yield* Scope.provide(serveOn(url, credits), own)
        const stopped = Scope.close(own, Exit.void)
        yield* refuses(url, { directory: yield* temporaryDirectory, url: server.url, log: server.log, stopped })
      })
      // Each refusal waits two seconds for a service that may be stopping.
      yield* Effect.all([onSqlite, onPostgres], { concurrency: 2 })
    })
  )

  it.live(
    "prevents writes to a source on Postgres during the copy, and keeps nothing if a service uses the target",
    () =>
      Effect.gen(function* () {
        const directory = yield* installedDirectory
        yield* issue(directory)
        const [source, target] = [yield* postgresDatabase, yield* newPostgresDatabase]
        const moved = yield* copy(directory, source)
        assert.strictEqual(moved.code, 0, moved.stderr)
        yield* holdCopyTo(target, "audit_log")
        /** Runs an effect in the middle of a copy. */
        const whileCopying = (act: Effect.Effect<unknown>) =>
          Effect.gen(function* () {
            const other = yield* PgClient.makeClient({ url: Redacted.make(target) })
            const copying = yield* other.withTransaction(
              Effect.gen(function* () {
                yield* other`SELECT pg_advisory_xact_lock(7)`
                const command = ["database", "copy", "--from", source, "--to", target]
                const copying = yield* Effect.forkChild(runHere(directory, command))
                // The server has the databases of other tests, too.
                const waiting = other`
                  SELECT 1 FROM pg_locks JOIN pg_database ON oid = database
                  WHERE locktype = 'advisory' AND NOT granted AND datname = current_database()`
                yield* untilFound(waiting, (rows) => rows.length > 0)
                yield* act
                return copying
              })
            )
            return yield* Fiber.join(copying)
          }).pipe(Effect.provide(Reactivity.layer))
        const write = connected(source, (sql) =>
          Effect.flip(
            sql.withTransaction(
              Effect.andThen(sql`SET LOCAL lock_timeout = 50`, sql`UPDATE credit_balances SET balance = 1`)
            )
          )
        )
        const connect = PgClient.makeClient({ url: Redacted.make(source), applicationName: "outreach-forecast" })
        const refused = yield* Effect.scoped(
          Effect.flatMap(Effect.scope, (scope) =>
            whileCopying(
              Effect.gen(function* () {
                assert.strictEqual((yield* write).reason._tag, "LockTimeoutError")
                yield* connect.pipe(Effect.provide(Reactivity.layer), Scope.provide(scope), Effect.orDie)
              })
            )
          )
        )
        assert.strictEqual(refused.code, 1)
        assert.include(refused.stderr, "The source is in use by another process")
        assert.strictEqual(yield* count(target, "api_keys"), 0)
        const copied = yield* whileCopying(Effect.void)
        assert.strictEqual(copied.code, 0, copied.stderr)
        assert.strictEqual(yield* count(target, "api_keys"), 1)
      })
  )
})

describe("database backup", slowly, () => {
  it.live("of a service under load is complete, and readable by its owner only", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const { secret } = yield* issue(directory)
      seed(directory, 5000)
      const credits = yield* runHere(directory, [
        "credits",
        "adjust",
        secret.slice(0, 17),
        "100000",
        "--reason",
        "load"
      ])
      assert.strictEqual(credits.code, 0, credits.stderr)
      const server = yield* serveOn(`sqlite:${directory}/${original}`)
      yield* addSubKey(server.url, secret)
      let answered = 0
      const one = Effect.map(forecastFrom(server.url, secret), () => answered++)
      const load = yield* Effect.forkChild(Effect.forever(Effect.delay(one, "10 millis")))
      yield* until(() => answered > 5)
      const before = answered
      const made = yield* run(directory, ["database", "backup", "backup.db", "--json"])
      const after = answered
      yield* Fiber.interrupt(load)
      assert.strictEqual(made.code, 0, made.stderr)
      assert.isAbove(after, before + 5)
      const { mode, size } = statSync(`${directory}/backup.db`)
      assert.strictEqual(mode & 0o777, 0o600)
      assert.include(jsonOf(made.stdout), { file: "backup.db", bytes: size })
      assert.sameMembers(readdirSync(directory), ["backup.db", "data"])

      const elsewhere = yield* temporaryDirectory
      writeFileSync(`${elsewhere}/restored.db`, readFileSync(`${directory}/backup.db`))
      const env = { DATABASE_URL: "sqlite:restored.db" }
      const verified = yield* runHere(elsewhere, ["ledger", "verify", "--json"], env)
      assert.include(jsonOf(verified.stdout), { faults: 0 })
      assert.isAtLeast(Number(jsonOf(verified.stdout)["entries"]), 5003 + before)
      const subKeys = rowsOfSqlite(`${elsewhere}/restored.db`, "SELECT name, monthly_limit FROM sub_keys")
      assert.deepStrictEqual(subKeys, [{ name: "CRM", monthly_limit: 2 }])
    })
  )

  it.live("refuses what it cannot do, and leaves nothing broken", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issue(directory)
      seed(directory, 5000)
      writeFileSync(`${directory}/there.db`, "")
      writeFileSync(`${directory}/broken.db.part`, "")
      const postgres = { DATABASE_URL: "postgres://u:canary@127.0.0.1:1/d" }
      for (const [file, message, env] of [
        ["there.db", "there.db already exists; choose another name", {}],
        ["broken.db", "broken.db.part already exists; another command is writing it, or one was interrupted", {}],
        ["no/backup.db", "There is no folder no.", {}],
        [`${directory}/nope/backup.db`, `There is no folder ${directory}/nope.`, {}],
        [
          "new.db",
          "The database missing.db cannot be used: there is no such file",
          { DATABASE_URL: "sqlite:missing.db" }
        ],
        ["new.db", "postgres://127.0.0.1:1/d is on Postgres. Back it up with pg_dump", postgres]
      ] as const) {
        const { code, stderr, stdout } = yield* runHere(directory, ["database", "backup", file], env)
        assert.deepStrictEqual([file, code, stdout], [file, 1, ""])
        assert.include(stderr, message)
        assert.notInclude(stderr, "canary")
      }
      const file = `${directory}/${original}`
      const good = readFileSync(file)
      good[good.indexOf("seed 2500")] = 0x53
      writeFileSync(file, good)
      const broken = yield* runHere(directory, ["database", "backup", "new.db"])
      assert.strictEqual(broken.code, 1)
      assert.include(broken.stderr, "The copy is corrupt and was deleted")
      assert.sameMembers(readdirSync(directory), ["data", "there.db", "broken.db.part"])
    })
  )

  it.live("reports an older schema, whose ledger it does not check, and refuses a newer one", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issue(directory)
      const older = yield* asNextVersion()(runHere(directory, ["database", "backup", "older.db"]))
      assert.strictEqual(older.code, 0, older.stderr)
      assert.match(older.stdout, /The ledger was not checked: the backup has \d+ of \d+ migrations/)
      const json = yield* asNextVersion()(runHere(directory, ["database", "backup", "json.db", "--json"]))
      assert.deepInclude(jsonOf(json.stdout), { migrations: { applied: 12, known: 13 }, ledger: null })
      changeSqlite(
        `${directory}/${original}`,
        "INSERT INTO effect_sql_migrations (migration_id, name) VALUES (999, 'later')"
      )
      const newer = yield* runHere(directory, ["database", "backup", "newer.db"])
      assert.deepStrictEqual([newer.code, newer.stdout], [1, ""])
      assert.include(newer.stderr, `The database ${original} cannot be used: its schema was created by a newer version`)
      assert.sameMembers(readdirSync(directory), ["data", "older.db", "json.db"])
    })
  )

  it.live("keeps the file if only the ledger has faults, and exits with status 1", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issue(directory)
      changeSqlite(`${directory}/${original}`, "UPDATE credit_balances SET balance = 99")
      const { code, stderr, stdout } = yield* runHere(directory, ["database", "backup", "backup.db"])
      assert.deepStrictEqual([code, existsSync(`${directory}/backup.db`)], [1, true])
      assert.match(stdout, /balance +100 +99\n/)
      assert.include(stderr, "The ledger is wrong: 1 fault.")
    })
  )
})

describe("database restore", slowly, () => {
  it.live("replaces the files of a killed service with a backup, and sets them all aside", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      const { secret } = yield* issue(directory)
      assert.strictEqual((yield* runHere(directory, ["database", "backup", "backup.db"])).code, 0)
      const backup = readFileSync(`${directory}/backup.db`)
      const server = yield* serve(directory)
      yield* forecastFrom(server.url, secret)
      const refused = yield* runHere(directory, ["database", "restore", "backup.db"])
      assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
      assert.include(refused.stderr, "is in use by another process, such as the service. Stop that first.")
      assert.strictEqual((yield* forecastFrom(server.url, secret)).status, 200)
      // Its last commits are only in the write-ahead log.
      yield* stop(server, "SIGKILL")
      const old = readdirSync(`${directory}/data`).filter((name) => name !== "mail")
      assert.sameMembers(
        old,
        ["", "-wal", "-shm"].map((end) => `outreach-forecast.db${end}`)
      )

      const restored = yield* runHere(directory, ["database", "restore", "backup.db", "--json"])
      assert.strictEqual(restored.code, 0, restored.stderr)
      const { set_aside: setAside } = jsonOf(restored.stdout)
      assert.isTrue(Array.isArray(setAside) && setAside.length === 3)
      assert.isTrue(backup.equals(readFileSync(`${directory}/backup.db`)))
      assert.strictEqual(statSync(`${directory}/${original}`).mode & 0o777, 0o600)
      const used = (env = {}) =>
        Effect.map(runHere(directory, ["keys", "list", "ada@example.com", "--json"], env), ({ stderr, stdout }) => {
          assert.include(stdout, "credits_remaining", stderr)
          return Number(/"credits_remaining": (\d+)/.exec(stdout)?.[1])
        })
      assert.strictEqual(yield* used(), 100)
      assert.strictEqual(yield* used({ DATABASE_URL: `sqlite:${String([setAside].flat()[0])}` }), 98)
    })
  )

  it.live(
    "is recommended if a backup was copied over a file whose write-ahead log is still there, and repairs that",
    () =>
      Effect.gen(function* () {
        const before = yield* installedDirectory
        yield* issue(before)
        seed(before, 5000)
        const directory = yield* installedDirectory
        assert.strictEqual((yield* runHere(before, ["database", "backup", `${directory}/backup.db`])).code, 0)
        const log = `${directory}/${original}-wal`
        const left = yield* Effect.gen(function* () {
          const server = yield* serveOn(`sqlite:${directory}/${original}`)
          for (let i = 0; i < 20; i++) yield* forecastFrom(server.url, "demo")
          return readFileSync(log)
        }).pipe(Effect.scoped)
        writeFileSync(log, left)
        writeFileSync(`${directory}/${original}`, readFileSync(`${directory}/backup.db`))
        const mixed = yield* runHere(directory, ["serve"], { PORT: "0" })
        assert.strictEqual(mixed.code, 1)
        assert.include(mixed.stderr, "outreach-forecast database restore FILE")
        const restored = yield* runHere(directory, ["database", "restore", "backup.db"])
        assert.strictEqual(restored.code, 0, restored.stderr)
        assert.include((yield* runHere(directory, ["keys", "list"])).stdout, "ada@example.com")
      })
  )

  it.live("works where there is no database yet, and refuses what it cannot do without changing anything", () =>
    Effect.gen(function* () {
      const directory = yield* installedDirectory
      yield* issue(directory)
      yield* runHere(directory, ["database", "backup", "good.db"])
      const elsewhere = yield* temporaryDirectory
      const moved = yield* runHere(elsewhere, ["database", "restore", `${directory}/good.db`])
      assert.strictEqual(moved.code, 0, moved.stderr)
      assert.match(moved.stdout, /set_aside +\n[\s\S]*faults +0\n\nStart the service\.\n$/)
      assert.include((yield* runHere(elsewhere, ["keys", "list"])).stdout, "ada@example.com")

      changeSqlite(`${directory}/good.db`, "PRAGMA journal_mode = DELETE")
      writeFileSync(`${directory}/wrong.db`, readFileSync(`${directory}/good.db`))
      changeSqlite(`${directory}/wrong.db`, "UPDATE credit_balances SET balance = 99")
      writeFileSync(`${directory}/foreign.db`, "this is no database, however long it is")
      const before = readFileSync(`${directory}/${original}`)
      const postgres = { DATABASE_URL: "postgres://u:canary@127.0.0.1:1/d" }
      for (const [file, message, env] of [
        ["nope.db", "There is no file nope.db.", {}],
        ["foreign.db", "file is not a database. Choose another one; nothing was changed.", {}],
        ["wrong.db", "The ledger is wrong: 1 fault.", {}],
        [original, "is the database itself; name a backup.", {}],
        ["good.db", "postgres://127.0.0.1:1/d is on Postgres. Restore it with pg_restore", postgres]
      ] as const) {
        const { code, stderr } = yield* runHere(directory, ["database", "restore", file], env)
        assert.strictEqual(code, 1, file)
        assert.include(stderr, message)
        assert.notInclude(stderr, "canary")
      }
      assert.isTrue(before.equals(readFileSync(`${directory}/${original}`)))
      assert.sameMembers(readdirSync(`${directory}/data`), ["outreach-forecast.db"])
    })
  )
})
