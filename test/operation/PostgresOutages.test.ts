import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Fiber, Layer, Option, Random } from "effect"
import { forecastTables } from "../../src/database/Tables.ts"
import { AdminServer } from "../../src/health/AdminHttp.ts"
import { configuredStores, newPostgresDatabase, temporaryDirectory } from "../support/Application.ts"
import { openBooks } from "../support/Books.ts"
import { runHere } from "../support/CommandLine.ts"
import { freePort } from "../support/freePort.ts"
import { serveHere } from "../support/Http.ts"
import { instanceRounds } from "../support/InstanceRounds.ts"
import { forecastsOf, instancesOn, issueOn, ledgerFaults, query } from "../support/Instances.ts"
import { connected, postgresDatabase } from "../support/Postgres.ts"
import { adminOf, main, startCommand, stop, until, untilFound, untilPrinted } from "../support/Process.ts"
import { type ServiceResponse, forecastFrom, getFrom, postTo } from "../support/Requests.ts"
import { tcpProxy } from "../support/TcpProxy.ts"
import { slowly } from "../support/slowly.ts"

const outcome = (response: Effect.Effect<ServiceResponse>) =>
  Effect.map(response, ({ json, status }) => ({ status, code: json["code"] }))

/** One request of each kind. */
const requests = (base: string, secret: string) => [
  forecastFrom(base, secret),
  postTo(base, "/api/v1/keys/rotate", {}, { "x-api-key": secret }),
  postTo(base, "/api/v1/access-requests", { name: "Ada", email: "ada@example.com", company: "Example" }),
  postTo(base, "/api/v1/orders", { pack: "starter", name: "Ada", email: "ada@example.com", company: "Example" }),
  getFrom(base, "/readyz")
]

const unavailable = { status: 503, code: "unavailable" }

/** The service in this process behind a network that can fail, and a key that has been used before. */
const behindProxy = Effect.fnUntraced(function* (env: Readonly<Record<string, string>> = {}) {
  const url = yield* newPostgresDatabase
  const proxy = yield* tcpProxy(url)
  const server = yield* serveHere({ DATABASE_URL: proxy.url, ...env }, Layer.orDie(configuredStores))
  const [key] = yield* issueOn(url, 1, 100)
  if (key === undefined) return yield* Effect.die("One was asked for")
  assert.strictEqual((yield* forecastFrom(server.url, key.secret)).status, 200)
  return { url, proxy, server, key }
})

/** Short, but long enough for a busy machine if nothing hangs. */
const shortTimeouts = { DATABASE_STATEMENT_TIMEOUT_MS: "3000", DATABASE_CONNECT_TIMEOUT_MS: "2500" }

describe("kill -9 under load on Postgres", slowly, () => {
  it.live(
    "of an instance, and of Postgres, loses no acknowledged forecast and takes no credit twice, and the instances recover by themselves",
    () =>
      Effect.gen(function* () {
        const seed = yield* Clock.currentTimeMillis
        // `npm run crash -- --postgres` does the same for longer.
        const report = yield* Random.withSeed(instanceRounds({ rounds: 2, victims: ["instance", "postgres"] }), seed)
        assert.deepStrictEqual(report.faults, [], `seed ${seed}`)
        assert.strictEqual(report.restarts, 2)
        assert.isAbove(report.acknowledged, 0)
        assert.isAtLeast(report.inLedger, report.acknowledged)
      })
  )
})

