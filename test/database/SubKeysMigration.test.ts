import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { Credits } from "../../src/credits/Credits.ts"
import { Ledger } from "../../src/credits/Ledger.ts"
import { passingTables, tables } from "../../src/database/Tables.ts"
import { tables as firstMigration } from "../../src/database/migrations/0001_tables.ts"
import { KeyId } from "../../src/KeyId.ts"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { hashOf } from "../../src/keys/KeySecret.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { unknownKey } from "../support/Http.ts"
import { clientOf } from "../support/EarlierTables.ts"
import { postgresDatabase } from "../support/Postgres.ts"
import { oneCredit } from "../support/Samples.ts"

const keyId = KeyId.make("key_ada")

/** 2026-11-30T23:59:59.999Z, the last moment of a month. */
const lastOfMonth = 1_796_083_199_999

/** A row of each table after the first migration; those of the ledger are a key's grant and its forecasts. */
const rowsOf = (secretHash: string): Readonly<Record<string, ReadonlyArray<Readonly<Record<string, unknown>>>>> => {
  const entry = { key_id: keyId, kind: "forecast", created_at: lastOfMonth }
  return {
    api_keys: [
      {
        id: keyId,
        name: "Ada",
        email: "ada@example.com",
        company: "Example",
        plan: "active",
        state: "usable",
        is_demo: 0,
        secret_prefix: "ofk_test_12345678",
        created_at: 1,
        mailbox: "ada@example.com"
      }
    ],
    key_secrets: [{ hash: secretHash, key_id: keyId, prefix: "ofk_test_12345678", created_at: 1, first_used_at: 2 }],
    credit_balances: [{ key_id: keyId, balance: 94, granted: 100, last_entry_id: 4, month: "2026-12", requests: 2 }],
    // The ids are 1 to 4, in this order.
    credit_ledger: [
      { reference: "a", ...entry, kind: "preview_grant", delta: 100, balance_after: 100, previous_id: null },
      { reference: "b", ...entry, delta: -1, balance_after: 99, previous_id: 1 },
      { reference: "c", ...entry, delta: -3, balance_after: 96, previous_id: 2 },
      { reference: "d", ...entry, delta: -2, balance_after: 94, previous_id: 3, created_at: lastOfMonth + 1 }
    ],
    usage_months: [{ key_id: keyId, month: "2026-11", requests: 4 }],
    reveal_links: [{ id: "link", key_id: keyId, purpose: "confirm", created_at: 1, expires_at: 2 }],
    reveal_tokens: [{ hash: "token", link_id: "link" }],
    mails: [
      {
        id: "mail",
        recipient: "ada@example.com",
        subject: "s",
        text_body: "t",
        html_body: "h",
        state: "sent",
        attempts: 1,
        next_attempt_at: 1,
        created_at: 1
      }
    ],
    audit_log: [{ key_id: keyId, actor: "owner", action: "issued", created_at: 1 }],
    idempotent_answers: [
      { scope: keyId, operation: "o", idempotency_key: "k", fingerprint: "f", answer: "{}", created_at: 1 }
    ],
    orders: [
      {
        id: "order",
        key_id: keyId,
        name: "Ada",
        email: "ada@example.com",
        company: "Example",
        pack: "starter",
        credits: 500,
        amount: 1900,
        currency: "USD",
        method: "manual",
        state: "awaiting_payment",
        created_at: 1,
        mailbox: "ada@example.com"
      }
    ],
    order_secrets: [{ hash: "order", order_id: "order", created_at: 1 }],
    payment_events: [{ id: "event", created_at: 1 }],
    call_counts: [
      { prefix: "ofk_test_12345678", day: "2026-11-30", code: "", calls: 1, last_at: 1, last_request_id: "r" }
    ],
    account_sessions: [{ hash: "session", secret_hash: secretHash, created_at: 1, expires_at: 2 }],
    readiness: [{ id: 1, checked_at: 1 }],
    request_counts: [{ id: "client", requests: 1, expires_at: 1 }]
  }
}

/** All rows of the earlier tables, with their columns. */
const content = Effect.fnUntraced(function* (rows: ReturnType<typeof rowsOf>) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(
    Object.entries(rows),
    ([table, [row = {}]]) => sql`SELECT ${sql.literal(Object.keys(row).join(", "))} FROM ${sql(table)} ORDER BY 1`
  )
})

const databases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => `sqlite:${directory}/test.db`),
  Postgres: postgresDatabase
}

for (const [name, database] of Object.entries(databases)) {
  describe(`A database on ${name} from before sub-keys`, () => {
    it.live("keeps all its data, and starts with usage by day computed from its ledger", () =>
      Effect.gen(function* () {
        const url = yield* database
        const secret = Redacted.make(yield* unknownKey)
        const rows = rowsOf(hashOf(secret))
        const before = yield* Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          yield* Migrator.make({})({ loader: Migrator.fromRecord({ "0001_tables": firstMigration }) })
          for (const [table, values] of Object.entries(rows)) {
            for (const row of values) yield* sql`INSERT INTO ${sql(table)} ${sql.insert(row)}`
          }
          return yield* content(rows)
        }).pipe(Effect.provide(clientOf(url)))
        const added = new Set(["sub_keys", "usage_days", "unsubscribed_keys", "unsubscribe_links"])
        assert.sameMembers(
          Object.keys(rows),
          [...tables.map((table) => table.name), ...passingTables].filter((table) => !added.has(table))
        )

        yield* Effect.gen(function* () {
          const credits = yield* Credits
          assert.strictEqual((yield* (yield* Authenticator).authenticate(secret)).id, keyId)
          assert.deepStrictEqual(yield* (yield* Ledger).days(keyId, {}), [
            { day: "2026-11-30", subKeyId: undefined, subKey: undefined, requests: 4 },
            { day: "2026-12-01", subKeyId: undefined, subKey: undefined, requests: 2 }
          ])
          assert.deepInclude(yield* (yield* LedgerAudit).verify, { faultCount: 0, entries: 4 })
          assert.deepStrictEqual(yield* credits.balance(keyId), { remaining: 94, granted: 100 })
        }).pipe(Effect.provide(applicationOn(url)))
        assert.deepStrictEqual(yield* Effect.provide(content(rows), clientOf(url)), before)

        yield* Effect.gen(function* () {
          const credits = yield* Credits
          const { balance } = yield* credits.charge(keyId, oneCredit())
          assert.deepStrictEqual(balance, { remaining: 93, granted: 100 })
          assert.deepInclude(yield* (yield* LedgerAudit).verify, { faultCount: 0, entries: 5 })
        }).pipe(Effect.provide(applicationOn(url)))
      }).pipe(Effect.scoped)
    )
  })
}
