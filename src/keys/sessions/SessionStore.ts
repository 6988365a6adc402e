import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { execute, type Expiring, findFirst } from "../../database/Statements.ts"

/**
 * A session of a browser, opened with a secret of a key. Only the SHA-256 of its token and of the secret are stored.
 */
export const Session = Schema.Struct({
  hash: Schema.String,
  secretHash: Schema.String,
  /** Milliseconds UTC. */
  createdAt: Schema.Int,
  expiresAt: Schema.Int
})
export type Session = typeof Session.Type

export const expiring: Expiring = { table: "account_sessions", id: "hash", column: "expires_at", lifetime: 0 }

/** Stores sessions, even after their secret was deleted. */
export class SessionStore extends Context.Service<
  SessionStore,
  {
    /** Adds a session, and deletes all but the newest `most` sessions of its secret. */
    readonly insert: (session: Session, most: number) => Effect.Effect<void>
    readonly find: (hash: string) => Effect.Effect<Option.Option<Session>>
    /** Moves a session to another secret. */
    readonly move: (hash: string, secretHash: string) => Effect.Effect<void>
    readonly delete: (hash: string) => Effect.Effect<void>
  }
>()("outreach-forecast/keys/SessionStore") {
  /** Sessions in the table `account_sessions`. */
  static readonly layer = Layer.effect(
    SessionStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return SessionStore.of({
        insert: (session, most) =>
          execute(
            Effect.andThen(
              sql`INSERT INTO account_sessions ${sql.insert({ ...session })}`,
              sql`
                DELETE FROM account_sessions WHERE secret_hash = ${session.secretHash} AND hash NOT IN (
                  SELECT hash FROM account_sessions WHERE secret_hash = ${session.secretHash}
                  ORDER BY created_at DESC, hash LIMIT ${most})`
            )
          ),
        find: (hash) => findFirst(Session, sql`SELECT * FROM account_sessions WHERE hash = ${hash}`),
        move: (hash, secretHash) =>
          execute(sql`UPDATE account_sessions SET secret_hash = ${secretHash} WHERE hash = ${hash}`),
        delete: (hash) => execute(sql`DELETE FROM account_sessions WHERE hash = ${hash}`)
      })
    })
  )
}
