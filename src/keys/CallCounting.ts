import { Effect, Exit, Layer } from "effect"
import { Transaction } from "../database/Transaction.ts"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { type AnsweredRequest, RequestLog } from "../observability/RequestLog.ts"
import { type CallCount, CallCounts, dayOf, sum } from "./CallCounts.ts"

/** How many keys that open nothing are counted each day at each instance: a stranger may send a new one each time. */
const mostUnknown = 1000

/** A day in milliseconds. */
const dayLength = 86_400_000

/** How long the last counts may take to be written when the service stops. */
const patience = "2 seconds"

/** Counts requests with a key in memory. */
const makeCounter = () => {
  let day = ""
  let dayBegan = 0
  let counts = new Map<string, CallCount>()
  let unknown = 0
  /** The prefixes that were counted today. */
  const seen = new Set<string>()

  /** Whether a prefix is counted; one that was found to be a key's always is. */
  const isCounted = (prefix: string, isFound: boolean): boolean => {
    if (seen.has(prefix)) return true
    if (!isFound && unknown >= mostUnknown) return false
    if (!isFound) unknown++
    seen.add(prefix)
    return true
  }

  const add = (count: CallCount): void => {
    const id = `${count.prefix} ${count.day} ${count.code}`
    counts.set(id, sum(count, counts.get(id)))
  }

  return {
    count: ({ at, code, isKeyFound, key, requestId, status }: AnsweredRequest): void => {
      if (key === undefined) return
      if (at < dayBegan || at >= dayBegan + dayLength) {
        day = dayOf(at)
        dayBegan = at - (at % dayLength)
        unknown = 0
        seen.clear()
      }
      if (!isCounted(key, isKeyFound)) return
      add({
        prefix: key,
        day,
        // A caller who went away has no code.
        code: code ?? (status < 400 ? "" : String(status)),
        calls: 1,
        lastAt: at,
        lastRequestId: requestId
      })
    },
    /** Takes out what was counted. */
    take: (): ReadonlyArray<CallCount> => {
      const taken = [...counts.values()]
      counts = new Map()
      return taken
    },
    /** Puts back what could not be stored. */
    putBack: (taken: ReadonlyArray<CallCount>): void => taken.forEach(add)
  }
}

/**
 * Counts how the requests with each key end, in addition to what is noted of them already. The counts are stored once a
 * minute and when the scope closes.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const log = yield* RequestLog
    const stored = yield* CallCounts
    const transaction = yield* Transaction
    const counter = makeCounter()
    const store = Effect.suspend(() => {
      const taken = counter.take()
      if (taken.length === 0) return Effect.void
      return Effect.onExit(transaction.run(stored.add(taken)), (exit) =>
        Effect.sync(() => {
          if (Exit.isFailure(exit)) counter.putBack(taken)
        })
      )
    })
    yield* Effect.addFinalizer(() => BackgroundJob.makeGuard("count the last calls")(Effect.timeout(store, patience)))
    return Layer.merge(
      Layer.succeed(RequestLog, (request) => {
        log(request)
        counter.count(request)
      }),
      BackgroundJob.layer({ name: "count calls", run: store, every: "1 minute" })
    )
  })
)
