import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf, execute, findAll, findFirst } from "../database/Statements.ts"

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

/** Adds a count to an earlier one of the same key, day and code. */
export const sum = (count: CallCount, before: CallCount | undefined): CallCount => {
  if (before === undefined) return count
  const { lastAt, lastRequestId } = count.lastAt < before.lastAt ? before : count
  return { ...count, calls: before.calls + count.calls, lastAt, lastRequestId }
}
