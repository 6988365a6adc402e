import { Effect, Fiber, Schema } from "effect"
import { openBooks } from "../../test/support/Books.ts"
import { ledgerFaults } from "../../test/support/Instances.ts"
import { outputOf, serve, type Serving, stop, until } from "../../test/support/Process.ts"
import type { ReleasedDatabase } from "../../test/support/Released.ts"
import { forecastFrom, getFrom } from "../../test/support/Requests.ts"

/** The programs of the two versions, and a folder for what they write. */
export interface Versions {
  readonly other: string
  readonly own: string
  readonly directory: string
}

/** The callers at each instance, and the forecasts that are sold between two steps. */
const callers = 10
const soldBetween = 300

/** Runs a command of a version on a database. */
export const command = (program: string, directory: string, url: string, ...args: ReadonlyArray<string>) =>
  outputOf(process.execPath, [program, ...args], { APP_ENV: "test", HOME: directory, DATABASE_URL: url }, directory)

const decodeIssued = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ id: Schema.String, api_key: Schema.String }))
)

const ownerOf = (i: number) => ["--name", "Load", "--company", "Example", "--email", `load${i}@example.com`]

/** The faults of a released database behind a server: in its ledger, in the balances of its keys, and in a forecast. */
export const faultsOf = Effect.fnUntraced(function* (server: Serving, url: string, { known }: ReleasedDatabase) {
  const faults = (yield* ledgerFaults(url)).map((fault) => JSON.stringify(fault))
  for (const { credits, name, secret } of known.balances) {
    const { json, status } = yield* getFrom(server.url, "/api/v1/usage", { "x-api-key": secret })
    if (json["credits_remaining"] !== credits)
      faults.push(`${name} had ${credits} credits, and gets ${status} ${JSON.stringify(json)}`)
  }
  const { status, text } = yield* forecastFrom(server.url, known.unpaid.secret)
  if (status !== 200) faults.push(`a forecast got ${status} ${text}`)
  return faults
})

/**
 * Replaces two instances of the other version on a database by this one, one after the other and under load; `meanwhile`
 * runs while both are of the other version. Compares what callers know with the ledger. They may have got no response or
 * 503, and nothing else.
 */
export const roll = Effect.fnUntraced(function* (
  database: ReleasedDatabase,
  url: string,
  { directory, other, own }: Versions,
  meanwhile: Effect.Effect<unknown>
) {
  const start = (program: string) => serve(directory, { DATABASE_URL: url }, [], program)
  const [first, second] = yield* Effect.all([start(other), start(other)])
  const issue = (credits: number, i: number) =>
    Effect.map(
      command(other, directory, url, "keys", "issue", "--json", ...ownerOf(i), "--credits", String(credits)),
      (text) => {
        const { api_key, id } = decodeIssued(text)
        return { id, secret: api_key }
      }
    )
  const books = yield* openBooks(url, (credits) => Effect.forEach(credits, issue))
  let isOver = false
  const load = (server: Serving) =>
    Effect.forkChild(
      books.load(server.url, callers, () => !isOver),
      { startImmediately: true }
    )
  const acknowledged = () => books.sum((account) => account.acknowledged.size)
  const sold = Effect.suspend(() => {
    const before = acknowledged()
    return until(() => acknowledged() >= before + soldBetween)
  })
  const faults: Array<string> = []
  const end = Effect.fnUntraced(function* (server: Serving) {
    const { code } = yield* stop(server, "SIGTERM")
    if (code !== 0) faults.push(`an instance exited with ${code}: ${server.stderr()}`)
    faults.push(...(yield* books.unknownCharges(server.stderr())))
  })

  const loads = [yield* load(first), yield* load(second)]
  yield* sold
  yield* meanwhile
  yield* end(first)
  const third = yield* start(own)
  loads.push(yield* load(third))
  yield* sold
  yield* end(second)
  const fourth = yield* start(own)
  loads.push(yield* load(fourth))
  yield* sold
  isOver = true
  yield* Effect.forEach(loads, Fiber.join)
  faults.push(...(yield* books.settle(third.url)), ...(yield* faultsOf(fourth, url, database)))
  for (const server of [third, fourth]) yield* end(server)
  return books.report(faults)
})
