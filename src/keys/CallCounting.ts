import { Context, Effect, Exit, Layer } from "effect"
import { Transaction } from "../database/Transaction.ts"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { type AnsweredRequest, RequestLog } from "../observability/Logging.ts"
import { type CallCount, CallCounts, sum } from "./CallCounts.ts"
import { dayLength, dayOf } from "../text/Times.ts"

/** The most unknown keys counted per day and instance: a stranger may send a new one with each request. */
const maxUnknown = 1000

/** The time limit for storing the last counts when the service stops. */
const storeTimeout = "2 seconds"

/** The count of calls with a key and the same outcome. */
interface Counter {
  calls: number
  lastAt: number
  lastRequestId: string
}

/** Counts requests with a key in memory. This runs for every request, so it creates no object or text. */
const makeCounters = () => {
  let day = ""
  let dayBegan = 0
  let unknown = 0
  /** The prefixes that were counted today. */
  const seen = new Set<string>()
  /** The counters of the day, by prefix and code. */
  let counters = new Map<string, Map<string, Counter>>()
  /** Earlier counts that are not stored yet. */
  let counted = new Map<string, CallCount>()

  /** True if a prefix is counted; that of an existing key always is. */
  const isCounted = (prefix: string, isFound: boolean): boolean => {
    if (seen.has(prefix)) return true
    if (!isFound && unknown >= maxUnknown) return false
    if (!isFound) unknown++
    seen.add(prefix)
    return true
  }

  const add = (count: CallCount): void => {
    const id = `${count.prefix} ${count.day} ${count.code}`
    counted.set(id, sum(count, counted.get(id)))
  }

  const endCounters = () => {
    for (const [prefix, codes] of counters) {
      for (const [code, counter] of codes) add({ prefix, day, code, ...counter })
    }
    counters = new Map()
  }

  const beginDay = (at: number) => {
    endCounters()
    day = dayOf(at)
    dayBegan = at - (at % dayLength)
    unknown = 0
    seen.clear()
  }

  return {
    count: ({ at, code, isKeyFound, key, requestId, status }: AnsweredRequest): void => {
      if (key === undefined) return
      if (at < dayBegan || at >= dayBegan + dayLength) beginDay(at)
      let codes = counters.get(key)
      if (codes === undefined) {
        if (!isCounted(key, isKeyFound)) return
        codes = new Map()
        counters.set(key, codes)
      }
      // There is no code if the client disconnected.
      const result = code ?? (status < 400 ? "" : String(status))
      const counter = codes.get(result)
      if (counter === undefined) {
        codes.set(result, { calls: 1, lastAt: at, lastRequestId: requestId })
        return
      }
      counter.calls++
      if (at < counter.lastAt) return
      counter.lastAt = at
      counter.lastRequestId = requestId
    },
    /** Removes and returns the counts. */
    take: (): ReadonlyArray<CallCount> => {
      endCounters()
      const taken = [...counted.values()]
      counted = new Map()
      return taken
    },
    /** Puts back counts that could not be stored. */
    putBack: (taken: ReadonlyArray<CallCount>): void => taken.forEach(add)
  }
}

/** Counts the outcomes of the requests with each key. */
export class CallCounting extends Context.Service<
  CallCounting,
  {
    /** Stores the counts since the last time. */
    readonly store: Effect.Effect<void>
  }
>()("outreach-forecast/keys/CallCounting") {
  /** Counts every logged request, and stores the rest when the scope closes. */
  static readonly layer = Layer.unwrap(
    Effect.gen(function* () {
      const log = yield* RequestLog
      const stored = yield* CallCounts
      const transaction = yield* Transaction
      const counters = makeCounters()
      const store = Effect.suspend(() => {
        const taken = counters.take()
        if (taken.length === 0) return Effect.void
        return Effect.onExit(transaction.run(stored.add(taken)), (exit) =>
          Effect.sync(() => {
            if (Exit.isFailure(exit)) counters.putBack(taken)
          })
        )
      })
      yield* Effect.addFinalizer(() =>
        BackgroundJob.makeGuard("count the last calls")(Effect.timeout(store, storeTimeout))
      )
      return Layer.merge(
        Layer.succeed(RequestLog, (request) => {
          log(request)
          counters.count(request)
        }),
        Layer.succeed(CallCounting, { store })
      )
    })
  )
}

/** Stores the counts once a minute while the scope is open. */
export const storing = BackgroundJob.layer({
  name: "count calls",
  run: Effect.flatMap(CallCounting, ({ store }) => store),
  every: "1 minute"
})
