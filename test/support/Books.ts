import { Agent } from "node:http"
import { setTimeout } from "node:timers/promises"
import { Array as Arr, Effect, Redacted } from "effect"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Account } from "../extensions/support/Account.ts"
import { applicationOn } from "./Application.ts"
import { forecastsOf, query } from "./Instances.ts"
import { openSqlite } from "./SqliteFile.ts"

/** The keys of a load. The last one has too few credits. */
const keys = [
  { credits: 10_000_000, isIdempotent: false },
  { credits: 10_000_000, isIdempotent: true },
  { credits: 10_000_000, isIdempotent: true },
  { credits: 300, isIdempotent: false }
]

/** Issues keys with these credits, each to a different owner. */
type Issue = (
  credits: ReadonlyArray<number>
) => Effect.Effect<ReadonlyArray<{ readonly id: string; readonly secret: string }>>

/** Issues keys on a database by the services of this version. */
const issueOn =
  (url: string): Issue =>
  (credits) =>
    Effect.gen(function* () {
      const { issue } = yield* ApiKeys
      return yield* Effect.forEach(credits, (credits, i) =>
        Effect.map(
          issue({ name: "Ada", email: `ada${i}@example.com`, company: "Example" }, credits),
          ({ key: { id }, secret }) => ({ id, secret: Redacted.value(secret) })
        )
      )
    }).pipe(Effect.provide(applicationOn(url)), Effect.orDie)

const verify = Effect.map(
  Effect.flatMap(LedgerAudit, (check) => check.verify),
  ({ faults }) => faults.map(({ expected, found, keyId, what }) => `${keyId} ${what}: ${expected}, found ${found}`)
)

/** The content of the ledger according to the database alone. */
interface Reader {
  /** The balances after each forecast of a key. */
  readonly forecasts: (keyId: string) => Effect.Effect<ReadonlyArray<number>>
  /** The references that are not in the ledger. */
  readonly missing: (references: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<string>>
}

const readerOfSqlite = (file: string) =>
  Effect.acquireRelease(
    Effect.sync(() => openSqlite(file, { readOnly: true })),
    (database) => Effect.sync(() => database.close())
  ).pipe(
    Effect.map((database): Reader => {
      const column = (name: string, statement: string, value: string) =>
        Effect.sync(() =>
          database
            .prepare(statement)
            .all(value)
            .map((row) => String(row[name]))
        )
      return {
        forecasts: (keyId) =>
          Effect.map(
            column("balance_after", "SELECT * FROM credit_ledger WHERE key_id = ? AND kind = 'forecast'", keyId),
            (balances) => balances.map(Number)
          ),
        missing: (references) =>
          column(
            "value",
            "SELECT value FROM json_each(?) WHERE value NOT IN (SELECT reference FROM credit_ledger)",
            JSON.stringify(references)
          )
      }
    })
  )

const readerOfPostgres = (url: string): Reader => ({
  forecasts: (keyId) => forecastsOf(url, keyId),
  missing: (references) =>
    Effect.map(
      query<{ readonly value: string }>(
        url,
        "SELECT value FROM json_array_elements_text($1::json) value WHERE value NOT IN (SELECT reference FROM credit_ledger)",
        [JSON.stringify(references)]
      ),
      (rows) => rows.map(({ value }) => value)
    )
})

/** Issues keys on the database of servers, and compares the knowledge of their callers with it. */
export const openBooks = Effect.fnUntraced(function* (url: string, issue: Issue = issueOn(url)) {
  const application = applicationOn(url)
  const isPostgres = url.startsWith("postgres")
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ keepAlive: true })),
    (agent) => Effect.sync(() => agent.destroy())
  )
  const issued = yield* issue(keys.map(({ credits }) => credits))
  const accounts = Arr.zipWith(
    keys,
    issued,
    ({ isIdempotent }, key) => new Account({ ...key, isIdempotent, isRefusalUnsure: isPostgres }, agent)
  )
  const reader = isPostgres ? readerOfPostgres(url) : yield* readerOfSqlite(url.replace("sqlite:", ""))

  /** The charges in the log of a server that are not in the ledger. */
  const unknownCharges = (log: string) => {
    const logged = [...log.matchAll(/"charge":"([^"]+)"/g)].map(([, reference = ""]) => reference)
    return Effect.map(reader.missing(logged), (missing) =>
      missing.map((reference) => `charge ${reference} is in the log and not in the ledger`)
    )
  }

  /** Each caller sends one request after another, as long as the server responds and `goesOn` returns true. */
  const load = (url: string, callers: number, continues: () => boolean | Promise<boolean> = () => true) =>
    Effect.promise(() =>
      Promise.all(
        Array.from({ length: callers }, async (_, i) => {
          const account = accounts[i % accounts.length]
          for (;;) {
            const reply = await account?.send(url)
            if (reply === undefined || !(await continues())) return
            // Refused requests are retried at the end, one by one.
            if (reply.status === 503) await setTimeout(250)
          }
        })
      )
    )

  /** Verifies the ledger, retries the requests without a response, and compares. Nothing else may run. */
  const settle = Effect.fnUntraced(function* (url: string) {
    const faults = [...(yield* Effect.provide(verify, application))]
    for (const account of accounts) {
      yield* Effect.promise(() => account.sendAgain(url))
      faults.push(...account.compare(yield* reader.forecasts(account.id)))
    }
    return faults
  })

  /** The sum of a figure over all accounts. */
  const sum = (of: (account: Account) => number) => accounts.reduce((total, account) => total + of(account), 0)

  /** The callers' knowledge; `faults` is empty if no credit was lost or taken twice. */
  const report = (faults: ReadonlyArray<string>) => ({
    /** Forecasts that a caller has received completely. */
    acknowledged: sum(({ acknowledged }) => acknowledged.size),
    /** Forecasts in the ledger: those, and some whose responses were lost. */
    inLedger: sum(({ inLedger }) => inLedger),
    /** Requests without an Idempotency-Key that got no response. */
    unanswered: sum(({ unanswered }) => unanswered),
    /** Requests with an Idempotency-Key that got no response and were retried. */
    sentAgain: sum(({ sentAgain }) => sentAgain),
    /** The retried requests that had been charged before the crash, and were not charged again. */
    replayed: sum(({ replayed }) => replayed),
    faults
  })

  return { load, report, settle, sum, unknownCharges }
})
