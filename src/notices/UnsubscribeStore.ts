import { Context, Effect, Layer, type Option } from "effect"
import { SqlClient } from "effect/sql"
import { execute, exists, type Expiring, findValue } from "../database/Statements.ts"
import { KeyId } from "../KeyId.ts"
import { dayLength } from "../text/Times.ts"

/** Links work for a year after their email was sent. */
export const expiring: Expiring = {
  table: "unsubscribe_links",
  id: "hash",
  column: "created_at",
  lifetime: 365 * dayLength
}

/**
 * The store of the keys whose notices are switched off, in the table `unsubscribed_keys`, and of the hashes of the
 * links that do so, in `unsubscribe_links`. Times are milliseconds UTC.
 */
export class UnsubscribeStore extends Context.Service<
  UnsubscribeStore,
  {
    readonly isUnsubscribed: (keyId: KeyId) => Effect.Effect<boolean>
    /** Returns false if the key was unsubscribed before. */
    readonly unsubscribe: (keyId: KeyId, at: number) => Effect.Effect<boolean>
    /** Returns false if the key was not unsubscribed. */
    readonly subscribe: (keyId: KeyId) => Effect.Effect<boolean>
    readonly addLink: (hash: string, keyId: KeyId, at: number) => Effect.Effect<void>
    readonly findByLink: (hash: string) => Effect.Effect<Option.Option<KeyId>>
  }
>()("outreach-forecast/notices/UnsubscribeStore") {
  static readonly layer = Layer.effect(
    UnsubscribeStore,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return UnsubscribeStore.of({
        isUnsubscribed: (keyId) => exists(sql`SELECT key_id FROM unsubscribed_keys WHERE key_id = ${keyId}`),
        unsubscribe: (keyId, at) =>
          exists(sql`
            INSERT INTO unsubscribed_keys (key_id, created_at) VALUES (${keyId}, ${at})
            ON CONFLICT (key_id) DO NOTHING RETURNING key_id`),
        subscribe: (keyId) => exists(sql`DELETE FROM unsubscribed_keys WHERE key_id = ${keyId} RETURNING key_id`),
        addLink: (hash, keyId, at) =>
          execute(sql`INSERT INTO unsubscribe_links (hash, key_id, created_at) VALUES (${hash}, ${keyId}, ${at})`),
        findByLink: (hash) => findValue(KeyId, sql`SELECT key_id FROM unsubscribe_links WHERE hash = ${hash}`)
      })
    })
  )
}
