import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql"
import { Credits } from "../../src/credits/Credits.ts"
import { dialectOf } from "../../src/database/Dialect.ts"
import { KeyId } from "../../src/KeyId.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { clientOf, migrateBefore } from "../support/EarlierTables.ts"
import { postgresDatabase } from "../support/Postgres.ts"
import { oneCredit } from "../support/Samples.ts"

const keyId = KeyId.make("ada")

/** 2026-11-30T23:59:59.999Z, the last moment of a day. */
const lastOfDay = 1_796_083_199_999

/** The changes of the key's credits in order, each with its time and its sub-key, if any. */
const entries = [
  { delta: 10, time: lastOfDay },
  { delta: -1, time: lastOfDay },
  { delta: -2, time: lastOfDay, subKey: "crm" },
  { delta: -1, time: lastOfDay },
  { delta: -1, time: lastOfDay + 1, subKey: "crm" }
]

/** Creates the earlier tables, with the key, its sub-key and its ledger. */
const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateBefore(5)
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

const databases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => `sqlite:${directory}/test.db`),
  Postgres: postgresDatabase
}

for (const [name, database] of Object.entries(databases)) {
  describe(`A database on ${name} from before the ledger by day`, () => {
    it.effect("shows the entries of earlier days, and those of a day with new ones", () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(lastOfDay + 2)
        const url = yield* database
        yield* Effect.provide(install, clientOf(url))
        yield* Effect.gen(function* () {
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
        }).pipe(Effect.provide(applicationOn(url)))
      }).pipe(Effect.scoped)
    )
  })
}
