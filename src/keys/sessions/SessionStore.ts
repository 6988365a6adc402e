import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../../database/MemoryTables.ts"

/**
 * A session of a browser, opened with a secret of a key. Only the SHA-256 of its token and of the secret are stored.
 */
export interface Session {
  readonly hash: string
  readonly secretHash: string
  /** Milliseconds UTC. */
  readonly createdAt: number
  readonly expiresAt: number
}

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
  static readonly layerMemory = Layer.effect(
    SessionStore,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const sessions = tables.table<Session>("account_sessions")
      return SessionStore.of({
        insert: (session, most) =>
          Effect.sync(() => {
            sessions.set(session.hash, session)
            const same = [...sessions.values()].filter(({ secretHash }) => secretHash === session.secretHash)
            for (const { hash } of same.slice(0, Math.max(0, same.length - most))) sessions.delete(hash)
          }),
        find: (hash) => Effect.sync(() => Option.fromUndefinedOr(sessions.get(hash))),
        move: (hash, secretHash) =>
          Effect.sync(() => {
            const session = sessions.get(hash)
            if (session !== undefined) sessions.set(hash, { ...session, secretHash })
          }),
        delete: (hash) => Effect.sync(() => sessions.delete(hash))
      })
    })
  )
}
