import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { orDefect } from "./Failures.ts"

/** Checks whether the database accepts writes. */
export class DatabaseHealth extends Context.Service<
  DatabaseHealth,
  {
    /** Makes a durable write; dies if that fails. */
    readonly check: Effect.Effect<void>
  }
>()("outreach-forecast/database/DatabaseHealth") {
  static readonly layer = Layer.effect(
    DatabaseHealth,
    Effect.map(SqlClient.SqlClient, (sql) =>
      DatabaseHealth.of({
        check: Effect.flatMap(Clock.currentTimeMillis, (now) =>
          orDefect(
            Effect.asVoid(
              sql`INSERT INTO readiness (id, checked_at) VALUES (1, ${now})
                  ON CONFLICT (id) DO UPDATE SET checked_at = excluded.checked_at`
            )
          )
        )
      })
    )
  )

  /** Memory accepts every write. */
  static readonly layerMemory = Layer.succeed(DatabaseHealth, { check: Effect.void })
}
