import { Context, Effect, Exit, Layer, type Option, Schema, type Types } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, execute, findAll, findFirst } from "../database/Statements.ts"
import { Transaction } from "../database/Transaction.ts"
import * as BackgroundJob from "../observability/BackgroundJob.ts"
import { type AnsweredRequest, RequestLog } from "../observability/Logging.ts"
import { dayLength, dayOf } from "../text/Times.ts"

/** The calls with a key on a UTC day that had the same outcome. */
export const CallCount = Schema.Struct({
  /** The displayable part of the key, which may no longer exist, or may never have existed. */
  prefix: Schema.String,
  /** Like 2026-11-23. */
  day: Schema.String,
  /** The code of the problem; empty if they succeeded. */
  code: Schema.String,
  calls: Schema.Int,
  /** The time of the last one, in milliseconds UTC, and its request ID. */
  lastAt: Schema.Int,
  lastRequestId: Schema.String
})
export type CallCount = typeof CallCount.Type

/** The number of days that counts are kept. */
export const keptDays = 30

/** The most unknown keys counted per day and instance: a stranger may send a new one with each request. */
const maxUnknown = 1000

/** The time limit for storing the last counts when the service stops. */
const storeTimeout = "2 seconds"

const idOf = ({ code, day, prefix }: CallCount) => `${prefix} ${day} ${code}`

/** Stores the outcomes of calls with each key, by day. */
export class CallCounts extends Context.Service<
  CallCounts,
  {
    /** Adds to the stored counts. */
    readonly add: (counts: ReadonlyArray<CallCount>) => Effect.Effect<void>
    /** The counts of keys with these prefixes, the latest calls first. */
    readonly of: (prefixes: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<CallCount>>
    /** The count whose last call is this request. */
    readonly findRequest: (requestId: string) => Effect.Effect<Option.Option<CallCount>>
  }
>()("outreach-forecast/keys/CallCounts") {
  /** The counts in the table `call_counts`. */
  static readonly layer = Layer.effect(
    CallCounts,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { tableOf } = dialectOf(sql)
      return CallCounts.of({
        // Always in the same order, so that instances that add to the same rows cannot deadlock.
        add: (counts) => {
          const sorted = counts.toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1))
          const rows = sorted.map(({ lastAt, lastRequestId, ...count }) => ({
            ...count,
            last_at: lastAt,
            last_request_id: lastRequestId
          }))
          const added = tableOf(rows, "added", {
            prefix: "text",
            day: "text",
            code: "text",
            calls: "integer",
            last_at: "integer",
            last_request_id: "text"
          })
          return execute(sql`
              INSERT INTO call_counts AS c (prefix, day, code, calls, last_at, last_request_id)
              SELECT prefix, day, code, calls, last_at, last_request_id FROM ${added} WHERE true ORDER BY position
              ON CONFLICT (prefix, day, code) DO UPDATE SET
                calls = c.calls + excluded.calls,
                last_request_id =
                  CASE WHEN excluded.last_at < c.last_at THEN c.last_request_id ELSE excluded.last_request_id END,
                last_at = CASE WHEN excluded.last_at < c.last_at THEN c.last_at ELSE excluded.last_at END`)
        },
        of: (prefixes) =>
          prefixes.length === 0
            ? Effect.succeed([])
            : findAll(
                CallCount,
                sql`SELECT * FROM call_counts WHERE prefix IN ${sql.in(prefixes)} ORDER BY last_at DESC, code`
              ),
        findRequest: (requestId) =>
          findFirst(CallCount, sql`SELECT * FROM call_counts WHERE last_request_id = ${requestId} LIMIT 1`)
      })
    })
  )
}

/** Counts requests with a key in memory. */
const makeCounters = () => {
  let day = ""
  let dayBegan = 0
  let unknown = 0
  /** The prefixes that were counted today. */
  const seen = new Set<string>()
  let counts = new Map<string, Types.Mutable<CallCount>>()

  /** True if a prefix is counted; that of an existing key always is. */
  const isCounted = (prefix: string, isFound: boolean): boolean => {
    if (seen.has(prefix)) return true
    if (!isFound && unknown >= maxUnknown) return false
    if (!isFound) unknown++
    seen.add(prefix)
    return true
  }

  const add = (count: CallCount): void => {
    const id = idOf(count)
    const before = counts.get(id)
    if (before === undefined) {
      counts.set(id, { ...count })
      return
    }
    before.calls += count.calls
    if (count.lastAt < before.lastAt) return
    before.lastAt = count.lastAt
    before.lastRequestId = count.lastRequestId
  }

  return {
    count: ({ at, code, isKeyFound, key: prefix, requestId, status }: AnsweredRequest): void => {
      if (prefix === undefined) return
      if (at < dayBegan || at >= dayBegan + dayLength) {
        day = dayOf(at)
        dayBegan = at - (at % dayLength)
        unknown = 0
        seen.clear()
      }
      if (!isCounted(prefix, isKeyFound)) return
      // There is no code if the client disconnected.
      const outcome = code ?? (status < 400 ? "" : String(status))
      add({ prefix, day, code: outcome, calls: 1, lastAt: at, lastRequestId: requestId })
    },
    /** Removes and returns the counts. */
    take: (): ReadonlyArray<CallCount> => {
      const taken = [...counts.values()]
      counts = new Map()
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
