import { Effect, Redacted } from "effect"
import { LedgerAudit } from "../../src/credits/audit/LedgerAudit.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { applicationOn, temporaryDirectory } from "./Application.ts"
import { connected } from "./Postgres.ts"
import { serve } from "./Process.ts"
import { type ServiceResponse } from "./Requests.ts"

/** Starts several server processes at the same moment on one database. */
export const instancesOn = Effect.fnUntraced(function* (
  url: string,
  count: number,
  env: Readonly<Record<string, string>> = {}
) {
  const directory = yield* temporaryDirectory
  const start = serve(directory, { DATABASE_URL: url, ...env })
  return yield* Effect.all(
    Array.from({ length: count }, () => start),
    { concurrency: "unbounded" }
  )
})

let owners = 0

/** Issues keys on a database, each to a different owner. */
export const issueOn = (url: string, count: number, credits: number) =>
  Effect.gen(function* () {
    const { issue } = yield* ApiKeys
    return yield* Effect.forEach(Array.from({ length: count }), () => {
      const name = `owner${++owners}`
      return Effect.map(
        issue({ name, email: `${name}@example.com`, company: "Example" }, credits),
        ({ key: { id }, secret }) => ({ id, secret: Redacted.value(secret) })
      )
    })
  }).pipe(Effect.provide(applicationOn(url)), Effect.orDie)

/** The faults in the ledger of a database. */
export const ledgerFaults = (url: string) =>
  Effect.flatMap(LedgerAudit, ({ verify }) => verify).pipe(
    Effect.map(({ faults }) => faults),
    Effect.provide(applicationOn(url))
  )

/** Reads from a Postgres database over a separate connection. */
export const query = <Row extends object>(url: string, text: string, values: ReadonlyArray<unknown> = []) =>
  connected(url, (sql) => sql.unsafe<Row>(text, values))

/** The balances after each forecast of a key, oldest first. */
export const forecastsOf = (url: string, keyId: string) =>
  Effect.map(
    query<{ readonly balance: number }>(
      url,
      "SELECT balance_after::int4 AS balance FROM credit_ledger WHERE key_id = $1 AND kind = 'forecast' ORDER BY id",
      [keyId]
    ),
    (rows) => rows.map(({ balance }) => balance)
  )

/** The number of responses with each status. */
export const statuses = (responses: ReadonlyArray<ServiceResponse>): Readonly<Record<number, number>> =>
  Object.fromEntries(
    Map.groupBy(responses, ({ status }) => status)
      .entries()
      .map(([status, { length }]) => [status, length])
  )