describe("a connection to Postgres that is lost", slowly, () => {
  it.live("at any moment costs only credits whose responses arrived or can be retried", () =>
    Effect.gen(function* () {
      const url = yield* newPostgresDatabase
      const proxy = yield* tcpProxy(url)
      const server = yield* serveHere({ DATABASE_URL: proxy.url }, Layer.orDie(configuredStores))
      const books = yield* openBooks(url)
      const refused = () => books.sum((account) => account.refused)
      let isOver = false
      const load = yield* Effect.forkChild(
        books.load(server.url, 10, () => new Promise((resolve) => setTimeout(() => resolve(!isOver), 5)))
      )
      for (let cuts = 0; cuts < 20; cuts++) {
        yield* Effect.sleep(`${20 + (cuts % 7)} millis`)
        proxy.cut()
      }
      yield* until(() => refused() > 0)
      isOver = true
      yield* Fiber.join(load)
      assert.deepStrictEqual([...(yield* books.settle(server.url)), ...(yield* books.unknownCharges(server.log()))], [])
      assert.notInclude(server.log(), "The service failed to answer")
    })
  )

  it.live("between a commit and its confirmation gives 503, and a retry gets the response free of charge", () =>
    Effect.gen(function* () {
      const { key, proxy, server, url } = yield* behindProxy()
      for (let i = 0; i < 3; i++) {
        proxy.cutAfterCommit(key.id)
        assert.deepInclude(
          yield* outcome(forecastFrom(server.url, key.secret, { "idempotency-key": `request-${i}` })),
          unavailable
        )
        assert.strictEqual(proxy.commitsCut(), i + 1)
        assert.lengthOf(yield* forecastsOf(url, key.id), i + 2)
        const again = yield* forecastFrom(server.url, key.secret, { "idempotency-key": `request-${i}` })
        assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
        assert.include(again.json["usage"], { credits_remaining: 98 - i })
      }
      assert.deepStrictEqual(yield* forecastsOf(url, key.id), [99, 98, 97, 96])

      const order = (name: string) =>
        postTo(server.url, "/api/v1/orders", { pack: "starter" }, { "x-api-key": key.secret, "idempotency-key": name })
      proxy.cutAfterCommit(key.id)
      assert.deepInclude(yield* outcome(order("order")), unavailable)
      const again = yield* order("order")
      assert.strictEqual(again.status, 201)
      assert.strictEqual(again.headers.get("idempotent-replayed"), "true")
      const orders = yield* query<{ readonly id: string }>(url, "SELECT id FROM orders")
      assert.deepStrictEqual(orders, [{ id: String(again.json["order_id"]) }])
      assert.strictEqual(proxy.commitsCut(), 4)
      assert.deepStrictEqual(yield* ledgerFaults(url), [])
    })
  )
})

const callers = 5

/** Sends requests while Postgres does not respond, until all have been answered while it still does not, and again when it is back. */
const outlives = Effect.fnUntraced(function* (options: {
  readonly url: string
  readonly base: string
  readonly key: { readonly id: string; readonly secret: string }
  readonly hang: Effect.Effect<void>
  readonly resume: Effect.Effect<void>
}) {
  const { base, key, url } = options
  const before = yield* forecastsOf(url, key.id)
  let sent = 0
  let isOver = false
  const names: Array<string> = []
  let isHanging = false
  /** The callers that got a response to a request sent while Postgres hung, and so to the one before it. */
  const answered = new Set<number>()
  const caller = (i: number) =>
    Effect.gen(function* () {
      const name = `request-${sent++}`
      names.push(name)
      const wasHanging = isHanging
      const response = yield* outcome(forecastFrom(base, key.secret, { "idempotency-key": name }))
      if (response.status !== 200) assert.deepStrictEqual(response, unavailable)
      if (wasHanging) answered.add(i)
    }).pipe(Effect.delay("50 millis"), Effect.repeat({ until: () => isOver }))
  const load = yield* Effect.forkChild(
    Effect.all(
      Array.from({ length: callers }, (_, i) => caller(i)),
      { concurrency: "unbounded" }
    ),
    { startImmediately: true }
  )
  yield* Effect.sleep("200 millis")
  yield* options.hang
  isHanging = true
  // The last result of /readyz is cached for a second.
  const others = Effect.all(requests(base, key.secret).map(outcome), { concurrency: 5 })
  const refused = yield* Effect.forkChild(Effect.delay(others, "1 second"), { startImmediately: true })
  const watch = Effect.gen(function* () {
    while (answered.size < callers) {
      assert.strictEqual((yield* getFrom(base, "/livez")).status, 200)
      yield* Effect.sleep("100 millis")
    }
  })
  yield* Effect.raceFirst(watch, Fiber.join(load))
  for (const response of yield* Fiber.join(refused)) assert.deepStrictEqual(response, unavailable)
  yield* options.resume
  yield* Effect.repeat(Effect.delay(getFrom(base, "/readyz"), "50 millis"), { until: ({ status }) => status === 200 })
  isOver = true
  yield* Fiber.join(load)
  // On a busy machine a statement may time out by itself.
  yield* Effect.forEach(
    names,
    (name) => untilFound(forecastFrom(base, key.secret, { "idempotency-key": name }), ({ status }) => status === 200),
    { concurrency: 10 }
  )
  const after = yield* forecastsOf(url, key.id)
  assert.strictEqual(after.length - before.length, names.length)
  assert.deepStrictEqual(yield* ledgerFaults(url), [])
})

