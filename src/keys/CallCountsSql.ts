import { Effect, Function, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dialectOf } from "../database/Dialect.ts"
import { orDefect } from "../database/Failures.ts"
import { first, run } from "../database/Rows.ts"
import { type CallCount, CallCounts } from "./CallCounts.ts"

const idOf = ({ code, day, prefix }: CallCount) => `${prefix} ${day} ${code}`

/** The counts in the table `call_counts`. */
export const layer = Layer.effect(
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
        return run(sql`
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
          : orDefect(
              sql<CallCount>`
                SELECT * FROM call_counts WHERE prefix IN ${sql.in(prefixes)} ORDER BY last_at DESC, code`
            ),
      findRequest: (requestId) =>
        first(sql<CallCount>`SELECT * FROM call_counts WHERE last_request_id = ${requestId} LIMIT 1`, Function.identity)
    })
  })
)
