import { Effect, Function, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Expiring, first, run } from "../../database/Rows.ts"
import { type Session, SessionStore } from "./SessionStore.ts"

export const expiring: Expiring = { table: "account_sessions", id: "hash", column: "expires_at", lifetime: 0 }

/** Sessions in the table `account_sessions`. */
export const layer = Layer.effect(
  SessionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return SessionStore.of({
      insert: (session, most) =>
        run(
          Effect.andThen(
            sql`INSERT INTO account_sessions ${sql.insert({ ...session })}`,
            sql`
              DELETE FROM account_sessions WHERE secret_hash = ${session.secretHash} AND hash NOT IN (
                SELECT hash FROM account_sessions WHERE secret_hash = ${session.secretHash}
                ORDER BY created_at DESC, hash LIMIT ${most})`
          )
        ),
      find: (hash) => first(sql<Session>`SELECT * FROM account_sessions WHERE hash = ${hash}`, Function.identity),
      move: (hash, secretHash) =>
        run(sql`UPDATE account_sessions SET secret_hash = ${secretHash} WHERE hash = ${hash}`),
      delete: (hash) => run(sql`DELETE FROM account_sessions WHERE hash = ${hash}`)
    })
  })
)