// These mostly wait for timeouts, each with a server of its own.
describe.concurrent("while Postgres is down", slowly, () => {
  it.live("every request gets 503 immediately, metrics and log say so, and the process stays alive", () =>
    Effect.gen(function* () {
      const url = yield* newPostgresDatabase
      const proxy = yield* tcpProxy(url)
      // Waiting for Postgres would take longer than the test may.
      const [server] = yield* instancesOn(proxy.url, 1, {
        DATABASE_STATEMENT_TIMEOUT_MS: "600000",
        DATABASE_CONNECT_TIMEOUT_MS: "600000",
        ADMIN_PORT: "0"
      })
      if (server === undefined) return
      const databaseUp = Effect.map(
        getFrom(adminOf(server), "/metrics"),
        ({ text }) => /^outreach_forecast_database_up (\d)/m.exec(text)?.[1]
      )
      const [key] = yield* issueOn(url, 1, 100)
      const secret = key?.secret ?? ""
      // Connections that have not noticed yet, and then none.
      yield* Effect.all(requests(server.url, secret), { concurrency: 5 })
      proxy.close()
      // The last result of /readyz is cached for a second.
      yield* Effect.sleep("1 second")
      for (let i = 0; i < 3; i++) {
        const responses = yield* Effect.all(requests(server.url, secret).map(outcome), { concurrency: 5 })
        for (const response of responses) assert.deepStrictEqual(response, unavailable)
        assert.strictEqual((yield* getFrom(server.url, "/livez")).status, 200)
      }
      assert.strictEqual((yield* forecastFrom(server.url, secret)).headers.get("retry-after"), "1")
      yield* untilFound(databaseUp, (up) => up === "0")
      yield* proxy.open
      yield* untilFound(getFrom(server.url, "/readyz"), ({ status }) => status === 200)
      assert.strictEqual((yield* forecastFrom(server.url, secret)).status, 200)
      yield* untilPrinted(server, "database works again")
      assert.strictEqual(yield* databaseUp, "1")
      assert.notInclude(server.stderr(), "The service failed to answer")
    })
  )
})

