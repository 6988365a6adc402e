import { assert, describe, it, layer } from "@effect/vitest"
import { Cause, Context, DateTime, Effect, Exit, Fiber, Layer, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import {
  auditOfBalances,
  type Audit,
  auditSince,
  LedgerAudit,
  type LedgerFault,
  runAudit,
  wholeAudit
} from "../../../src/credits/audit/LedgerAudit.ts"
import { Credits } from "../../../src/credits/Credits.ts"
import { Grants } from "../../../src/credits/Grants.ts"
import { dialectOf } from "../../../src/database/Statements.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { WorkProgress, type WorkStage } from "../../../src/observability/WorkProgress.ts"
import { layerServed, layerThread, maxEntriesAtOnce } from "../../../src/credits/audit/ConfiguredAuditSql.ts"
import { applicationOn, applications, temporaryDirectory } from "../../support/Application.ts"
import { oneCredit } from "../../support/Samples.ts"

const issue = Effect.fnUntraced(function* (name: string, credits: number) {
  const apiKeys = yield* ApiKeys
  const { key } = yield* apiKeys.issue({ name, email: `${name}@example.com`, company: "Example" }, credits)
  return key.id
})

const verify = Effect.flatMap(LedgerAudit, ({ verify }) => verify)

const runFrom = (audit: Audit) => Effect.flatMap(LedgerAudit, ({ pieces }) => runAudit(pieces, audit))

for (const [name, application] of Object.entries(applications)) {
  describe(`LedgerAudit over ${name}`, () => {
    it.effect("finds no fault in an empty ledger, nor in one of keys with and without credits", () =>
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

    it.effect("finds no fault while debits run", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const keys = [yield* issue("ada", 200), yield* issue("bob", 200)]
        const debits = yield* Effect.forkChild(
          Effect.forEach(
            keys.flatMap((key) => Array<typeof key>(10).fill(key)),
            (key) => credits.charge(key, oneCredit()),
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
        assert.include(yield* verify, { keys: 2, entries: 22, faultCount: 0 })
      }).pipe(Effect.provide(application()))
    )
  })
}

type Fault = readonly [what: string, expected: string | number, found: string | number]

/** Manual changes to a database, and the audit's findings. Entries: 1 grant, 2 to 4 forecasts. */
const damages: ReadonlyArray<{
  readonly what: string
  readonly statements: ReadonlyArray<string>
  readonly faults: ReadonlyArray<Fault>
  readonly faultsOfBob?: ReadonlyArray<Fault>
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
      ["requests in 2026-12", -1, 1],
      ["delta of entry 4, a forecast", -1, 1]
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
      ["balance", 8, 7],
      ["requests in 2026-11", 1, 2],
      ["balance_after of entry 3", -1, 8],
      ["balance_after of entry 4", 8, 7],
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
    faults: [["entry 3", "an entry of this key", "key_of_bob"]],
    faultsOfBob: [["entry 2", "an entry of this key", "key_of_ada"]]
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

/** Removes the protection of a database against damage: the ledger's triggers, and the constraints on values. */
const unguarded = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  if (!dialectOf(sql).isPostgres) {
    for (const name of ["update", "delete"]) yield* sql`DROP TRIGGER ${sql(`credit_ledger_no_${name}`)}`
    yield* sql`PRAGMA ignore_check_constraints = ON`
    return
  }
  for (const name of ["change", "update"]) yield* sql`DROP TRIGGER ${sql(`credit_ledger_no_${name}`)} ON credit_ledger`
  const constraints = yield* sql<{ readonly on: string; readonly name: string }>`
    SELECT conrelid::regclass::text AS on, conname::text AS name FROM pg_constraint WHERE contype = 'c' AND conrelid <> 0`
  for (const { name, on } of constraints) yield* sql`ALTER TABLE ${sql(on)} DROP CONSTRAINT ${sql(name)}`
})

/** The key of a database that is open to damage, with a grant of 10 and three forecasts. */
class Unguarded extends Context.Service<Unguarded, Effect.Success<ReturnType<typeof issue>>>()("test/Unguarded") {
  static readonly layer = Layer.effect(
    Unguarded,
    Effect.gen(function* () {
      const credits = yield* Credits
      yield* TestClock.setTime(DateTime.makeUnsafe("2026-11-30T12:00:00Z").epochMilliseconds)
      const keyId = yield* issue("ada", 10)
      yield* credits.charge(keyId, oneCredit())
      yield* credits.charge(keyId, oneCredit())
      yield* TestClock.adjust("1 day")
      yield* credits.charge(keyId, oneCredit())
      yield* unguarded
      return keyId
    })
  ).pipe(Layer.provide(TestClock.layer()))
}

/** An audit's findings on a damaged database, which is then restored. */
const auditAfter = Effect.fnUntraced(function* (statements: ReadonlyArray<string>, audit: Audit = wholeAudit) {
  const sql = yield* SqlClient.SqlClient
  const damaged = Effect.gen(function* () {
    for (const statement of statements) yield* Effect.orDie(sql.unsafe(statement))
    // A failure rolls back.
    return yield* Effect.flip(runFrom(audit))
  })
  return yield* Effect.flip(Effect.catchTag(sql.withTransaction(damaged), "SqlError", Effect.die))
})

for (const store of ["SQLite", "Postgres"] as const) {
  layer(Unguarded.layer.pipe(Layer.provideMerge(applications[store]())))(
    `LedgerAudit of a database in ${store} that was damaged`,
    (it) => {
      for (const { faults, faultsOfBob = [], statements, what } of damages) {
        it.effect(`finds ${what}`, () =>
          Effect.gen(function* () {
            const keyId = yield* Unguarded
            const report = yield* auditAfter(statements)
            const of = (keyId: string) => (fault: LedgerFault) => fault.keyId === keyId
            const found = (faults: ReadonlyArray<LedgerFault>) =>
              faults.map(({ expected, found, what }): Fault => [what, expected, found === keyId ? "key_of_ada" : found])
            assert.deepStrictEqual<ReadonlyArray<Fault>>(found(report.faults.filter(of(keyId))), faults)
            assert.deepStrictEqual<ReadonlyArray<Fault>>(found(report.faults.filter(of("key_of_bob"))), faultsOfBob)
            assert.strictEqual(report.faultCount, faults.length + faultsOfBob.length)
          })
        )
      }

      it.effect("counts all faults and shows 50, however many months a key has", () =>
        Effect.gen(function* () {
          const { faultCount, faults } = yield* auditAfter([
            `WITH RECURSIVE counter (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM counter WHERE i < 3000)
             INSERT INTO usage_months SELECT key_id, 'x' || i, 1 FROM credit_balances, counter`
          ])
          assert.deepStrictEqual([faultCount, faults.length], [3000, 50])
        })
      )

      it.effect("reports its progress", () => {
        const stages: Array<WorkStage> = []
        return Effect.as(verify, stages).pipe(
          Effect.map((stages) => assert.deepStrictEqual(stages, [{ work: "Checking the ledger" }])),
          Effect.provideService(WorkProgress, { isShown: true, report: (stage) => stages.push(stage) })
        )
      })
    }
  )
}

for (const store of ["SQLite", "Postgres"] as const) {
  it.effect(`LedgerAudit finds figures of a sub-key in ${store} that differ from its entries`, () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const sql = yield* SqlClient.SqlClient
      yield* TestClock.setTime(DateTime.makeUnsafe("2026-11-30T12:00:00Z").epochMilliseconds)
      const keyId = yield* issue("ada", 10)
      const { subKey } = yield* (yield* SubKeys).create(keyId, { name: "CRM", monthlyLimit: null })
      for (const subKeyId of [subKey.id, subKey.id, undefined]) {
        yield* credits.charge(keyId, { ...oneCredit(), subKeyId })
      }
      assert.include(yield* verify, { faultCount: 0, entries: 4 })
      yield* sql`UPDATE sub_keys SET requests = 1`
      yield* sql`UPDATE usage_days SET requests = 5 WHERE sub_key_id <> ''`
      const fault = { keyId, expected: 2 }
      assert.deepStrictEqual((yield* verify).faults, [
        { ...fault, what: `requests of ${subKey.id} in 2026-11`, found: 1 },
        { ...fault, what: `requests of ${subKey.id} on 2026-11-30`, found: 5 }
      ])
      // Old days are deleted, so the month is not checked against them.
      yield* sql`UPDATE sub_keys SET requests = 2`
      yield* sql`DELETE FROM usage_days`
      assert.strictEqual((yield* verify).faultCount, 1)
      yield* TestClock.adjust("400 days")
      assert.strictEqual((yield* verify).faultCount, 0)
    }).pipe(Effect.provide(applications[store]()))
  )
}

