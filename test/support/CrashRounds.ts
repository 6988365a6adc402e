import { Effect, Fiber, Random } from "effect"
import { temporaryDirectory } from "./Application.ts"
import { openBooks } from "./Books.ts"
import { type Serving, serve, stop, until } from "./Process.ts"

/** The callers at each server. */
const callers = 10

/** The longest lifetime of a server, from its start or under load, in milliseconds. */
const longestLife = 400

/**
 * Puts load on servers that share a database, kills each at a random moment, and restarts them, which fails once at a random
 * moment too; then compares every response that a caller read with the ledger, for this many rounds. The
 * same seed gives the same moments.
 */
export const crashRounds = Effect.fnUntraced(function* (options: {
  readonly rounds: number
  readonly servers: number
  readonly onRound?: (round: number) => void
}) {
  const directory = yield* temporaryDirectory
  const books = yield* openBooks(`sqlite:${directory}/data/outreach-forecast.db`)
  const faults: Array<string> = []
  let rounds = 0
  let restarts = 0

  const crash = Effect.fnUntraced(function* (server: Serving) {
    const lifetime = yield* Random.nextIntBetween(0, longestLife)
    const load = yield* Effect.forkChild(books.load(server.url, callers), { startImmediately: true })
    // At least one server lives long enough to respond, however slow the machine is.
    if (rounds === 0) yield* until(() => books.sum(({ acknowledged }) => acknowledged.size) > 0)
    yield* Effect.sleep(lifetime)
    yield* stop(server, "SIGKILL")
    yield* Fiber.join(load)
    faults.push(...(yield* books.unknownCharges(server.stderr())))
  })

  const round = Effect.fnUntraced(function* (isLast: boolean) {
    // The first start after a crash is killed too, at any point.
    yield* Effect.scoped(Effect.timeoutOption(serve(directory), yield* Random.nextIntBetween(0, longestLife)))
    const start = Array.from({ length: isLast ? 1 : options.servers }, () => serve(directory))
    const servers = yield* Effect.all(start, { concurrency: "unbounded" })
    faults.push(...(yield* books.settle(servers[0]?.url ?? "")))
    if (isLast) return
    yield* Effect.forEach(servers, crash, { concurrency: "unbounded", discard: true })
    restarts += servers.length
  }, Effect.scoped)

  while (rounds < options.rounds && faults.length === 0) {
    yield* round(false)
    rounds++
    options.onRound?.(rounds)
  }
  yield* round(true)
  return { rounds, restarts, ...books.report(faults) }
})