describe.concurrent("a start while Postgres is down", slowly, () => {
  it.live("waits, says so once, is alive but not ready in the meantime, and serves when Postgres is back", () =>
    Effect.gen(function* () {
      const proxy = yield* tcpProxy(yield* postgresDatabase)
      proxy.close()
      const directory = yield* temporaryDirectory
      const [port, adminPort] = [yield* Effect.promise(freePort), yield* Effect.promise(freePort)]
      const env = {
        DATABASE_URL: proxy.url,
        PORT: String(port),
        ADMIN_PORT: String(adminPort),
        APP_ENV: "production",
        PUBLIC_URL: "https://example.com"
      }
      const running = yield* startCommand(process.execPath, [main, "serve"], directory, env)
      yield* untilPrinted(running, "waiting for the database")
      assert.match(running.stderr(), /"database":"postgres:\/\/[^"@]+","reason":"[^"]*ECONNREFUSED/)
      for (const base of [port, adminPort].map((each) => `http://127.0.0.1:${each}`)) {
        assert.strictEqual((yield* getFrom(base, "/livez")).status, 200)
        const refused = yield* getFrom(base, "/readyz")
        assert.deepInclude(refused.problem, { ...unavailable, type: "https://example.com/docs/errors#unavailable" })
        assert.deepStrictEqual([refused.headers.get("retry-after"), refused.headers.get("connection")], ["1", "close"])
      }
      // Longer than it waits between two attempts.
      yield* Effect.sleep("2500 millis")
      assert.lengthOf(running.stderr().trim().split("\n"), 1)
      yield* proxy.open
      yield* untilPrinted(running, '"message":"listening"')
      assert.strictEqual((yield* getFrom(`http://127.0.0.1:${port}`, "/readyz")).status, 200)
      assert.deepInclude(yield* stop(running, "SIGTERM"), { code: 0 })
    })
  )

  it.live("ends on SIGTERM, or immediately if waiting would not help", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const env = { DATABASE_URL: "postgres://user:canary@127.0.0.1:1/name", PORT: "0" }
      const running = yield* startCommand(process.execPath, [main, "serve"], directory, env)
      yield* untilPrinted(running, "waiting for the database")
      assert.deepInclude(yield* stop(running, "SIGTERM"), { code: 0 })
      const url = new URL(yield* newPostgresDatabase)
      url.password = "canary"
      const wrong = yield* runHere(directory, ["serve"], { ...env, DATABASE_URL: url.href })
      assert.strictEqual(wrong.code, 1)
      assert.match(wrong.stderr, /cannot be used: .*password authentication failed/)
      assert.notInclude(running.stderr() + wrong.stderr, "canary")
      // A command does not wait.
      const list = yield* runHere(directory, ["keys", "list"], env)
      assert.deepStrictEqual([list.code, list.stderr.includes("cannot be used")], [1, true])
    })
  )
})

describe.concurrent("a Postgres that does not respond", slowly, () => {
  it.live("ends calls at the statement timeout, and the service recovers by itself", () =>
    Effect.gen(function* () {
      const { proxy, server, url } = yield* behindProxy(shortTimeouts)
      const [key] = yield* issueOn(url, 1, 100_000)
      if (key === undefined) return
      yield* outlives({
        url,
        base: server.url,
        key,
        hang: Effect.sync(proxy.freeze),
        resume: Effect.sync(proxy.thaw)
      })
    })
  )
})