/** Makes a key with a grant of 1,000,000 and this many forecasts on one day, in a database where it is the only one. */
const withForecasts = Effect.fnUntraced(function* (forecasts: number) {
  const sql = yield* SqlClient.SqlClient
  const noon = DateTime.makeUnsafe("2026-11-30T12:00:00Z").epochMilliseconds
  yield* TestClock.setTime(noon)
  const keyId = yield* issue("ada", 1_000_000)
  yield* sql`
    WITH RECURSIVE n (i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i <= ${sql.literal(String(forecasts))})
    INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at, previous_id)
    SELECT i, ${keyId}, 'forecast', -1, 1000001 - i, 'f' || i, ${sql.literal(String(noon))}, i - 1
    FROM n`
  yield* sql`
    UPDATE credit_balances SET balance = 1000000 - ${sql.literal(String(forecasts))}, month = '2026-11',
      requests = ${sql.literal(String(forecasts))}, last_entry_id = ${sql.literal(String(forecasts + 1))}`
  return keyId
})

/** Adds keys without entries. */
const withKeys = Effect.fnUntraced(function* (keys: number) {
  const sql = yield* SqlClient.SqlClient
  const count = sql.literal(String(keys))
  const rows = sql`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`
  yield* sql`
    ${rows} INSERT INTO api_keys (id, name, email, company, plan, state, is_demo, secret_prefix, created_at)
    SELECT 'key_' || i, '', i || '@example.com', '', 'active', 'usable', 0, '', 0 FROM n`
  yield* sql`${rows} INSERT INTO credit_balances (key_id, balance, granted) SELECT 'key_' || i, 0, 0 FROM n`
})

