import { assert, describe, it } from "@effect/vitest"
import { DateTime, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Credits } from "../../../src/credits/Credits.ts"
import { Grants } from "../../../src/credits/Grants.ts"
import { Ledger } from "../../../src/credits/Ledger.ts"
import { dialectOf } from "../../../src/database/Dialect.ts"
import { type AuditPosition, AuditStore, beginning, type Checked } from "../../../src/credits/audit/AuditStore.ts"
import type { LedgerFault } from "../../../src/credits/audit/LedgerFault.ts"
import { LedgerAudit } from "../../../src/credits/audit/LedgerAudit.ts"
import { Transaction } from "../../../src/database/Transaction.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { applications } from "../../support/Application.ts"
import { oneCredit } from "../../support/Samples.ts"

const issue = Effect.fnUntraced(function* (name: string, credits: number) {
  const apiKeys = yield* ApiKeys
  const { key } = yield* apiKeys.issue({ name, email: `${name}@example.com`, company: "Example" }, credits)
  return key.id
})

const verify = Effect.flatMap(LedgerAudit, (check) => check.verify(Effect.yieldNow))

/** The faults that are found where each step checks `limit` entries. */
const faultsInSteps = Effect.fnUntraced(function* (limit: number) {
  const store = yield* AuditStore
  const faults: Array<LedgerFault> = []
  let position: AuditPosition | undefined = beginning
  while (position !== undefined) {
    const checked: Checked = yield* store.check(position, limit)
    faults.push(...checked.faults)
    position = checked.next
  }
  return faults
})

for (const [name, application] of Object.entries(applications)) {
  describe(`LedgerAudit over ${name}`, () => {
    it.effect("finds nothing in an empty ledger, nor in one of keys with and without credits", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        assert.include(yield* verify, { keys: 0, entries: 0, faultCount: 0 })
        const ada = yield* issue("ada", 10)
        yield* issue("bob", 0)
        yield* credits.charge(ada, oneCredit())
        const grants = yield* Grants
        yield* grants.setBalance(ada, 0, "adjustment")
        yield* grants.setBalance(ada, 7, "adjustment")
        assert.deepInclude(yield* verify, { keys: 1, entries: 4, faultCount: 0, faults: [] })
      }).pipe(Effect.provide(application()))
    )

    it.effect("finds nothing while debits run, though the entries of a key go on over several pages", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const ledger = yield* Ledger
        const transaction = yield* Transaction
        const ada = yield* issue("ada", 200)
        const bob = yield* issue("bob", 200)
        const grants = Array.from({ length: 4000 }, (_, i) => ({
          keyId: i % 2 === 0 ? ada : bob,
          kind: "adjustment" as const,
          delta: 1,
          reference: `grant ${i}`,
          createdAt: 0
        }))
        yield* transaction.run(Effect.forEach(grants, ledger.append, { discard: true }))
        const debits = yield* Effect.forkChild(
          Effect.all(
            Array.from({ length: 40 }, (_, i) => credits.charge(i % 2 === 0 ? ada : bob, oneCredit())),
            { concurrency: 4 }
          )
        )
        let runs = 0
        while (debits.pollUnsafe() === undefined) {
          assert.deepInclude(yield* verify, { faults: [] })
          runs++
        }
        yield* Fiber.join(debits)
        assert.isAbove(runs, 0)
        assert.include(yield* verify, { keys: 2, entries: 4042, faultCount: 0 })
      }).pipe(Effect.provide(application()))
    )
  })
}

