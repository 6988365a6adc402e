import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDefect } from "./Failures.ts"

/** How long the result of a check stands for all who ask. */
const lifetime = "1 second"

/** Checks whether the database accepts writes. */
export class DatabaseHealth extends Context.Service<
  DatabaseHealth,
  {
    /**
     * Makes a durable write; dies if that fails. Those who ask at the same time, or within a second after a check, share
     * its result, a failure too: whoever asks often costs no more than whoever asks once a second.
     */
    readonly check: Effect.Effect<void>
  }
>()("outreach-forecast/database/DatabaseHealth") {
  static readonly layer = Layer.effect(
    DatabaseHealth,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const write = Effect.flatMap(Clock.currentTimeMillis, (now) =>
        orDefect(
          Effect.asVoid(
            sql`INSERT INTO readiness (id, checked_at) VALUES (1, ${now})
                ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`
          )
        )
      )
      return DatabaseHealth.of({ check: yield* Effect.cachedWithTTL(write, lifetime) })
    })
  )

  /** Memory accepts every write. */
  static readonly layerMemory = Layer.succeed(DatabaseHealth, { check: Effect.void })
}
