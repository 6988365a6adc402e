import { statSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Logger, Redacted, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { Credits } from "../../src/credits/Credits.ts"
import { AccessRequests } from "../../src/keys/AccessRequests.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { CallCounts } from "../../src/keys/CallCounts.ts"
import { hashOf } from "../../src/keys/KeySecrets.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { Sessions } from "../../src/extensions/account/Sessions.ts"
import { SubKeys } from "../../src/extensions/subkeys/SubKeys.ts"
import { IdempotentAnswers } from "../../src/idempotency/IdempotentAnswers.ts"
import { purging, Retention } from "../../src/retention/Retention.ts"
import { Notices } from "../../src/extensions/notices/Notices.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { deliverDue } from "../../src/mail/MailWorker.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { defaultCreditPacks } from "../../src/settings/CreditPack.ts"
import {
  applicationOn,
  applications,
  configuredStores,
  emptyDatabases,
  settings,
  stores,
  temporaryDirectory
} from "../support/Application.ts"
import { authenticate } from "../support/Authentication.ts"
import { oneCredit } from "../support/Samples.ts"
import { withPostbox } from "../support/Mail.ts"
import { placeOrder } from "../support/Orders.ts"

const day = 86_400_000

const owner = (name: string) => ({ name, email: `${name}@example.com`, company: "Example" })
const [pack] = defaultCreditPacks
const place = (name: string) => (pack === undefined ? Effect.die("No pack") : placeOrder(pack, owner(name)))
const deliverAll = Effect.repeat(deliverDue, { while: (tried) => tried > 0 })

const { Postgres, SQLite } = applications

for (const name of ["Postgres", "SQLite"] as const) {
  it.effect(`the audit log of a confirmed key is kept in ${name}`, () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      for (const state of ["unconfirmed", "usable"]) {
        yield* sql`INSERT INTO api_keys VALUES (${state}, 'n', ${state}, 'c', 'active', ${state}, 0, '', 0, ${state})`
        yield* sql`INSERT INTO audit_log (key_id, actor, action, created_at) VALUES (${state}, 'owner', 'issued', 0)`
      }
      yield* sql`DELETE FROM audit_log WHERE key_id = 'unconfirmed'`
      yield* sql`UPDATE audit_log SET times = times + 1, last_at = 1`
      for (const change of [
        sql`DELETE FROM audit_log`,
        sql`UPDATE audit_log SET times = times + 1, note = 'another'`,
        sql`UPDATE audit_log SET times = times + 2`
      ]) {
        assert.match(String((yield* Effect.flip(change)).reason.cause), /append-only/)
      }
    }).pipe(Effect.provide(stores[name]))
  )
}