/** What somebody does to a database by hand, and what the check says of it. Entries: 1 grant, 2 to 4 forecasts. */
const damages: ReadonlyArray<{
  readonly what: string
  readonly statements: ReadonlyArray<string>
  readonly faults: ReadonlyArray<readonly [string, string | number, string | number]>
}> = [
  {
    what: "a balance that is not the sum of the ledger",
    statements: ["UPDATE credit_balances SET balance = 9"],
    faults: [["balance", 7, 9]]
  },
  {
    what: "a number that no JavaScript number can hold",
    statements: ["UPDATE credit_balances SET balance = 4611686018427387904"],
    faults: [["balance", 7, 4611686018427387904]]
  },
  {
    what: "credits granted that no entry gave",
    statements: ["UPDATE credit_balances SET granted = 11"],
    faults: [["granted", 10, 11]]
  },
  {
    what: "an entry that has not the sum up to it",
    statements: ["UPDATE credit_ledger SET balance_after = 8 WHERE id = 4"],
    faults: [["balance_after of entry 4", 7, 8]]
  },
  {
    what: "an entry that is gone",
    statements: ["DELETE FROM credit_ledger WHERE id = 3"],
    faults: [
      ["entry 3", "an entry of this key", "none"],
      ["what follows entry 2", "an entry or the balance", "none"]
    ]
  },
  {
    what: "a balance that was below 0 for a while",
    statements: [
      "UPDATE credit_ledger SET delta = 2, balance_after = 2 WHERE id = 1",
      "UPDATE credit_ledger SET balance_after = 3 - id",
      "UPDATE credit_balances SET balance = -1, granted = 2"
    ],
    faults: [["balance_after of entry 4", "at least 0", -1]]
  },
  {
    what: "a forecast that took more than was counted",
    statements: [
      "UPDATE credit_ledger SET delta = -2, balance_after = 6 WHERE id = 4",
      "UPDATE credit_balances SET balance = 6"
    ],
    faults: [["requests in 2026-12", 2, 1]]
  },
  {
    what: "a forecast that gave a credit",
    statements: [
      "UPDATE credit_ledger SET delta = 1, balance_after = 9 WHERE id = 4",
      "UPDATE credit_balances SET balance = 9"
    ],
    faults: [
      ["delta of entry 4, a forecast", -1, 1],
      ["requests in 2026-12", -1, 1]
    ]
  },
  {
    what: "a month with more requests than forecasts, and one with fewer",
    statements: [
      "UPDATE usage_months SET requests = 1 WHERE month = '2026-11'",
      "UPDATE credit_balances SET requests = 2"
    ],
    faults: [
      ["requests in 2026-11", 2, 1],
      ["requests in 2026-12", 1, 2]
    ]
  },
  {
    what: "months that are not counted",
    statements: ["DELETE FROM usage_months", "UPDATE credit_balances SET month = NULL, requests = 0"],
    faults: [
      ["requests in 2026-11", 2, 0],
      ["requests in 2026-12", 1, 0]
    ]
  },
  {
    what: "a forecast that was moved to another month",
    statements: ["UPDATE credit_ledger SET created_at = 9223372036854775807 WHERE id = 4"],
    faults: [
      ["requests in 2026-12", 0, 1],
      ["requests in no month", 1, 0]
    ]
  },
  {
    what: "entries without a balance",
    statements: ["DELETE FROM credit_balances"],
    faults: [
      ["requests in 2026-11", 0, 2],
      ["what follows entry 4", "an entry or the balance", "none"]
    ]
  },
  {
    what: "a balance without entries",
    statements: ["DELETE FROM credit_ledger", "DELETE FROM usage_months"],
    faults: [["entry 4", "an entry of this key", "none"]]
  },
  {
    what: "a balance that leaves out the last entry",
    statements: ["UPDATE credit_balances SET last_entry_id = 3"],
    faults: [
      ["balance", 8, 7],
      ["requests in 2026-12", 0, 1],
      ["what follows entry 4", "an entry or the balance", "none"]
    ]
  },
  {
    what: "a balance without its last entry",
    statements: ["UPDATE credit_balances SET last_entry_id = NULL"],
    faults: [
      ["balance", 0, 7],
      ["granted", 0, 10],
      ["requests in 2026-11", 0, 2],
      ["requests in 2026-12", 0, 1],
      ["what follows entry 4", "an entry or the balance", "none"]
    ]
  },
  {
    what: "an entry that leaves out the one before it",
    statements: [
      "UPDATE credit_ledger SET previous_id = NULL WHERE id = 3",
      "UPDATE credit_ledger SET previous_id = 2 WHERE id = 4"
    ],
    faults: [
      ["balance_after of entry 4", 8, 7],
      ["balance", 8, 7],
      ["requests in 2026-11", 1, 2],
      ["what follows entry 3", "an entry or the balance", "none"]
    ]
  },
  {
    what: "an entry that comes before itself",
    statements: ["UPDATE credit_ledger SET previous_id = 5 WHERE id = 3"],
    faults: [
      ["entry before entry 3", "below 3", 5],
      ["what follows entry 2", "an entry or the balance", "none"]
    ]
  },
  {
    what: "an entry that somebody else's key has",
    statements: ["UPDATE credit_ledger SET key_id = 'key_of_bob' WHERE id = 3"],
    faults: [["entry 3", "an entry of this key", "key_of_bob"]]
  },
  {
    what: "a reference that two entries have",
    statements: [
      "CREATE TABLE copy AS SELECT * FROM credit_ledger",
      "UPDATE copy SET reference = 'twice' WHERE id IN (2, 4)",
      "DROP TABLE credit_ledger",
      "ALTER TABLE copy RENAME TO credit_ledger"
    ],
    faults: [["entries with the reference twice", 1, 2]]
  }
]

