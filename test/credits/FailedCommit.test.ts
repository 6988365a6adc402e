import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Metric } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { Credits } from "../../src/credits/Credits.ts"
import { Grants } from "../../src/credits/Grants.ts"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { DatabaseUnavailable } from "../../src/database/Failures.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { applications } from "../support/Application.ts"
import { Commits, postgresCommits, sqliteCommits } from "../support/Commits.ts"
import { issueKey } from "../support/Http.ts"
import { oneCredit } from "../support/Samples.ts"

const outage = new DatabaseUnavailable({
  cause: new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error("disk I/O error") }) })
})

/** Nine debits in one batch whose commit fails, and the state afterwards. */
const failOne = Effect.fnUntraced(function* (fault: Effect.Effect<void>, repeatable: number) {
  const apiKeys = yield* ApiKeys
  const credits = yield* Credits
  const commits = yield* Commits
  const { verify } = yield* LedgerAudit
  const { key } = yield* apiKeys.issue({ name: "Ada", email: "ada@example.com", company: "Example" }, 20)
  const request = (name: string) => ({ scope: key.id, operation: "POST /", key: name, fingerprint: "f" })
  yield* credits.charge(key.id, oneCredit())
  commits.before.push(fault)
  const requests = Array.from({ length: 9 }, (_, i) => oneCredit(i < repeatable ? request(`${i}`) : undefined))
  const charges = credits.chargeAll(requests.map((request) => ({ ...request, keyId: key.id })))
  const failure = Cause.squash(yield* Effect.flip(Effect.sandbox(charges)))
  assert.lengthOf(commits.before, 0)
  assert.deepStrictEqual(yield* credits.balance(key.id), { remaining: 19, granted: 20 })
  assert.lengthOf(yield* credits.history(key.id, 20), 2)
  // The failed response was not stored either: a retry of the request is charged, once.
  for (let i = 0; i < 2; i++) {
    assert.include(JSON.parse((yield* credits.charge(key.id, oneCredit(request("0")))).answer), { requests: 2 })
  }
  assert.deepInclude(yield* verify, { entries: 3, faults: [] })
  return failure
})

for (const [name, application] of Object.entries({ SQLite: sqliteCommits, Postgres: postgresCommits })) {
  describe(`A failed commit over ${name}`, () => {
    it.effect("fails every debit of its batch and charges none, and the next batch works", () =>
      Effect.gen(function* () {
        for (const repeatable of [0, 3]) {
          assert.strictEqual(yield* Effect.provide(failOne(Effect.die(outage), repeatable), application), outage)
        }
      })
    )
  })
}

describe("A debit of several credits over Postgres", () => {
  it.effect("leaves nothing behind if one of its statements fails", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const sql = yield* SqlClient.SqlClient
      const { id } = yield* issueKey(20)
      // The last statement of a debit counts the day.
      yield* sql`ALTER TABLE usage_days ADD CONSTRAINT full_day CHECK (requests < 3)`
      const exit = yield* Effect.exit(credits.charge(id, { ...oneCredit(), cost: 3 }))
      assert.isTrue(Exit.isFailure(exit) && Cause.hasDies(exit.cause))
      assert.deepStrictEqual(yield* credits.balance(id), { remaining: 20, granted: 20 })
      assert.lengthOf(yield* credits.history(id, 20), 1)
      yield* credits.charge(id, { ...oneCredit(), cost: 2 })
      assert.deepInclude(yield* (yield* LedgerAudit).verify, { entries: 2, faults: [] })
    }).pipe(Effect.provide(applications.Postgres()))
  )
})

/** The granted credits according to the metric. */
const given = Effect.map(Metric.snapshot, (metrics) =>
  metrics.flatMap((metric) =>
    metric.id === "outreach_forecast.credits.granted" && metric.type === "Counter" ? [Number(metric.state.count)] : []
  )
)

describe("The metric of granted credits", () => {
  it.effect("counts only committed grants", () =>
    Effect.gen(function* () {
      const apiKeys = yield* ApiKeys
      const grants = yield* Grants
      const { before } = yield* Commits
      const { key } = yield* apiKeys.issue({ name: "Ada", email: "ada@example.com", company: "Example" }, 20)
      const [known = 0] = yield* given
      before.push(Effect.die(outage))
      assert.isTrue(Exit.isFailure(yield* Effect.exit(grants.addPack(key.id, 500, "order:1"))))
      assert.deepStrictEqual(yield* given, [known])
      yield* grants.addPack(key.id, 500, "order:1")
      assert.deepStrictEqual(yield* given, [known + 500])
    }).pipe(Effect.provide(sqliteCommits))
  )
})

describe("A COMMIT that SQLite refuses", () => {
  it.effect("is rolled back and fails every debit of its batch, and the next batch works", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // A foreign key that is checked at the end of the transaction, by COMMIT itself.
      const breakReference = Effect.andThen(
        sql`PRAGMA defer_foreign_keys = ON`,
        sql`INSERT INTO usage_months VALUES ('nobody', '2026-11', 1)`
      )
      const failure = yield* failOne(Effect.orDie(breakReference), 3)
      assert.match(SqlError.isSqlError(failure) ? String(failure.reason.cause) : "", /FOREIGN KEY constraint failed/)
      assert.lengthOf(yield* sql`SELECT * FROM usage_months WHERE key_id = 'nobody'`, 0)
    }).pipe(Effect.provide(sqliteCommits))
  )
})
