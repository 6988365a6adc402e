import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, type Layer, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient, type SqlError } from "effect/sql"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { Credits } from "../../src/credits/Credits.ts"
import { Ledger } from "../../src/credits/Ledger.ts"
import { dialectOf } from "../../src/database/Statements.ts"
import { passingTables, tables } from "../../src/database/Tables.ts"
import { KeyId } from "../../src/KeyId.ts"
import { AuditLog } from "../../src/keys/AuditLog.ts"
import { Authenticator } from "../../src/keys/Authenticator.ts"
import { hashOf } from "../../src/keys/KeySecrets.ts"
import { SubKeys } from "../../src/keys/subkeys/SubKeys.ts"
import { SubKeyStore } from "../../src/keys/subkeys/SubKeyStore.ts"
import { Outbox } from "../../src/mail/Outbox.ts"
import { OrderStore } from "../../src/orders/OrderStore.ts"
import { applicationOn, emptyDatabases } from "../support/Application.ts"
import { clientOf, migrateBefore } from "../support/EarlierTables.ts"
import { unknownKey } from "../support/Http.ts"
import { oneCredit } from "../support/Samples.ts"

/** 2026-11-30T23:59:59.999Z, the last moment of a month. */
const lastOfMonth = 1_796_083_199_999

const keyId = KeyId.make("key_ada")

/** Tests that a database from before a migration has what it should once the service has migrated it. */
const migrates = <A, E>(
  what: string,
  from: {
    readonly before: number
    /** Fills the earlier tables. */
    readonly install: Effect.Effect<A, SqlError.SqlError, SqlClient.SqlClient>
    readonly check: (
      installed: A,
      url: string
    ) => Effect.Effect<void, E, Layer.Success<ReturnType<typeof applicationOn>>>
  }
) => {
  for (const [name, database] of Object.entries(emptyDatabases)) {
    it.effect(`${what}, on ${name}`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(lastOfMonth + 2)
        const url = yield* database
        const installed = yield* Effect.provide(Effect.andThen(migrateBefore(from.before), from.install), clientOf(url))
        yield* Effect.provide(from.check(installed, url), applicationOn(url))
      }).pipe(Effect.scoped)
    )
  }
}

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

const withoutSubKeys = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const secret = Redacted.make(yield* unknownKey)
  const rows = rowsOf(hashOf(secret))
  for (const [table, values] of Object.entries(rows)) {
    for (const row of values) yield* sql`INSERT INTO ${sql(table)} ${sql.insert(row)}`
  }
  return { secret, rows, before: yield* content(rows) }
})

/** The credits that keys were given and spent, in this order. */
const histories = {
  /** Has 2 of the 8 credits that there were after the last grant: the next debit leaves less than a fifth. */
  nearly: [5, -2, 5, -6],
  /** Had 100 credits and has 10: it ran low before. */
  low: [100, -90],
  empty: [3, -3],
  never: []
}

/** The keys and their ledger. */
const withoutNotices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  let id = 0
  for (const [name, deltas] of Object.entries(histories)) {
    yield* sql`
      INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
      VALUES (${name}, 'Ada', ${`${name}@example.com`}, 'Example', 'active', 'usable', 0, ${name}, 0)`
    let [balance, granted] = [0, 0]
    let previousId: number | null = null
    for (const delta of deltas) {
      id++
      balance += delta
      granted += Math.max(delta, 0)
      yield* sql`
        INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at, previous_id)
        VALUES (${id}, ${name}, ${delta > 0 ? "adjustment" : "forecast"}, ${delta}, ${balance}, ${String(id)}, 0,
          ${previousId})`
      previousId = id
    }
    const requests = granted - balance
    const month = requests > 0 ? "1970-01" : null
    yield* sql`
      INSERT INTO credit_balances (key_id, balance, granted, last_entry_id, month, requests)
      VALUES (${name}, ${balance}, ${granted}, ${previousId}, ${month}, ${requests})`
  }
  if (dialectOf(sql).isPostgres) yield* sql`SELECT setval(pg_get_serial_sequence('credit_ledger', 'id'), ${id})`
})