describe.concurrent("a table that another session has locked", slowly, () => {
  it.live("makes /readyz answer 503 while forecasts cannot be written, and 200 while they can", () =>
    Effect.gen(function* () {
      const { key, server, url } = yield* behindProxy({ DATABASE_STATEMENT_TIMEOUT_MS: "10000", ADMIN_PORT: "0" })
      const admin = Option.getOrThrow(Context.get(server.services, AdminServer).url)
      const readiness = Effect.map(Effect.delay(getFrom(admin, "/readyz"), "50 millis"), ({ json, status }) => ({
        status,
        database: json["database"]
      }))
      /** The response to a forecast while a table is locked, and /readyz once it says this of the database. */
      const whileLocked = (table: string, database: string) =>
        connected(url, (sql) =>
          sql.withTransaction(
            Effect.gen(function* () {
              yield* sql`LOCK TABLE ${sql(table)} IN EXCLUSIVE MODE`
              const { status } = yield* forecastFrom(server.url, key.secret)
              return { forecast: status, ready: yield* untilFound(readiness, (ready) => ready.database === database) }
            })
          )
        )
      assert.deepStrictEqual(yield* whileLocked("credit_ledger", "locked"), {
        forecast: 503,
        ready: { status: 503, database: "locked" }
      })
      const ready = { status: 200, database: "ok" }
      assert.deepStrictEqual(yield* untilFound(readiness, ({ status }) => status === 200), ready)
      assert.deepStrictEqual(yield* whileLocked("mails", "ok"), { forecast: 200, ready })
    })
  )

  it.live("makes no service hang whose requests wait for it on all connections, and they recover by themselves", () =>
    Effect.gen(function* () {
      const { key, server, url } = yield* behindProxy({
        // They wait for as long as the table is locked, however slow the machine is.
        DATABASE_STATEMENT_TIMEOUT_MS: "120000",
        DATABASE_POOL_SIZE: "3",
        TRUSTED_PROXIES: "127.0.0.1"
      })
      const requestAccess = (i: number) =>
        postTo(
          server.url,
          "/api/v1/access-requests",
          { name: "Ada", email: `a${i}@example.com`, company: "Example" },
          { "x-forwarded-for": `192.0.2.${i}` }
        )
      const waiting = yield* connected(url, (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`LOCK TABLE mails IN EXCLUSIVE MODE`
            const fibers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], (i) => Effect.forkDetach(requestAccess(i)))
            const locked = sql<{ readonly count: number }>`
              SELECT count(*)::int4 AS count FROM pg_locks WHERE NOT granted AND relation = 'mails'::regclass`
            yield* untilFound(locked, ([row]) => row?.count === 3)
            assert.strictEqual((yield* getFrom(server.url, "/livez")).status, 200)
            yield* untilFound(getFrom(server.url, "/readyz"), ({ status }) => status === 503)
            return fibers
          })
        )
      )
      const statuses = (yield* Effect.forEach(waiting, Fiber.join)).map(({ status }) => status)
      assert.includeMembers([202, 503], statuses)
      yield* untilFound(getFrom(server.url, "/readyz"), ({ status }) => status === 200)
      assert.strictEqual((yield* forecastFrom(server.url, key.secret)).status, 200)
    })
  )

  it.live("is noticed by /readyz if a forecast writes to it", () =>
    Effect.gen(function* () {
      const url = yield* newPostgresDatabase
      const server = yield* serveHere({ DATABASE_URL: url }, Layer.orDie(configuredStores))
      const [key] = yield* issueOn(url, 1, 100)
      assert.strictEqual((yield* forecastFrom(server.url, key?.secret ?? "")).status, 200)
      yield* connected(url, (sql) =>
        Effect.gen(function* () {
          yield* sql`CREATE TABLE seen (name TEXT, mode TEXT)`
          yield* sql`
            CREATE FUNCTION note_locks() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
              INSERT INTO seen SELECT relname, mode FROM pg_locks JOIN pg_class ON pg_class.oid = relation
                WHERE pid = pg_backend_pid() AND relkind = 'r' AND relnamespace = 'public'::regnamespace;
              RETURN NULL;
            END $$`
          // At the end of the transaction, when it holds all its locks.
          for (const table of ["credit_ledger", "key_secrets"])
            yield* sql`
              CREATE CONSTRAINT TRIGGER note_locks AFTER INSERT OR UPDATE ON ${sql(table)} DEFERRABLE INITIALLY DEFERRED
              FOR EACH ROW EXECUTE FUNCTION note_locks()`
        })
      )
      const [fresh] = yield* issueOn(url, 1, 100)
      // The first forecasts of a sub-key, and in a month after that of the balance.
      yield* connected(url, (sql) =>
        Effect.gen(function* () {
          yield* sql`
            INSERT INTO sub_keys (id, key_id, name, folded_name, secret_prefix, created_at)
            SELECT 'sub_crm', id, 'CRM', 'crm', secret_prefix, created_at FROM api_keys WHERE id = ${fresh?.id ?? ""}`
          yield* sql`UPDATE key_secrets SET sub_key_id = 'sub_crm' WHERE key_id = ${fresh?.id ?? ""}`
          yield* sql`UPDATE credit_balances SET month = '2020-01' WHERE key_id = ${key?.id ?? ""}`
          yield* sql`DELETE FROM seen`
        })
      )
      assert.strictEqual(
        (yield* forecastFrom(server.url, fresh?.secret ?? "", { "idempotency-key": "once" })).status,
        200
      )
      assert.strictEqual(
        (yield* forecastFrom(server.url, key?.secret ?? "", { "idempotency-key": "once" })).status,
        200
      )
      const tablesLocked = (mode: string) =>
        Effect.map(
          query<{ readonly name: string }>(
            url,
            "SELECT DISTINCT name FROM seen WHERE mode = $1 AND name <> 'seen' ORDER BY name",
            [mode]
          ),
          (rows) => rows.map(({ name }) => name)
        )
      assert.deepStrictEqual(yield* tablesLocked("RowExclusiveLock"), forecastTables.written.toSorted())
      assert.includeMembers(
        [...forecastTables.referenced, ...forecastTables.written],
        [...(yield* tablesLocked("RowShareLock"))]
      )
    })
  )
})
