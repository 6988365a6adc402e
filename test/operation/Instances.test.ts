import { assert, describe, it, layer } from "@effect/vitest"
import { PgClient } from "@effect/sql-pg"
import { Context, Effect, Fiber, Layer, Redacted } from "effect"
import { Reactivity } from "effect/reactivity"
import { Ledger } from "../../src/credits/Ledger.ts"
import { migrations } from "../../src/database/Migrations.ts"
import { Transaction } from "../../src/database/Transaction.ts"
import { adjustCredits } from "../../src/metering/adjustCredits.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { applicationOn, newPostgresDatabase, temporaryDirectory } from "../support/Application.ts"
import { openBooks } from "../support/Books.ts"
import { forecastsOf, instancesOn, issueOn, ledgerFaults, query, statuses } from "../support/Instances.ts"
import { postgresDatabase } from "../support/Postgres.ts"
import { type Serving, stop, until, untilFound } from "../support/Process.ts"
import { type ServiceResponse, forecastFrom, postTo } from "../support/Requests.ts"
import { smtpServer } from "../support/Smtp.ts"
import { rowsOfSqlite } from "../support/SqliteFile.ts"
import { placeOrder } from "../support/Orders.ts"
import { slowly } from "../support/slowly.ts"

const together = { concurrency: "unbounded" } as const
const times = <A>(count: number, of: (i: number) => A): Array<A> => Array.from({ length: count }, (_, i) => of(i))

/** Two instances on a new database. */
const pair = Effect.fnUntraced(function* (env: Readonly<Record<string, string>> = {}) {
  const url = yield* postgresDatabase
  const [first, second] = yield* instancesOn(url, 2, env)
  if (first === undefined || second === undefined) return yield* Effect.die("Two were asked for")
  const at = (i: number): Serving => (i % 2 === 0 ? first : second)
  return { url, first, second, at }
})

/** The two instances that most tests share, each with its own keys, addresses and clients, and their mail server. */
class Pair extends Context.Service<
  Pair,
  Effect.Success<ReturnType<typeof pair>> & { readonly smtp: Effect.Success<typeof smtpServer> }
>()("test/Pair") {
  static readonly layer = Layer.effect(
    Pair,
    Effect.gen(function* () {
      const smtp = yield* smtpServer
      const env = {
        MAIL_URL: smtp.url,
        TRUSTED_PROXIES: "127.0.0.1",
        UNPAID_ORDERS_PER_KEY: "10",
        ROTATIONS_PER_HOUR: "20"
      }
      return { ...(yield* pair(env)), smtp }
    })
  )
}

/** The number of deadlocks in a database, once it is unused: a connection reports them when it closes. */
const deadlocks = Effect.fnUntraced(function* (url: string) {
  const connections = query<{ readonly n: number }>(
    url,
    "SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE application_name = 'outreach-forecast' AND datname = current_database()"
  )
  yield* untilFound(connections, ([row]) => row?.n === 0)
  const [row] = yield* query<{ readonly n: number }>(
    url,
    "SELECT deadlocks::int4 AS n FROM pg_stat_database WHERE datname = current_database()"
  )
  return row?.n
})

const usageOf = ({ json }: ServiceResponse) => json["usage"]

