import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { orDefect } from "../../database/Failures.ts"
import type { Expiring } from "../../database/Expiring.ts"
import { SessionStore } from "./SessionStore.ts"

interface Row {
  readonly hash: string
  readonly secret_hash: string
  readonly created_at: number
  readonly expires_at: number
}

export const expiring: Expiring = { table: "account_sessions", id: "hash", column: "expires_at", lifetime: 0 }

/** Sessions in the table `account_sessions`. */
export const layer = Layer.effect(
  SessionStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return SessionStore.of({
      insert: ({ createdAt, expiresAt, hash, secretHash }, most) =>
        orDefect(
          Effect.asVoid(
            Effect.andThen(
              sql`
                INSERT INTO account_sessions (hash, secret_hash, created_at, expires_at)
                VALUES (${hash}, ${secretHash}, ${createdAt}, ${expiresAt})`,
              sql`
                DELETE FROM account_sessions WHERE secret_hash = ${secretHash} AND hash NOT IN (
                  SELECT hash FROM account_sessions WHERE secret_hash = ${secretHash}
                  ORDER BY created_at DESC, hash LIMIT ${most})`
            )
          )
        ),
      find: (hash) =>
        orDefect(
          Effect.map(sql<Row>`SELECT * FROM account_sessions WHERE hash = ${hash}`, ([row]) =>
            row === undefined
              ? Option.none()
              : Option.some({
                  hash: row.hash,
                  secretHash: row.secret_hash,
                  createdAt: row.created_at,
                  expiresAt: row.expires_at
                })
          )
        ),
      move: (hash, secretHash) =>
        orDefect(Effect.asVoid(sql`UPDATE account_sessions SET secret_hash = ${secretHash} WHERE hash = ${hash}`)),
      delete: (hash) => orDefect(Effect.asVoid(sql`DELETE FROM account_sessions WHERE hash = ${hash}`))
    })
  })
)
