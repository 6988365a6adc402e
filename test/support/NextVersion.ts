import { Effect } from "effect"
import type { SqlClient, SqlError } from "effect/sql"
import { lastMigration, Migrations } from "../../src/database/Migrations.ts"

/** Runs an effect as the next version of the service does, which has another migration. */
export const asNextVersion =
  (migration: Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> = Effect.void) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.gen(function* () {
      const number = String((yield* lastMigration) + 1).padStart(4, "0")
      const all = { ...(yield* Migrations), [`${number}_next`]: migration }
      return yield* Effect.provideService(effect, Migrations, all)
    })
