import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dayLength } from "../text/Times.ts"
import { orDefect } from "./Failures.ts"

/** The clock and the last time that was recorded, in milliseconds UTC. */
export interface ClockReading {
  readonly now: number
  /** The last time that the service ran with a plausible clock or, if unknown, the last change of the ledger. */
  readonly lastAt: number
  /** False if the clock is more than a day ahead: data with a retention period would be deleted too early. */
  readonly isPlausible: boolean
}

/** The time of the newest ledger entry. */
const newestEntryAt = (sql: SqlClient.SqlClient) => sql`SELECT created_at FROM credit_ledger ORDER BY id DESC LIMIT 1`

/** Records that the service runs at `now`; always writes, but keeps the last time if the clock is not plausible. */
export const noteTime = (sql: SqlClient.SqlClient, now: number) => sql`
  INSERT INTO readiness (id, checked_at) VALUES (1, COALESCE((${newestEntryAt(sql)}), ${now}))
  ON CONFLICT (id) DO UPDATE SET checked_at = CASE
    WHEN ${now} BETWEEN readiness.checked_at AND readiness.checked_at + ${dayLength} THEN ${now}
    ELSE readiness.checked_at END`

/** Reads the clock and the last recorded time. */
export const readClock = Effect.fnUntraced(function* (sql: SqlClient.SqlClient) {
  const now = yield* Clock.currentTimeMillis
  const [row] = yield* sql<{ readonly at: number | null }>`
    SELECT COALESCE((SELECT checked_at FROM readiness WHERE id = 1), (${newestEntryAt(sql)})) AS at`
  const lastAt = row?.at ?? now
  const reading: ClockReading = { now, lastAt, isPlausible: now <= lastAt + dayLength }
  return reading
})

/**
 * Compares the clock with the last time that the service ran. A clock that is far ahead may be wrong, so deletion by
 * age waits until the clock is set back or the operator trusts it.
 */
export class PlausibleClock extends Context.Service<
  PlausibleClock,
  {
    readonly read: Effect.Effect<ClockReading>
    /** Declares the clock correct, and returns its time and the last recorded one. */
    readonly trust: Effect.Effect<ClockReading>
  }
>()("outreach-forecast/database/PlausibleClock") {
  static readonly layer = Layer.effect(
    PlausibleClock,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const read = orDefect(readClock(sql))
      const trust = Effect.tap(read, ({ now }) =>
        orDefect(sql`
          INSERT INTO readiness (id, checked_at) VALUES (1, ${now})
          ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`)
      )
      return PlausibleClock.of({ read, trust })
    })
  )

  /** In memory, where nothing is older than the process. */
  static readonly layerMemory = Layer.sync(PlausibleClock, () => {
    const read = Effect.map(Clock.currentTimeMillis, (now) => ({ now, lastAt: now, isPlausible: true }))
    return PlausibleClock.of({ read, trust: read })
  })
}