describe("two instances on one Postgres database", slowly, () => {
  layer(Pair.layer, { excludeTestServices: true })((it) => {
    it.effect("start at the same moment on an empty database: they create the tables once, and one demo key", () =>
      Effect.gen(function* () {
        const { at, url } = yield* Pair
        const responses = yield* Effect.all(
          times(2, (i) => forecastFrom(at(i).url, "demo")),
          together
        )
        assert.deepStrictEqual(statuses(responses), { 200: 2 })
        assert.strictEqual(new Set(responses.map((response) => JSON.stringify(usageOf(response)))).size, 2)
        const applied = yield* query<{ readonly id: number }>(
          url,
          "SELECT migration_id AS id FROM effect_sql_migrations ORDER BY 1"
        )
        assert.deepStrictEqual(
          applied,
          (yield* migrations).map(([id]) => ({ id }))
        )
        const demo = yield* query<{ readonly n: number }>(
          url,
          "SELECT count(*)::int4 AS n FROM api_keys WHERE is_demo = 1"
        )
        assert.deepStrictEqual(demo, [{ n: 1 }])
        assert.deepStrictEqual(yield* ledgerFaults(url), [])
      })
    )

    it.effect("spend each of 50 credits exactly once for 150 concurrent calls", () =>
      Effect.gen(function* () {
        const { at, url } = yield* Pair
        const [key] = yield* issueOn(url, 1, 50)
        if (key === undefined) return
        const responses = yield* Effect.all(
          times(150, (i) => forecastFrom(at(i).url, key.secret)),
          { concurrency: 30 }
        )
        assert.deepStrictEqual(statuses(responses), { 200: 50, 429: 100 })
        assert.deepStrictEqual(
          yield* forecastsOf(url, key.id),
          times(50, (i) => 49 - i)
        )
        assert.deepStrictEqual(yield* ledgerFaults(url), [])
      })
    )

    it.effect(
      "charge once for a request that is sent to both with the same Idempotency-Key, and return the same response",
      () =>
        Effect.gen(function* () {
          const { at, url } = yield* Pair
          const keys = yield* issueOn(url, 4, 1000)
          const sent = keys.flatMap(({ id, secret }) => times(6, (n) => ({ id, secret, name: `request-${n}` })))
          const responses = yield* Effect.forEach(
            sent,
            ({ id, name, secret }) =>
              Effect.map(
                Effect.all(
                  times(4, (i) => forecastFrom(at(i).url, secret, { "idempotency-key": name })),
                  together
                ),
                (four) => ({ id, name, secret, four })
              ),
            { concurrency: 25 }
          )
          let replays = 0
          for (const { four, name, secret } of responses) {
            for (const { status } of four) assert.include([200, 409], status)
            const last = yield* forecastFrom(at(0).url, secret, { "idempotency-key": name })
            assert.strictEqual(last.headers.get("idempotent-replayed"), "true")
            const texts = four.filter(({ status }) => status === 200).map(({ text }) => text)
            assert.isNotEmpty(texts)
            assert.deepStrictEqual(new Set(texts), new Set([last.text]))
            replays += four.filter(({ headers }) => headers.get("idempotent-replayed") === "true").length
          }
          assert.isAbove(replays, 0)
          for (const { id } of keys)
            assert.deepStrictEqual(
              yield* forecastsOf(url, id),
              times(6, (i) => 999 - i)
            )
          assert.deepStrictEqual(yield* ledgerFaults(url), [])
        })
    )

    it.effect("accept an order only once if it is sent to both with the same Idempotency-Key", () =>
      Effect.gen(function* () {
        const { at, url } = yield* Pair
        const [key] = yield* issueOn(url, 1, 0)
        if (key === undefined) return
        const orders = times(6, (n) => ({ n, isOfKey: n % 2 === 0 }))
        const place = (base: string, { isOfKey, n }: { readonly n: number; readonly isOfKey: boolean }) =>
          isOfKey
            ? postTo(
                base,
                "/api/v1/orders",
                { pack: "starter" },
                { "x-api-key": key.secret, "idempotency-key": `o${n}` }
              )
            : postTo(
                base,
                "/api/v1/orders",
                { pack: "growth", name: "Ada", email: `buyer${n}@example.com`, company: "Example" },
                { "idempotency-key": `o${n}`, "x-forwarded-for": `192.0.2.${n}` }
              )
        for (const order of orders) {
          const responses = yield* Effect.all(
            times(6, (i) => place(at(i).url, order)),
            together
          )
          for (const { status } of responses) assert.include([201, 409], status)
          const again = yield* place(at(1).url, order)
          const texts = [...responses.filter(({ status }) => status === 201), again].map(({ text }) => text)
          assert.isAbove(texts.length, 1)
          assert.strictEqual(new Set(texts).size, 1)
        }
        const rows = yield* query<{ readonly n: number }>(
          url,
          "SELECT count(*)::int4 AS n FROM orders WHERE key_id = $1 OR email LIKE 'buyer%'",
          [key.id]
        )
        assert.deepStrictEqual(rows, [{ n: 6 }])
      })
    )

    it.effect("count the requests of a client together", () =>
      Effect.gen(function* () {
        const { at } = yield* Pair
        const request = (i: number, client: string) =>
          postTo(
            at(i).url,
            "/api/v1/access-requests",
            { name: "Ada", email: `counted${i}@example.com`, company: "Example" },
            { "x-forwarded-for": client }
          )
        const responses = yield* Effect.all(
          times(40, (i) => request(i, "198.51.100.1")),
          together
        )
        assert.deepStrictEqual(statuses(responses), { 202: 20, 429: 20 })
        for (const i of [0, 1]) {
          assert.strictEqual((yield* request(i, "198.51.100.1")).problem.code, "rate_limited")
          assert.strictEqual((yield* request(i, "198.51.100.2")).status, 202)
        }
      })
    )

    it.effect("send each email once", () =>
      Effect.gen(function* () {
        const { at, smtp, url } = yield* Pair
        const responses = yield* Effect.all(
          times(12, (i) =>
            postTo(
              at(i).url,
              "/api/v1/access-requests",
              { name: "Ada", email: `reader${i}@example.com`, company: "Example" },
              { "x-forwarded-for": `203.0.113.${i}` }
            )
          ),
          together
        )
        assert.deepStrictEqual(statuses(responses), { 202: 12 })
        const left = Effect.map(
          query<{ readonly n: number }>(url, "SELECT count(*)::int4 AS n FROM mails WHERE state <> 'sent'"),
          ([row]) => row?.n
        )
        yield* Effect.repeat(Effect.delay(left, "50 millis"), { until: (n) => n === 0 })
        // Each worker looks once more.
        yield* Effect.sleep("1200 millis")
        const receivers = smtp.messages.map((message) => /^To: (.*?)\r?$/m.exec(message)?.[1] ?? "")
        const readers = receivers.filter((address) => address.startsWith("reader"))
        assert.deepStrictEqual(readers.toSorted(), times(12, (i) => `reader${i}@example.com`).toSorted())
      })
    )

    it.effect("refuse text that Postgres cannot store, wherever a caller may send it", () =>
      Effect.gen(function* () {
        const { first, url } = yield* Pair
        const [key] = yield* issueOn(url, 1, 100)
        if (key === undefined) return
        const ada = { name: "Ada", email: "ada@example.com", company: "Example" }
        for (const text of ["A\0da", "A\ud800da", "\udc00Ada"]) {
          for (const field of ["name", "email", "company"]) {
            const owner = { ...ada, [field]: field === "email" ? `${text}@example.com` : text }
            const form = { "content-type": "application/x-www-form-urlencoded" }
            const responses = [
              yield* postTo(first.url, "/api/v1/access-requests", owner),
              yield* postTo(first.url, "/api/v1/orders", { ...owner, pack: "starter" }, { "idempotency-key": "first" })
            ]
            for (const { problem } of responses)
              assert.deepStrictEqual(problem.errors?.[0], {
                pointer: `/${field}`,
                code: "invalid_format",
                message: problem.errors?.[0]?.message ?? ""
              })
            // In a form, a lone surrogate arrives as the replacement character.
            if (!text.includes("\0")) continue
            const body = new URLSearchParams({ ...owner, pack: "starter" }).toString()
            for (const path of ["/access", "/credits"])
              assert.strictEqual((yield* postTo(first.url, path, body, form)).status, 400)
          }
          const pack = { pack: text }
          assert.strictEqual(
            (yield* postTo(first.url, "/api/v1/orders", pack, { "x-api-key": key.secret })).status,
            400
          )
          const token = yield* postTo(first.url, "/api/v1/access-requests/confirm", { token: text })
          assert.include([400, 404], token.status)
        }
        const latin = "caf\u00e9"
        const named = yield* postTo(first.url, "/api/v1/access-requests", ada, { "x-request-id": latin })
        assert.strictEqual(named.status, 202)
        assert.notStrictEqual(named.headers.get("x-request-id"), latin)
        assert.strictEqual((yield* forecastFrom(first.url, key.secret, { "idempotency-key": latin })).status, 400)
        assert.strictEqual((yield* forecastFrom(first.url, latin)).status, 401)
      })
    )

    it.effect("make each of several concurrent changes by operators, or refuse it with a reason", () =>
      Effect.gen(function* () {
        const { at, url } = yield* Pair
        const [busy, other] = yield* issueOn(url, 2, 10_000)
        if (busy === undefined || other === undefined) return
        let isOver = false
        let sold = 0
        const load = yield* Effect.forkChild(
          Effect.all(
            times(2, (i) =>
              forecastFrom(at(i).url, busy.secret).pipe(
                Effect.map(({ status }) => {
                  assert.strictEqual(status, 200)
                  sold++
                }),
                Effect.delay("10 millis"),
                Effect.repeat({ until: () => isOver })
              )
            ),
            together
          ),
          { startImmediately: true }
        )
        const operator = (name: string) =>
          Effect.gen(function* () {
            const orders = yield* Orders
            const starter = { id: "starter", credits: 500, amount: 1900, currency: "USD" }
            const adjust = (delta: number, reference?: string) =>
              adjustCredits(busy.id, { action: "credits_adjusted", delta, reason: name, reference })
            const place = (i: number) =>
              placeOrder(starter, { name, email: `${name}${i}@example.com`, company: "Example" })
            return yield* Effect.all(
              times(4, (i) =>
                Effect.gen(function* () {
                  yield* adjust(1)
                  // Both operators make the same change here.
                  yield* adjust(1, `ticket-${i}`)
                  const order = yield* place(i)
                  yield* orders.fulfil(order.id, { reference: `payment-${name}-${i}`, paidAt: 1 })
                  assert.strictEqual((yield* Effect.flip(adjust(-1_000_000)))._tag, "CreditsTooFew")
                  assert.strictEqual((yield* Effect.flip(adjust(2, `ticket-${i}`)))._tag, "ReferenceTaken")
                })
              ),
              together
            )
          }).pipe(Effect.provide(applicationOn(url)))
        const rotated = (body: object) =>
          Effect.all(
            times(6, (i) => postTo(at(i).url, "/api/v1/keys/rotate", body, { "x-api-key": other.secret })),
            together
          )
        const works = (responses: ReadonlyArray<ServiceResponse>) =>
          Effect.map(
            Effect.forEach(responses, ({ json }) => forecastFrom(at(0).url, String(json["api_key"]))),
            statuses
          )
        const rotate = Effect.gen(function* () {
          const kept = yield* rotated({})
          assert.deepStrictEqual(statuses(kept), { 200: 6 })
          assert.deepStrictEqual(yield* works(kept), { 200: 6 })
          // Without a grace period, the first of them ends the key that the others were sent with.
          const ended = yield* rotated({ grace_hours: 0 })
          assert.deepStrictEqual(statuses(ended), { 200: 1, 401: 5 })
          assert.deepStrictEqual(yield* works(ended.filter(({ status }) => status === 200)), { 200: 1 })
        })
        yield* Effect.all([operator("ada"), operator("bob"), rotate], together)
        isOver = true
        yield* Fiber.join(load)
        const [row] = yield* query<{ readonly balance: number }>(
          url,
          "SELECT balance::int4 AS balance FROM credit_balances WHERE key_id = $1",
          [busy.id]
        )
        assert.strictEqual(row?.balance, 10_000 + 12 - sold)
        assert.deepStrictEqual(yield* ledgerFaults(url), [])
      })
    )
  })

  it.live("lock the keys of a batch in one order, whatever their order in the batch", () =>
    Effect.gen(function* () {
      const url = yield* newPostgresDatabase
      // Postgres then looks keys up in the requested order.
      yield* query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET enable_hashjoin = off`)
      const ids = (yield* issueOn(url, 9, 100)).map(({ id }) => id).toSorted()
      const lock = (keyIds: typeof ids) =>
        Effect.gen(function* () {
          const ledger = yield* Ledger
          const transaction = yield* Transaction
          yield* transaction.runLocking(ledger.lock(keyIds))
        }).pipe(Effect.provide(applicationOn(url)))
      const waiting = query<{ readonly n: number }>(
        url,
        "SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
      )
      const isWaiting = (count: number) => untilFound(waiting, ([row]) => row?.n === count)
      const one = yield* PgClient.makeClient({ url: Redacted.make(url) }).pipe(Effect.provide(Reactivity.layer))
      // Another transaction locks the middle key until both have gone as far as they can.
      const fibers = yield* one.withTransaction(
        Effect.gen(function* () {
          yield* one`SELECT 1 FROM credit_balances WHERE key_id = ${ids[4] ?? ""} FOR UPDATE`
          const forwards = yield* Effect.forkChild(lock(ids))
          yield* isWaiting(1)
          const backwards = yield* Effect.forkChild(lock(ids.toReversed()))
          yield* isWaiting(2)
          return [forwards, backwards]
        })
      )
      yield* Effect.forEach(fibers, Fiber.join)
      assert.strictEqual(yield* deadlocks(url), 0)
    })
  )
})

describe("two processes on one SQLite file", slowly, () => {
  it.live("start at once, share callers and emails, and lose nothing when one of them is killed under load", () =>
    Effect.gen(function* () {
      const smtp = yield* smtpServer
      const file = `${yield* temporaryDirectory}/test.db`
      const [first, second] = yield* instancesOn(`sqlite:${file}`, 2, { MAIL_URL: smtp.url })
      if (first === undefined || second === undefined) return assert.fail("Two were asked for")
      const readers = times(6, (i) => ({ name: "Ada", email: `reader${i}@example.com`, company: "Example" }))
      const asked = yield* Effect.forEach(
        readers,
        (reader, i) => postTo((i % 2 === 0 ? first : second).url, "/api/v1/access-requests", reader),
        together
      )
      assert.deepStrictEqual(statuses(asked), { 202: readers.length })
      const mails = Effect.sync(() => rowsOfSqlite(file, "SELECT recipient, state, attempts FROM mails ORDER BY 1"))
      assert.deepStrictEqual(
        yield* untilFound(mails, (rows) => rows.every(({ state }) => state === "sent")),
        readers.map(({ email }) => ({ recipient: email, state: "sent", attempts: 1 }))
      )
      assert.lengthOf(smtp.messages, readers.length)

      const books = yield* openBooks(`sqlite:${file}`)
      const acknowledged = () => books.sum((account) => account.acknowledged.size)
      let isOver = false
      const loads = yield* Effect.forEach([first, second], ({ url }) =>
        Effect.forkChild(
          books.load(url, 10, () => !isOver),
          { startImmediately: true }
        )
      )
      const charges = (server: Serving) => server.stderr().split('"charge":"').length - 1
      yield* until(() => charges(first) > 20 && charges(second) > 20)
      yield* stop(second, "SIGKILL")
      const before = acknowledged()
      yield* until(() => acknowledged() >= before + 50)
      isOver = true
      yield* Effect.forEach(loads, Fiber.join)
      const unknown = yield* Effect.forEach([first, second], ({ stderr }) => books.unknownCharges(stderr()))
      const report = books.report([...unknown.flat(), ...(yield* books.settle(first.url))])
      assert.deepStrictEqual(report.faults, [])
      assert.isAtLeast(report.inLedger, report.acknowledged)
    })
  )
})
