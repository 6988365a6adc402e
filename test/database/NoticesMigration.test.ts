import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { Credits } from "../../src/credits/Credits.ts"
import { Ledger } from "../../src/credits/Ledger.ts"
import { dialectOf } from "../../src/database/Dialect.ts"
import { KeyId } from "../../src/KeyId.ts"
import { applicationOn, temporaryDirectory } from "../support/Application.ts"
import { clientOf, migrateBefore } from "../support/EarlierTables.ts"
import { postgresDatabase } from "../support/Postgres.ts"
import { oneCredit } from "../support/Samples.ts"

/** The credits that keys were given and spent, in this order. */
const histories = {
  /** Has 2 of the 8 credits that there were after the last grant: the next debit leaves less than a fifth. */
  nearly: [5, -2, 5, -6],
  /** Had 100 credits and has 10: it ran low before. */
  low: [100, -90],
  empty: [3, -3],
  never: []
}

/** Creates the earlier tables, with the keys and their ledger. */
const install = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  yield* migrateBefore(3)
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

const databases = {
  SQLite: Effect.map(temporaryDirectory, (directory) => `sqlite:${directory}/test.db`),
  Postgres: postgresDatabase
}

for (const [name, database] of Object.entries(databases)) {
  describe(`A database on ${name} from before low-credit notices`, () => {
    it.live("keeps its books, and notices only balances that fall from now on", () =>
      Effect.gen(function* () {
        const url = yield* database
        yield* Effect.provide(install, clientOf(url))
        yield* Effect.gen(function* () {
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
        }).pipe(Effect.provide(applicationOn(url)))
      }).pipe(Effect.scoped)
    )
  })
}