/** Takes away what keeps a database from being damaged: the ledger's triggers, and the constraints on values. */
const unguarded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (!dialectOf(sql).isPostgres) {
    for (const name of ["update", "delete"]) yield* sql`DROP TRIGGER ${sql(`credit_ledger_no_${name}`)}`
    yield* sql`PRAGMA ignore_check_constraints = ON`
    return
  }
  yield* sql`DROP TRIGGER credit_ledger_no_change ON credit_ledger`
  const constraints = yield* sql<{ readonly on: string; readonly name: string }>`
    SELECT conrelid::regclass::text AS on, conname::text AS name FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0`
  for (const { name, on } of constraints) yield* sql`ALTER TABLE ${sql(on)} DROP CONSTRAINT ${sql(name)}`
})

const describeDamaged = (store: string, application: typeof applications.SQLite) =>
  describe(`LedgerAudit of a database in ${store} that was damaged`, () => {
    const damaged = Effect.fnUntraced(function* (statements: ReadonlyArray<string>) {
      const credits = yield* Credits
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(DateTime.makeUnsafe("2026-11-30T12:00:00Z").epochMilliseconds)
      const keyId = yield* issue("ada", 10)
      yield* credits.charge(keyId, oneCredit())
      yield* credits.charge(keyId, oneCredit())
      yield* TestClock.adjust("1 day")
      yield* credits.charge(keyId, oneCredit())
      yield* unguarded
      for (const statement of statements) yield* sql.unsafe(statement)
      return keyId
    })

    for (const { faults, statements, what } of damages) {
      it.effect(`finds ${what}`, () =>
        Effect.gen(function* () {
          const keyId = yield* damaged(statements)
          const report = yield* verify
          assert.deepStrictEqual(
            report.faults,
            faults.map(([what, expected, found]) => ({ keyId, what, expected, found }))
          )
          assert.strictEqual(report.faultCount, faults.length)
          for (const limit of [1, 2, 3]) assert.deepStrictEqual(yield* faultsInSteps(limit), report.faults)
        }).pipe(Effect.provide(application()))
      )
    }

    it.effect("counts all faults and shows 50, however many months a key has", () =>
      Effect.gen(function* () {
        yield* damaged([
          `WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < 3000)
         INSERT INTO usage_months SELECT key_id, 'x' || i, 1 FROM credit_balances, counter`
        ])
        const { faultCount, faults } = yield* verify
        assert.deepStrictEqual([faultCount, faults.length], [3000, 50])
      }).pipe(Effect.provide(application()))
    )
  })

describeDamaged("SQLite", applications.SQLite)
describeDamaged("Postgres", applications.Postgres)
