import { hash } from "node:crypto"
import { Clock, Duration, Effect, Layer, Schema } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { dialectOf, rowsOf, valuesOf } from "./Statements.ts"
import { orDefect } from "./Failures.ts"
import { dayLength } from "../text/Times.ts"

/** The number of expired counts deleted at once. */
const purgedAtOnce = 100

/** The longest window, in milliseconds. */
const longest = dayLength

/** The allowed difference between the clocks of instances, in milliseconds. */
const skew = 60_000

const idOf = (key: string) => hash("sha256", key, "hex")

/** The count of something in its current window, refused ones included. */
export const counted = Effect.fnUntraced(function* (sql: SqlClient.SqlClient, key: string) {
  const now = yield* Clock.currentTimeMillis
  const counts = sql`SELECT requests FROM request_counts WHERE id = ${idOf(key)} AND expires_at > ${now}`
  const [requests = 0] = yield* valuesOf(Schema.Int, counts)
  return requests
})

const CountRow = Schema.Struct({ requests: Schema.Int, expiresAt: Schema.Int })

/**
 * Rate limits in the table `request_counts`, shared by all instances of the service. The address or client that is
 * counted is stored as a hash. Only fixed windows are shared: the rest of the contract works in memory.
 */
export const layer = Layer.effect(
  RateLimiter.RateLimiterStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { forUpdateSkipLocked } = dialectOf(sql)
    const memory = yield* RateLimiter.RateLimiterStore

    const count = Effect.fnUntraced(function* (
      key: string,
      {
        limit = Number.MAX_SAFE_INTEGER,
        refillMillis,
        tokens
      }: { limit?: number; refillMillis: number; tokens: number }
    ) {
      const id = idOf(key)
      const now = yield* Clock.currentTimeMillis
      // A window that ends later than a full one was started by a clock that was ahead.
      const latest = now + skew + Math.ceil(refillMillis * Math.min(limit, Number.MAX_SAFE_INTEGER / refillMillis / 2))
      yield* sql`
        DELETE FROM request_counts WHERE id IN (
          SELECT id FROM request_counts WHERE expires_at <= ${now} OR expires_at > ${Math.max(latest, now + skew + longest)}
          LIMIT ${purgedAtOnce}${forUpdateSkipLocked})`
      const later = Math.ceil(refillMillis * tokens)
      const isOver = sql`r.expires_at <= ${now} OR r.expires_at > ${latest}`
      const [row] = yield* rowsOf(
        CountRow,
        sql`
        INSERT INTO request_counts AS r (id, requests, expires_at) VALUES (${id}, ${tokens}, ${now + later})
        ON CONFLICT (id) DO UPDATE SET
          requests = CASE WHEN ${isOver} THEN excluded.requests ELSE r.requests + excluded.requests END,
          expires_at = CASE
            WHEN ${isOver} THEN excluded.expires_at
            WHEN r.requests + excluded.requests > ${limit} THEN r.expires_at
            ELSE r.expires_at + ${later} END
        RETURNING requests, expires_at`
      )
      return [row?.requests ?? tokens, (row?.expiresAt ?? now + later) - now] as const
    })

    return RateLimiter.RateLimiterStore.of({
      ...memory,
      fixedWindow: ({ key, limit, refillRate, tokens }) =>
        orDefect(
          count(key, { tokens, refillMillis: Duration.toMillis(refillRate), ...(limit !== undefined && { limit }) })
        )
    })
  })
).pipe(Layer.provide(RateLimiter.layerStoreMemory))