/** An open order, and one of an erased person and what was written about them. */
const withoutInvoices = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO api_keys VALUES ('gone', 'erased', 'gone@erased.invalid', 'erased', 'active', 'revoked', 0, '', 0, '')`
  yield* sql`INSERT INTO audit_log (key_id, actor, action, created_at, note) VALUES ('gone', 'operator', 'issued', 0, 'Ada')`
  yield* sql`
    INSERT INTO credit_ledger (key_id, kind, delta, balance_after, reference, created_at)
    VALUES ('gone', 'adjustment', 5, 5, 'adjustment:Ada', 0)`
  for (const [id, state, email] of [
    ["ord_open", "awaiting_payment", "ada@example.com"],
    ["ord_gone", "cancelled", "ord_gone@erased.invalid"]
  ] as const) {
    yield* sql`
      INSERT INTO orders (id, name, email, company, pack, credits, amount, currency, method, session_id, pay_url, state,
        reference, created_at, mailbox)
      VALUES (${id}, 'Ada', ${email}, 'Example', 'starter', 500, 1900, 'USD', 'stripe', ${`cs_${id}`},
        'https://pay.example/', ${state}, 'bank 7', 1, 'ada@example.com')`
  }
  return yield* sql`SELECT * FROM orders ORDER BY id`
})

/** The changes of the key's credits in order, each with its time and its sub-key, if any. */
const entries = [
  { delta: 10, time: lastOfMonth },
  { delta: -1, time: lastOfMonth },
  { delta: -2, time: lastOfMonth, subKey: "crm" },
  { delta: -1, time: lastOfMonth },
  { delta: -1, time: lastOfMonth + 1, subKey: "crm" }
]

/** The key, its sub-key and its ledger. */
const withoutDays = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* sql`
    INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
    VALUES (${keyId}, 'Ada', 'ada@example.com', 'Example', 'active', 'usable', 0, 'p', 0)`
  yield* sql`
    INSERT INTO sub_keys (id, key_id, name, folded_name, secret_prefix, created_at, month, requests)
    VALUES ('crm', ${keyId}, 'CRM', 'crm', 'p', 0, '2026-12', 1)`
  let balance = 0
  for (const [i, { delta, subKey = null, time }] of entries.entries()) {
    balance += delta
    yield* sql`
      INSERT INTO credit_ledger (id, key_id, sub_key_id, kind, delta, balance_after, reference, created_at, previous_id)
      VALUES (${i + 1}, ${keyId}, ${subKey}, ${delta > 0 ? "adjustment" : "forecast"}, ${delta}, ${balance},
        ${String(i)}, ${time}, ${i === 0 ? null : i})`
  }
  yield* sql`
    INSERT INTO credit_balances (key_id, balance, granted, last_entry_id, month, requests)
    VALUES (${keyId}, ${balance}, 10, ${entries.length}, '2026-12', 1)`
  yield* sql`INSERT INTO usage_months (key_id, month, requests) VALUES (${keyId}, '2026-11', 4)`
  for (const [day, subKey, requests] of [
    ["2026-11-30", "", 2],
    ["2026-11-30", "crm", 2],
    ["2026-12-01", "crm", 1]
  ] as const) {
    yield* sql`
      INSERT INTO usage_days (key_id, day, sub_key_id, requests) VALUES (${keyId}, ${day}, ${subKey}, ${requests})`
  }
  if (dialectOf(sql).isPostgres) {
    yield* sql`SELECT setval(pg_get_serial_sequence('credit_ledger', 'id'), ${entries.length})`
  }
})

const shown = Effect.gen(function* () {
  const { days } = yield* (yield* Credits).ledgerDays(keyId)
  return days.map(({ changes, day, forecasts }) => ({
    day,
    changes: changes.map(({ delta }) => delta),
    forecasts: forecasts.map(({ entries, requests, subKey }) => [
      subKey,
      requests,
      entries.map(({ balanceAfter }) => balanceAfter)
    ])
  }))
})

/** Two sub-keys of a key whose names look the same, and a change in the audit log. */
const withNamesAlike = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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

/** The links of earlier emails, and what they lead to. */
const links = [
  [null, undefined],
  ["0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69", { kind: "reveal", id: "0199f0a2-6a5e-7c31-8f0e-2f1d3c4b5a69" }],
  ["ord_3kTq0VbW9sXhY2Lm", { kind: "order", id: "ord_3kTq0VbW9sXhY2Lm" }],
  ["unsubscribe:key_3kTq0VbW9sXhY2Lm", { kind: "unsubscribe", id: "key_3kTq0VbW9sXhY2Lm" }]
] as const

const withShortLinks = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  for (const [i, [linkId]] of links.entries()) {
    yield* sql`
      INSERT INTO mails (id, recipient, subject, text_body, html_body, link_id, state, attempts, next_attempt_at, created_at)
      VALUES (${`mail ${i}`}, 'ada@example.com', 's', 't', 'h', ${linkId}, 'queued', 0, 0, 0)`
  }
})

describe("A database from before", () => {
  migrates("sub-keys keeps all its data, and starts with usage by day computed from its ledger", {
    before: 2,
    install: withoutSubKeys,
    check: ({ before, rows, secret }, url) =>
      Effect.gen(function* () {
        const added = new Set(["sub_keys", "usage_days", "unsubscribed_keys", "unsubscribe_links"])
        assert.sameMembers(
          Object.keys(rows),
          [...tables.map((table) => table.name), ...passingTables].filter((table) => !added.has(table))
        )
        const credits = yield* Credits
        const { verify } = yield* LedgerAudit
        assert.deepStrictEqual(yield* (yield* Ledger).days(keyId, {}), [
          { day: "2026-11-30", subKeyId: undefined, subKey: undefined, requests: 4 },
          { day: "2026-12-01", subKeyId: undefined, subKey: undefined, requests: 2 }
        ])
        assert.deepInclude(yield* verify, { faultCount: 0, entries: 4 })
        assert.deepStrictEqual(yield* Effect.provide(content(rows), clientOf(url)), before)
        assert.strictEqual((yield* (yield* Authenticator).authenticate(secret)).id, keyId)
        const { balance } = yield* credits.charge(keyId, oneCredit())
        assert.deepStrictEqual(balance, { remaining: 93, granted: 100 })
        assert.deepInclude(yield* verify, { faultCount: 0, entries: 5 })
      })
  })

  migrates("low-credit notices keeps its books, and notices only balances that fall from now on", {
    before: 3,
    install: withoutNotices,
    check: () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { dueNotices, takeNotice } = yield* Ledger
        const { verify } = yield* LedgerAudit
        const charge = (key: keyof typeof histories) => credits.charge(KeyId.make(key), oneCredit())
        assert.deepInclude(yield* verify, { faultCount: 0, entries: 8 })
        assert.deepStrictEqual(yield* dueNotices, [])
        yield* charge("low")
        assert.deepStrictEqual(yield* dueNotices, [])
        yield* charge("nearly")
        assert.deepStrictEqual(yield* dueNotices, [KeyId.make("nearly")])
        assert.deepStrictEqual(yield* takeNotice(KeyId.make("nearly")), Option.some(1))
        for (let left = 9; left > 0; left--) yield* charge("low")
        assert.deepStrictEqual(yield* dueNotices, [KeyId.make("low")])
        assert.deepInclude(yield* verify, { faultCount: 0 })
      })
  })

  migrates("invoices keeps its orders, without invoice and dispute, and loses what was written about erased people", {
    before: 4,
    install: withoutInvoices,
    check: (before, url) =>
      Effect.gen(function* () {
        const store = yield* OrderStore
        const order = Option.getOrThrow(yield* store.find("ord_open"))
        assert.include(order, {
          state: "awaiting_payment",
          amount: 1900,
          invoiceUrl: undefined,
          dispute: undefined,
          isTrial: false
        })
        yield* store.update({ ...order, invoiceUrl: "https://invoice.example/1" })
        const after = yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT * FROM orders ORDER BY id`).pipe(
          Effect.provide(clientOf(url))
        )
        const changes = [
          { invoice_url: null, reference: "erased" },
          { invoice_url: "https://invoice.example/1", reference: "bank 7" }
        ]
        assert.deepStrictEqual(
          after.map((row) => ({ ...row, is_trial: Number(row["is_trial"]) })),
          before.map((row, i) => ({ ...row, ...changes[i], dispute_id: null, dispute: null, is_trial: 0 }))
        )
        const texts = yield* Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`SELECT note AS text FROM audit_log UNION ALL SELECT reference FROM credit_ledger`
        ).pipe(Effect.provide(clientOf(url)))
        assert.deepStrictEqual(texts, [{ text: null }, { text: "adjustment:erased 1" }])
      })
  })

  migrates("the ledger by day shows the entries of earlier days, and those of a day with new ones", {
    before: 5,
    install: withoutDays,
    check: () =>
      Effect.gen(function* () {
        const earlier = {
          day: "2026-11-30",
          changes: [10],
          forecasts: [
            [undefined, 2, [6, 9]],
            ["CRM", 2, [7]]
          ]
        }
        assert.deepStrictEqual(yield* shown, [
          { day: "2026-12-01", changes: [], forecasts: [["CRM", 1, [5]]] },
          earlier
        ])
        yield* (yield* Credits).charge(keyId, oneCredit())
        const last = {
          day: "2026-12-01",
          changes: [],
          forecasts: [
            [undefined, 1, [4]],
            ["CRM", 1, [5]]
          ]
        }
        assert.deepStrictEqual(yield* shown, [last, earlier])
      })
  })

  migrates(
    "names of sub-keys were compared by their looks keeps those that look the same, and accepts no more of them",
    {
      before: 9,
      install: withNamesAlike,
      check: () =>
        Effect.gen(function* () {
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
        })
    }
  )

  migrates("emails named the kind of their links keeps what each leads to", {
    before: 10,
    install: withShortLinks,
    check: () =>
      Effect.gen(function* () {
        const outbox = yield* Outbox
        const found = yield* Effect.forEach(links, (_, i) => Effect.map(outbox.find(`mail ${i}`), Option.getOrThrow))
        assert.deepStrictEqual(
          found.map(({ link }) => link),
          links.map(([, link]) => link)
        )
      })
  })
})