for (const [name, application] of Object.entries({ Postgres, SQLite })) {
  const layer = () => withPostbox(application())

  describe(`Retention in ${name}`, () => {
    it.effect("deletes links that switch emails off after a year, and keeps the emails off", () =>
      Effect.gen(function* () {
        const { inspect, isOn, makePath, set } = yield* Notices
        const { purge } = yield* Retention
        const { key } = yield* (yield* ApiKeys).issue(owner("ada"))
        const tokenIn = (path: Redacted.Redacted) => Redacted.make(Redacted.value(path).split("/").at(-1) ?? "")
        const old = tokenIn(yield* makePath(key.id))
        yield* TestClock.adjust("1 day")
        const young = tokenIn(yield* makePath(key.id))
        yield* set((yield* inspect(old)).key.id, false)
        yield* TestClock.adjust("364 days")
        assert.deepInclude(yield* purge, { unsubscribeLinks: 1 })
        assert.strictEqual((yield* Effect.flip(inspect(old)))._tag, "LinkUnknown")
        assert.isFalse((yield* inspect(young)).isOn)
        assert.isFalse(yield* isOn(key.id))
      }).pipe(Effect.provide(layer()))
    )

    it.effect("deletes revoked sub-keys and their secrets after 90 days; their forecasts are listed by their ID", () =>
      Effect.gen(function* () {
        const subKeys = yield* SubKeys
        const credits = yield* Credits
        const { purge } = yield* Retention
        const { key } = yield* (yield* ApiKeys).issue(owner("ada"))
        const crm = yield* subKeys.create(key.id, { name: "CRM", monthlyLimit: null })
        const agent = yield* subKeys.create(key.id, { name: "Agent", monthlyLimit: null })
        for (const { id } of [crm.subKey, agent.subKey]) yield* credits.charge(key.id, { ...oneCredit(), subKeyId: id })
        yield* subKeys.revoke(key.id, crm.subKey.id, "owner")
        yield* TestClock.adjust("89 days")
        assert.notProperty(yield* purge, "subKeys")
        yield* TestClock.adjust("1 day")
        assert.include(yield* purge, { subKeys: 1 })
        assert.strictEqual((yield* Effect.flip(authenticate(crm.secret)))._tag, "InvalidKey")
        assert.strictEqual((yield* authenticate(agent.secret)).id, key.id)
        assert.sameMembers(
          (yield* credits.days(key.id, {})).map(({ subKey }) => subKey),
          [crm.subKey.id, "Agent"]
        )
        assert.deepStrictEqual(
          (yield* credits.history(key.id, 2)).map(({ subKey }) => subKey),
          ["Agent", crm.subKey.id]
        )
        assert.deepInclude(yield* Effect.flatMap(LedgerAudit, ({ verify }) => verify), { faultCount: 0 })
      }).pipe(Effect.provide(layer()))
    )

    it.effect("deletes data that is old and no longer needed, and nothing else", () =>
      Effect.gen(function* () {
        const accessRequests = yield* AccessRequests
        const apiKeys = yield* ApiKeys
        const mails = yield* Mails
        const orders = yield* Orders
        const events = yield* OrderStore
        const { purge } = yield* Retention
        const names = Effect.map(Stream.runCollect(apiKeys.list), (keys) =>
          keys.map(({ owner }) => owner.name).toSorted()
        )

        yield* apiKeys.issue(owner("usable"))
        yield* accessRequests.request(owner("unconfirmed"))
        const paid = yield* place("paid")
        yield* orders.fulfil(paid.id, { reference: "bank", paidAt: 0 })
        const unpaid = yield* place("unpaid")
        yield* events.recordEvent("evt_old", 0)
        yield* deliverAll
        assert.deepStrictEqual(yield* purge, {})

        // A link that was requested again keeps its key.
        yield* accessRequests.request(owner("asked"))
        yield* TestClock.adjust("30 days")
        yield* accessRequests.request(owner("asked"))
        yield* mails.enqueue("queued@example.com", { subject: "s", text: "t", html: "h" })
        assert.include(yield* purge, { keys: 1 })
        assert.deepStrictEqual(yield* names, ["asked", "paid", "usable"])
        const left = yield* mails.list(undefined, 100)
        assert.deepStrictEqual(
          left.map(({ text, to }) => [to, text !== ""]).toSorted(([a], [b]) => (String(a) < String(b) ? -1 : 1)),
          [
            ["asked@example.com", true],
            ["asked@example.com", true],
            ["paid@example.com", false],
            ["queued@example.com", true]
          ]
        )

        yield* deliverAll
        yield* TestClock.adjust("90 days")
        // The email with the link of the paid order is kept, without its text.
        assert.deepStrictEqual(yield* purge, { mails: 3, links: 3, orders: 1, keys: 1, paymentEvents: 1 })
        assert.deepStrictEqual(yield* names, ["paid", "usable"])
        assert.deepStrictEqual(
          (yield* orders.list(undefined, 10)).map(({ id }) => id),
          [paid.id]
        )
        assert.strictEqual((yield* Effect.flip(orders.find(unpaid.id)))._tag, "OrderNotFound")
        assert.isTrue(yield* events.recordEvent("evt_old", 0))
        // A late buyer still gets the key.
        yield* accessRequests.request(owner("paid"))
        assert.deepStrictEqual(yield* names, ["paid", "usable"])
        assert.deepStrictEqual(yield* purge, { paymentEvents: 1 })
      }).pipe(Effect.provide(layer()))
    )

    it.effect("deletes secrets and sessions that have ended, and no others", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const keys = yield* KeyStore
        const sessions = yield* Sessions
        const { purge } = yield* Retention
        const sql = yield* SqlClient.SqlClient
        const { key, secret } = yield* apiKeys.issue(owner("rotated"))
        const { secret: next } = yield* apiKeys.rotate(key.id, 1)
        const first = yield* sessions.open(secret)
        yield* TestClock.adjust("20 minutes")
        const second = yield* sessions.open(next)
        const isStored = (token: Redacted.Redacted) =>
          Effect.map(sql`SELECT 1 FROM account_sessions WHERE hash = ${hashOf(token)}`, ({ length }) => length === 1)
        const left = Effect.gen(function* () {
          const secrets = yield* keys.secretsOf(key.id)
          const found = yield* Effect.forEach([first, second], isStored)
          return [secrets.length, ...found]
        })
        assert.deepStrictEqual(yield* purge, {})
        assert.deepStrictEqual(yield* left, [2, true, true])
        yield* TestClock.adjust("10 minutes")
        assert.deepStrictEqual(yield* purge, { sessions: 1 })
        assert.deepStrictEqual(yield* left, [2, false, true])
        yield* TestClock.adjust("30 minutes")
        assert.deepStrictEqual(yield* purge, { secrets: 1, sessions: 1 })
        assert.deepStrictEqual(yield* left, [1, false, false])
      }).pipe(Effect.provide(layer()))
    )

    it.effect("deletes responses older than a day, even behind some dated in the future", () =>
      Effect.gen(function* () {
        const responses = yield* IdempotentAnswers
        const { purge } = yield* Retention
        const response = (key: string, createdAt: number) => ({
          scope: "key_a",
          operation: "POST /",
          fingerprint: "f",
          answer: "{}",
          key,
          createdAt
        })
        const ahead = Array.from({ length: 600 }, (_, i) => response(`ahead${i}`, 40 * day))
        yield* responses.put([...ahead, response("after", 10)])
        yield* TestClock.adjust("1 day")
        // Those from the future are processed in parts: each counts as created at that time.
        assert.deepStrictEqual(yield* purge, {})
        yield* responses.put([response("newest", 2 * day)])
        yield* TestClock.adjust("1 day")
        assert.deepStrictEqual(yield* purge, { answers: 501 })
        yield* TestClock.adjust("1 day")
        assert.deepStrictEqual(yield* purge, { answers: 101 })
        assert.deepStrictEqual(yield* responses.find([response("after", 0), response("newest", 0)], 0), [
          undefined,
          undefined
        ])
      }).pipe(Effect.provide(layer()))
    )
  })
}