for (const store of ["SQLite", "Postgres"] as const) {
  describe(`LedgerAudit of a large ledger in ${store}`, () => {
    it.effect("checks keys and entries a piece at a time, and each of them once", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { pieces } = yield* LedgerAudit
        // More than twice as many as a piece has of either.
        const keyId = yield* withForecasts(45_000)
        yield* withKeys(2500)
        const passed = yield* Stream.runCollect(pieces(wholeAudit))
        assert.deepInclude(passed.at(-1), { keys: 2501, entries: 45_001, faults: [] })
        assert.strictEqual(passed.length, 6)
        // Any piece can be the first one of another process.
        for (const from of passed.slice(0, -1))
          assert.deepInclude(yield* runFrom(from), { keys: 2501, entries: 45_001 })
        yield* sql`UPDATE credit_balances SET requests = 44999 WHERE key_id = ${keyId}`
        assert.deepStrictEqual((yield* verify).faults, [
          { keyId, what: "requests in 2026-11", expected: 45_000, found: 44_999 }
        ])
      }).pipe(Effect.provide(applications[store]()))
    )

    it.effect("checks only the entries since one, and the balances of all keys", () =>
      Effect.gen(function* () {
        yield* unguarded
        yield* withForecasts(300)
        const recent = auditSince(200)
        assert.include(yield* runFrom(recent), { keys: 1, entries: 101, faultCount: 0 })
        assert.include(yield* runFrom(auditOfBalances), { keys: 1, entries: 0, faultCount: 0 })
        /** The faults that the audits of balances, of recent entries and of all find after a change. */
        const found = (statement: string) =>
          Effect.forEach([auditOfBalances, recent, wholeAudit], (audit) =>
            Effect.map(auditAfter([statement], audit), ({ faults }) => faults.map(({ what }) => what))
          )
        const changed = (id: number) => `UPDATE credit_ledger SET delta = -2 WHERE id = ${id}`
        const sums = ["balance", "requests in 2026-11"]
        assert.deepStrictEqual(yield* found(`UPDATE credit_balances SET balance = 5`), [
          ["balance"],
          ["balance"],
          ["balance"]
        ])
        assert.deepStrictEqual(yield* found(`UPDATE credit_balances SET requests = 5`), [
          ["requests in all months"],
          ["requests in 2026-11", "requests in all months"],
          ["requests in 2026-11"]
        ])
        assert.deepStrictEqual(yield* found(changed(250)), [
          [],
          ["balance", "balance_after of entry 250"],
          [...sums, "balance_after of entry 250"]
        ])
        // Only the whole audit looks at an entry again that has been audited.
        assert.deepStrictEqual(yield* found(changed(150)), [[], [], [...sums, "balance_after of entry 150"]])
        assert.deepStrictEqual(yield* found(`DELETE FROM credit_ledger WHERE id = 301`), [
          ["entry 301"],
          ["entry 301", "what follows entry 300"],
          ["entry 301", "what follows entry 300"]
        ])
        assert.strictEqual((yield* verify).faultCount, 0)
      }).pipe(Effect.provide(applications[store]()))
    )
  })
}

describe("LedgerAudit in a thread", () => {
  it.live("finds the faults of a file, even while it is in use", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      yield* Effect.gen(function* () {
        const keyId = yield* issue("ada", 10)
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE credit_balances SET balance = 9`
        const faults = [{ keyId, what: "balance", expected: 10, found: 9 }]
        assert.deepInclude(yield* Effect.provide(verify, layerThread(file)), { keys: 1, entries: 1, faults })
      }).pipe(Effect.provide(applicationOn(`sqlite:${file}`)))
      const cause = yield* Effect.flip(Effect.sandbox(Effect.provide(verify, layerThread(`${file}.gone`))))
      assert.include(String(Cause.squash(cause)), "there is no such file")
    })
  )

  it.live("checks only a ledger that takes long", () =>
    Effect.gen(function* () {
      const file = `${yield* temporaryDirectory}/test.db`
      yield* Effect.gen(function* () {
        const keyId = yield* issue("ada", 10)
        const sql = yield* SqlClient.SqlClient
        const entryWith = (id: number) => sql`
          INSERT INTO credit_ledger (id, key_id, kind, delta, balance_after, reference, created_at)
          VALUES (${id}, ${keyId}, 'adjustment', 1, 1, ${String(id)}, 0)`
        // Only a thread would look for this file.
        const check = Effect.exit(Effect.provide(verify, layerServed(`${file}.gone`)))
        yield* entryWith(maxEntriesAtOnce)
        assert.isTrue(Exit.isSuccess(yield* check))
        yield* entryWith(maxEntriesAtOnce + 1)
        assert.isTrue(Exit.isFailure(yield* check))
      }).pipe(Effect.provide(applicationOn(`sqlite:${file}`)))
    })
  )
})
