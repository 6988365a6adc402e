import { SqliteClient } from "@effect/sql-sqlite-node"
import { PgClient } from "@effect/sql-pg"
import { hash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Migrator, SqlClient } from "effect/sql"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { Credits } from "../../src/credits/Credits.ts"
import { migrations } from "../../src/database/Migrations.ts"
import { AccessRequests, linksLayer } from "../../src/keys/AccessRequests.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { KeyId } from "../../src/KeyId.ts"
import { deliverDue } from "../../src/mail/MailWorker.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { mailerMemory, Postbox } from "../support/Mail.ts"
import { postgresDatabase } from "../support/Postgres.ts"
import { oneCredit } from "../support/Samples.ts"

/** An empty database, and a client on it that migrates nothing. */
const databases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => ({
    url: `sqlite:${directory}/test.db`,
    client: SqliteClient.layer({ filename: `${directory}/test.db` })
  })),
  Postgres: Effect.map(postgresDatabase, (url) => ({ url, client: PgClient.layer({ url: Redacted.make(url) }) }))
}

/** An address of before mailboxes had a normal form: its key is in use, and it had its preview credits. */
const insertOld = Effect.fnUntraced(function* (id: string, email: string) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
    VALUES (${id}, 'Ada', ${email}, 'Example', 'active', 'usable', 0, ${id}, 0)`
  yield* sql`INSERT INTO credit_balances (key_id, balance, granted) VALUES (${id}, 100, 100)`
  yield* sql`
    INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
    VALUES (${id}, 'preview_grant', 100, 100, ${`preview:${hash("sha256", email, "hex")}`}, 0)`
})

/** Makes a database as the migrations up to a number did, and fills it. */
const installed = <E>(last: number, fill: Effect.Effect<unknown, E, SqlClient.SqlClient>) =>
  Effect.andThen(Migrator.make({})({ loader: Effect.map(migrations, (all) => all.filter(([id]) => id <= last)) }), fill)

/** The preview credits that somebody gets with an address, and the subject of the mail. */
const ask = Effect.fnUntraced(function* (email: string) {
  const { letters } = yield* Postbox
  const accessRequests = yield* AccessRequests
  yield* accessRequests.request({ name: "Ada", email, company: "Example" })
  yield* deliverDue
  const { link = "", subject } = letters.at(-1) ?? {}
  const { creditsRemaining, key } = yield* accessRequests.reveal(Redacted.make(link.split("/").at(-1) ?? ""))
  return { key: key.id, creditsRemaining, isNew: subject !== "You already have an API key" }
})

for (const [name, database] of Object.entries(databases)) {
  describe(`Migrations of ${name}`, () => {
    it.effect("chain the entries of each key, so that its history is what it was", () =>
      Effect.gen(function* () {
        const { client, url } = yield* database
        const old = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          for (const id of ["key_1", "key_2", "key_3"]) yield* insertOld(id, `${id}@example.com`)
          yield* sql`
            INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
            VALUES ('key_0', 'Bob', 'bob@example.com', 'Example', 'active', 'usable', 0, 'none', 0)`
          // As three keys that are in use side by side.
          for (let after = 99; after >= 90; after--) {
            for (const id of ["key_3", "key_1", "key_2"]) {
              yield* sql`
                INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
                VALUES (${id}, 'forecast', -1, ${after}, ${`${id} ${after}`}, 0)`
            }
          }
          yield* sql`UPDATE credit_balances SET balance = 90`
          yield* sql`INSERT INTO usage_months SELECT key_id, '1970-01', 10 FROM credit_balances`
        })
        yield* installed(12, old).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const { balance, charge, history } = yield* Credits
          const { verify } = yield* LedgerAudit
          assert.include(yield* verify, { keys: 3, entries: 33, faultCount: 0 })
          yield* charge(KeyId.make("key_1"), oneCredit())
          for (const [id, newest] of [
            ["key_1", 89],
            ["key_2", 90]
          ] as const) {
            const keyId = KeyId.make(id)
            const entries = yield* history(keyId, 100)
            const balances = Array.from({ length: 101 - newest }, (_, i) => newest + i)
            assert.deepStrictEqual(
              entries.map(({ balanceAfter }) => balanceAfter),
              balances
            )
            const older = yield* history(keyId, 3, entries[4]?.id)
            assert.deepStrictEqual(older, entries.slice(5, 8))
          }
          const [other] = yield* history(KeyId.make("key_2"), 1)
          assert.deepStrictEqual(yield* history(KeyId.make("key_1"), 3, other?.id), [])
          assert.deepStrictEqual(yield* history(KeyId.make("key_0"), 3), [])
          assert.deepStrictEqual(yield* balance(KeyId.make("key_1")), { remaining: 89, granted: 100 })
          assert.include(yield* verify, { keys: 3, entries: 34, faultCount: 0 })
        }).pipe(Effect.provide(applicationOn(url)))
        // What an older version that still runs would write.
        const refused = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          return yield* Effect.all([
            Effect.flip(sql`
              INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
              VALUES ('key_1', 'forecast', -1, 88, 'old', 0)`),
            Effect.flip(sql`INSERT INTO credit_balances (key_id, balance, granted) VALUES ('key_0', 100, 100)`)
          ])
        }).pipe(Effect.provide(client))
        assert.deepStrictEqual(
          refused.map(({ reason }) => reason._tag),
          ["ConstraintError", "ConstraintError"]
        )
      })
    )
    it.effect("count the newest month of a key beside its balance, and add what an older version counts on", () =>
      Effect.gen(function* () {
        const { client, url } = yield* database
        const keyId = KeyId.make("key_1")
        const oldMonths = Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* sql`
            INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
            VALUES ('key_1', 'Ada', 'ada@example.com', 'Example', 'active', 'usable', 0, 'none', 0)`
          yield* sql`
            INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at, previous_id) VALUES
              ('key_1', 'adjustment', 9, 9, 'nine', 0, NULL), ('key_1', 'forecast', -2, 7, 'two', 0, 1),
              ('key_1', 'forecast', -1, 6, 'one', 2678400000, 2)`
          yield* sql`
            INSERT INTO credit_balances (key_id, balance, granted, last_entry_id) VALUES ('key_1', 6, 9, 3)`
          yield* sql`INSERT INTO usage_months VALUES ('key_1', '1970-01', 2), ('key_1', '1970-02', 1)`
        })
        yield* installed(13, oldMonths).pipe(Effect.provide(client))
        yield* Effect.gen(function* () {
          const { account, charge } = yield* Credits
          const { verify } = yield* LedgerAudit
          const sql = yield* SqlClient.SqlClient
          assert.deepStrictEqual(
            [
              yield* sql`SELECT month, requests FROM credit_balances`,
              yield* sql`SELECT month, requests FROM usage_months`
            ],
            [[{ month: "1970-02", requests: 1 }], [{ month: "1970-01", requests: 2 }]]
          )
          const months = Effect.map(account(keyId), ({ months }) =>
            months.map(({ month, requests }) => [month, requests])
          )
          assert.deepStrictEqual(yield* months, [
            ["1970-02", 1],
            ["1970-01", 2]
          ])
          assert.include(yield* verify, { entries: 3, faultCount: 0 })
          yield* charge(keyId, oneCredit())
          assert.deepStrictEqual(yield* months, [
            ["1970-02", 1],
            ["1970-01", 3]
          ])
          yield* sql`
            INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at, previous_id)
            VALUES ('key_1', 'forecast', -1, 4, 'of an older version', 2678400000, (SELECT max(id) FROM credit_ledger))`
          yield* sql`UPDATE credit_balances SET balance = 4, last_entry_id = (SELECT max(id) FROM credit_ledger)`
          yield* sql`INSERT INTO usage_months VALUES ('key_1', '1970-02', 1)`
          assert.deepStrictEqual(yield* months, [
            ["1970-02", 2],
            ["1970-01", 3]
          ])
          for (const time of [2_678_400_000, 5_097_600_000, 2_678_400_000]) {
            yield* TestClock.setTime(time)
            yield* charge(keyId, oneCredit())
          }
          assert.deepStrictEqual(yield* months, [
            ["1970-03", 1],
            ["1970-02", 4],
            ["1970-01", 3]
          ])
          assert.include(yield* verify, { entries: 8, faultCount: 0 })
        }).pipe(Effect.provide(applicationOn(url)))
      })
    )
    it.effect("give old orders their mailbox, by which those of a person are found", () =>
      Effect.gen(function* () {
        const { client, url } = yield* database
        const insert = (id: string, email: string) =>
          Effect.flatMap(
            SqlClient.SqlClient,
            (sql) => sql`
              INSERT INTO orders (id, name, email, company, pack, credits, amount, currency, method, state, created_at)
              VALUES (${id}, 'Eva', ${email}, 'Example', 'starter', 500, 1900, 'USD', 'manual', 'awaiting_payment', 0)`
          )
        const old = Effect.andThen(insert("ord_eva", "E.va+1@googlemail.com"), insert("ord_bob", "bob@gmail.com"))
        yield* installed(11, old).pipe(Effect.provide(client))
        const found = yield* Effect.provide(
          Effect.flatMap(OrderStore, ({ findOf }) => findOf("eva@gmail.com", [])),
          applicationOn(url)
        )
        assert.deepStrictEqual(
          found.map(({ id }) => id),
          ["ord_eva"]
        )
      })
    )
    it.effect("lose no key whose mailbox is also that of another, and grant nothing anew", () =>
      Effect.gen(function* () {
        const { client, url } = yield* database
        const old = [
          "ada@gmail.com",
          "ada+1@gmail.com",
          "eva@bu\u0308cher.example",
          "eva@b\u00FCcher.example",
          "a@b..c"
        ]
        yield* installed(
          7,
          Effect.forEach(old.entries(), ([i, email]) => insertOld(`key_${i}`, email))
        ).pipe(Effect.provide(client))

        yield* Effect.gen(function* () {
          const { search } = yield* ApiKeys
          const { balance } = yield* Credits
          for (const [i, email] of old.entries()) {
            const id = KeyId.make(`key_${i}`)
            assert.isTrue((yield* search(email)).some((key) => key.id === id))
            assert.strictEqual((yield* balance(id)).remaining, 100)
            assert.deepStrictEqual(yield* ask(email), { key: id, creditsRemaining: 100, isNew: false })
          }
          for (const email of ["a.d.a@googlemail.com", "eva@xn--bcher-kva.example"]) {
            assert.deepInclude(yield* ask(email), { creditsRemaining: 0, isNew: true })
          }
          assert.deepInclude(yield* ask("bob+1@gmail.com"), { creditsRemaining: 100, isNew: true })
        }).pipe(
          Effect.provide(
            Layer.merge(mailerMemory, linksLayer("https://forecast.example")).pipe(
              Layer.provideMerge(applicationOn(url))
            )
          )
        )
      })
    )
  })
}
