import { Agent } from "node:http"
import { DatabaseSync } from "node:sqlite"
import { Effect, Random, Redacted } from "effect"
import { LedgerCheck } from "../../src/credits/LedgerCheck.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Account } from "./Account.ts"
import { sqliteApplication, temporaryDirectory } from "./Application.ts"
import { type Serving, serve, stop } from "./Process.ts"

/** What came of crash rounds; `faults` is empty where no credit was lost or taken twice. */
export interface CrashReport {
  readonly rounds: number
  /** Starts of a server on the database that a killed one left. */
  readonly restarts: number
  /** Forecasts that a caller has read whole. */
  readonly acknowledged: number
  /** Forecasts in the ledger: those, and some whose answers were lost. */
  readonly inLedger: number
  /** Requests that got no answer, those with an Idempotency-Key not counted: these were sent again. */
  readonly unanswered: number
  readonly sentAgain: number
  readonly faults: ReadonlyArray<string>
}

/** The keys of the load. The last one has too few credits. */
const keys = [
  { credits: 10_000_000, isIdempotent: false },
  { credits: 10_000_000, isIdempotent: true },
  { credits: 10_000_000, isIdempotent: true },
  { credits: 300, isIdempotent: false }
]

/** The callers at each server, spread over the keys. */
const callers = 40

/** How long a server may live under load, in milliseconds. */
const longestLoad = 400

/** The accounts of new keys, issued by the service's own code on a database. */
const openAccounts = Effect.fnUntraced(function* (agent: Agent) {
  const apiKeys = yield* ApiKeys
  return yield* Effect.forEach(keys, ({ credits, isIdempotent }, i) =>
    Effect.map(
      apiKeys.issue({ name: "Ada", email: `ada${i}@example.com`, company: "Example" }, credits),
      ({ key, secret }) => new Account({ id: key.id, secret: Redacted.value(secret) }, { agent, isIdempotent })
    )
  )
})

const verify = Effect.map(
  Effect.flatMap(LedgerCheck, (check) => check.verify(Effect.yieldNow)),
  ({ faults }) => faults.map(({ expected, found, keyId, what }) => `${keyId} ${what}: ${expected}, found ${found}`)
)

/** The charges that a server logged and the ledger does not have. */
const unknownCharges = (server: Serving, database: DatabaseSync): ReadonlyArray<string> => {
  const logged = [...server.stderr().matchAll(/"charge":"([^"]+)"/g)].map(([, reference]) => reference)
  return database
    .prepare("SELECT value FROM json_each(?) WHERE value NOT IN (SELECT reference FROM credit_ledger)")
    .all(JSON.stringify(logged))
    .map((row) => `charge ${String(row["value"])} is in the log and not in the ledger`)
}

/**
 * Loads servers that share a database, kills each at a random moment, starts them again, and holds every answer that a
 * caller has read against the ledger; as many times as there are rounds. The same seed gives the same moments.
 */
export const crashRounds = Effect.fnUntraced(function* (options: {
  readonly rounds: number
  readonly servers: number
  readonly onRound?: (round: number) => void
}) {
  const directory = yield* temporaryDirectory
  const file = `${directory}/data/outreach-forecast.db`
  const application = sqliteApplication({ DATABASE_URL: `sqlite:${file}` })
  const agent = yield* Effect.acquireRelease(
    Effect.sync(() => new Agent({ keepAlive: true })),
    (agent) => Effect.sync(() => agent.destroy())
  )
  const accounts = yield* Effect.provide(openAccounts(agent), application)
  const database = yield* Effect.acquireRelease(
    Effect.sync(() => new DatabaseSync(file, { readOnly: true })),
    (database) => Effect.sync(() => database.close())
  )
  const faults: Array<string> = []
  let restarts = 0
  let sentAgain = 0

  const start = Effect.all(
    Array.from({ length: options.servers }, () => serve(directory)),
    { concurrency: "unbounded" }
  )

  /** Looks at what the last crash left, before and after the requests are sent again that it left open. */
  const settle = Effect.fnUntraced(function* (url: string) {
    faults.push(...(yield* Effect.provide(verify, application)))
    for (const account of accounts) {
      sentAgain += yield* Effect.promise(() => account.sendAgain(url))
      faults.push(...account.compare(database))
    }
  })

  const crash = Effect.fnUntraced(function* (server: Serving) {
    const lifetime = yield* Random.nextIntBetween(0, longestLoad)
    const load = Array.from({ length: callers }, async (_, i) => {
      const account = accounts[i % accounts.length]
      while ((await account?.send(server.url)) !== undefined);
    })
    yield* Effect.sleep(lifetime)
    yield* stop(server, "SIGKILL")
    yield* Effect.promise(() => Promise.all(load))
    faults.push(...unknownCharges(server, database))
  })

  const round = Effect.fnUntraced(function* (isLast: boolean) {
    const servers = yield* start
    yield* settle(servers[0]?.url ?? "")
    if (isLast) return
    yield* Effect.all(servers.map(crash), { concurrency: "unbounded" })
    restarts += servers.length
  }, Effect.scoped)

  let rounds = 0
  while (rounds < options.rounds && faults.length === 0) {
    yield* round(false)
    options.onRound?.(++rounds)
  }
  yield* round(true)
  const sum = (of: (account: Account) => number) => accounts.reduce((total, account) => total + of(account), 0)
  const report: CrashReport = {
    rounds,
    restarts,
    acknowledged: sum(({ acknowledged }) => acknowledged.size),
    inLedger: sum(({ inLedger }) => inLedger),
    unanswered: sum(({ unanswered }) => unanswered),
    sentAgain,
    faults
  }
  return report
})