for (const [name, database] of Object.entries(emptyDatabases)) {
  it.live(`two instances that purge at the same moment delete each row once in ${name}`, () =>
    Effect.gen(function* () {
      const url = yield* database
      const instances = yield* Effect.replicateEffect(Layer.build(Layer.fresh(applicationOn(url))), 2)
      const [first = assert.fail("no instance")] = instances
      const rows = Array.from({ length: 1200 }, (_, i) => ({ prefix: `p${i}`, day: "2020-01-01", code: "", calls: 1 }))
      yield* Effect.gen(function* () {
        const { add } = yield* CallCounts
        yield* add(rows.map((row) => ({ ...row, lastAt: 0, lastRequestId: "r" })))
      }).pipe(Effect.provide(first))
      const purged = yield* Effect.all(
        instances.map((instance) =>
          Effect.provide(
            Effect.flatMap(Retention, ({ purge }) => purge),
            instance
          )
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(
        purged.reduce((sum, { callCounts = 0 }) => sum + callCounts, 0),
        rows.length
      )
    }).pipe(Effect.scoped)
  )
}

describe("purging", () => {
  /** Runs the job over data that expired long ago; the result is true once it has been deleted. */
  const purgingWith = <A>(
    use: (
      isPurged: Effect.Effect<boolean>,
      test: { readonly lines: ReadonlyArray<string>; readonly jump: (millis: number) => void }
    ) => Effect.Effect<A, never, SqlClient.SqlClient>
  ) => {
    const lines: Array<string> = []
    let offset = 0
    const jump = (millis: number) => {
      offset += millis
    }
    const jumping = Effect.map(Clock.Clock, (clock): Clock.Clock => ({
      currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + offset,
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (millis) => millis + offset),
      currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
      currentTimeNanos: clock.currentTimeNanos,
      monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: clock.monotonicTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    }))
    const logger = Logger.make(({ message }) => void lines.push(String(message)))
    return Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(500 * day)
      yield* sql`INSERT INTO payment_events VALUES ('evt', 0)`
      yield* Layer.build(purging).pipe(Effect.provideServiceEffect(Clock.Clock, jumping))
      const isPurged = Effect.map(Effect.orDie(sql`SELECT id FROM payment_events`), ({ length }) => length === 0)
      return yield* use(isPurged, { lines, jump })
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(SQLite(), Logger.layer([logger]))))
  }

  it.effect("begins once the clock has been steady for an hour", () =>
    purgingWith((isPurged) =>
      Effect.gen(function* () {
        yield* TestClock.adjust("59 minutes")
        assert.isFalse(yield* isPurged)
        yield* TestClock.adjust("1 minute")
        assert.isTrue(yield* isPurged)
      })
    )
  )

  it.effect("waits for another hour after the clock has jumped, in either direction", () =>
    Effect.gen(function* () {
      for (const days of [2, -2]) {
        yield* purgingWith((isPurged, { jump }) =>
          Effect.gen(function* () {
            yield* TestClock.adjust("55 minutes")
            jump(days * day)
            yield* TestClock.adjust("60 minutes")
            assert.isFalse(yield* isPurged)
            yield* TestClock.adjust("10 minutes")
            assert.isTrue(yield* isPurged)
          })
        )
      }
    })
  )

  it.effect("deletes nothing while the clock is more than 400 days ahead of the newest ledger entry, and says so", () =>
    purgingWith((isPurged, { lines }) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const add = (at: number) =>
          Effect.orDie(sql`INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
                           VALUES ('k', 'adjustment', 5, 5, ${`r${at}`}, ${at})`)
        yield* Effect.orDie(
          sql`INSERT INTO api_keys VALUES ('k', 'n', 'e@x', 'c', 'active', 'usable', 0, 'p', 0, 'e@x')`
        )
        yield* add(99 * day)
        yield* TestClock.adjust("1 hour")
        assert.isFalse(yield* isPurged)
        assert.include(lines, "nothing is deleted by age")
        yield* add(101 * day)
        yield* TestClock.adjust("10 minutes")
        assert.isTrue(yield* isPurged)
      })
    )
  )
})

describe("a SQLite file", () => {
  it.effect("releases the space of deleted data", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { giveSpaceBack } = yield* Retention
        yield* sql`
          INSERT INTO request_counts SELECT hex(randomblob(1000)), 1, value FROM json_each(${JSON.stringify([...Array(3000).keys()])})`
        yield* sql`DELETE FROM request_counts`
        yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
        const before = statSync(file).size
        const giving = yield* Effect.forkChild(giveSpaceBack)
        yield* Effect.replicateEffect(Effect.andThen(TestClock.adjust("20 millis"), Effect.yieldNow), 200)
        yield* Fiber.join(giving)
        yield* sql`PRAGMA wal_checkpoint(TRUNCATE)`
        assert.isBelow(statSync(file).size / before, 0.7)
      }).pipe(Effect.provide(configuredStores.pipe(Layer.provide(settings({ DATABASE_URL: `sqlite:${file}` })))))
    })
  )
})
