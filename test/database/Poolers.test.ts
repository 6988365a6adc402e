import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { newPostgresDatabase, temporaryDirectory } from "../support/Application.ts"
import { runHere } from "../support/CommandLine.ts"
import { forecastsOf, instancesOn, issueOn, ledgerFaults, query, statuses } from "../support/Instances.ts"
import { hasPgbouncer, pgbouncer } from "../support/Pgbouncer.ts"
import { logLines } from "../support/Process.ts"
import { forecastFrom } from "../support/Requests.ts"
import { slowly } from "../support/slowly.ts"

/** The setting that guides tell operators to add when a pooler refuses a client. */
const ignore =
  "ignore_startup_parameters = extra_float_digits, statement_timeout, idle_in_transaction_session_timeout, default_transaction_read_only, outreach_forecast.connection"

describe.skipIf(!hasPgbouncer)("behind pgbouncer", slowly, () => {
  for (const mode of ["session", "transaction"]) {
    for (const [name, settings] of [
      ["as it is installed", []],
      ["that ignores startup parameters", [ignore]]
    ] as const) {
      it.live(`${name}, with pool_mode=${mode}, two instances spend each credit exactly once`, () =>
        Effect.gen(function* () {
          const url = yield* newPostgresDatabase
          // In transaction mode, fewer than the connections of the two instances.
          const size = mode === "session" ? 20 : 3
          const pooled = yield* pgbouncer(url, [`pool_mode = ${mode}`, `default_pool_size = ${size}`, ...settings])
          const servers = yield* instancesOn(pooled, 2, { DATABASE_POOL_SIZE: "6" })
          const [key] = yield* issueOn(url, 1, 100)
          if (key === undefined) return yield* Effect.die("One was asked for")
          const responses = yield* Effect.forEach(
            Arr.range(1, 150),
            (i) => forecastFrom(servers[i % 2]?.url ?? "", key.secret),
            { concurrency: 30 }
          )
          assert.deepStrictEqual(statuses(responses), { 200: 100, 429: 50 })
          assert.deepStrictEqual(
            yield* forecastsOf(url, key.id),
            Arr.makeBy(100, (i) => 99 - i)
          )
          assert.deepStrictEqual(yield* ledgerFaults(url), [])
          for (const server of servers) {
            assert.isTrue(logLines(server).some(({ message }) => message === "no timeouts in the database"))
          }
        })
      )
    }
  }

  it.live("is reported by doctor until the role has timeouts, and refused as the source of a copy", () =>
    Effect.gen(function* () {
      const directory = yield* temporaryDirectory
      const url = yield* newPostgresDatabase
      const pooled = yield* pgbouncer(url, ["pool_mode = transaction"])
      const doctor = Effect.map(
        runHere(directory, ["doctor"], { DATABASE_URL: pooled, PORT: "1" }),
        ({ stdout }) => stdout
      )
      assert.include(yield* doctor, "A pooler is in front of Postgres")
      const copied = yield* runHere(directory, ["database", "copy", "--from", pooled, "--to", "sqlite:copy.db"])
      assert.strictEqual(copied.code, 1)
      assert.include(copied.stderr, "Give the address of Postgres itself")
      // Like ALTER ROLE, but for this database alone.
      const database = new URL(url).pathname.slice(1)
      for (const name of ["statement_timeout", "idle_in_transaction_session_timeout"]) {
        yield* query(url, `ALTER DATABASE ${database} SET ${name} = '10s'`)
      }
      const later = yield* pgbouncer(url, ["pool_mode = transaction"])
      const again = yield* runHere(directory, ["doctor"], { DATABASE_URL: later, PORT: "1" })
      assert.notInclude(again.stdout, "A pooler is in front of Postgres")
    })
  )
})
