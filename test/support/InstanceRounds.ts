import { Effect, Fiber, Random } from "effect"
import { temporaryDirectory } from "./Application.ts"
import { openBooks } from "./Books.ts"
import { postgresServer } from "./Postgres.ts"
import { type Serving, serve, stop, until } from "./Process.ts"

/** The processes that are killed in a round. */
type Victim = "instance" | "postgres"

/** The callers at each instance. */
const callers = 10

/** The longest duration of the load before a kill, and of the Postgres outage after it, in milliseconds. */
const longestLoad = 400
const longestOutage = 600

/**
 * Loads two instances on one Postgres database, kills one of them or Postgres itself at a random moment, restarts it,
 * retries the requests without a response at the other instance, and compares every response with the ledger; all this
 * once per round. An instance is never restarted because Postgres was away.
 */
export const instanceRounds = Effect.fnUntraced(function* (options: {
  readonly rounds: number
  readonly victims: readonly [Victim, ...ReadonlyArray<Victim>]
  readonly onRound?: (round: number) => void
}) {
  const postgres = yield* postgresServer
  const directory = yield* temporaryDirectory
  const start = serve(directory, { DATABASE_URL: postgres.url })
  let servers = yield* Effect.all([start, start], { concurrency: 2 })
  const books = yield* openBooks(postgres.url)
  const acknowledged = () => books.sum((account) => account.acknowledged.size)
  const faults: Array<string> = []
  let rounds = 0
  let restarts = 0

  const round = Effect.fnUntraced(function* (victim: Victim) {
    let isOver = false
    const continues = () => new Promise<boolean>((resolve) => setTimeout(() => resolve(!isOver), 5))
    const load = ({ url }: Serving) => Effect.forkChild(books.load(url, callers, continues), { startImmediately: true })
    const loads = yield* Effect.forEach(servers, load)
    /** Waits until `count` more forecasts have been sold. */
    const sold = (count: number) => {
      const before = acknowledged()
      return until(() => acknowledged() >= before + count)
    }
    yield* sold(1)
    yield* Effect.sleep(yield* Random.nextIntBetween(0, longestLoad))
    const killed = (yield* Random.nextBoolean) ? 0 : 1
    const [first, second] = servers
    if (victim === "instance") {
      yield* stop(servers[killed], "SIGKILL")
      // The other one continues immediately.
      yield* sold(50)
    } else {
      yield* Effect.promise(() => postgres.kill())
      yield* Effect.sleep(yield* Random.nextIntBetween(0, longestOutage))
      yield* Effect.promise(() => postgres.start())
      yield* sold(50)
    }
    isOver = true
    yield* Effect.forEach(loads, Fiber.join)
    for (const server of servers) faults.push(...(yield* books.unknownCharges(server.stderr())))
    faults.push(...(yield* books.settle(killed === 0 ? second.url : first.url)))
    if (victim === "instance") {
      const fresh = yield* start
      servers = killed === 0 ? [fresh, second] : [first, fresh]
    }
    restarts++
  })

  while (rounds < options.rounds && faults.length === 0) {
    yield* round(options.victims[rounds % options.victims.length] ?? options.victims[0])
    rounds++
    options.onRound?.(rounds)
  }
  return { rounds, restarts, ...books.report(faults) }
})
