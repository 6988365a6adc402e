import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { any, type Expiring, first, run } from "../database/Rows.ts"
import type { KeyId } from "../KeyId.ts"
import { UnsubscribeStore } from "./UnsubscribeStore.ts"
import { dayLength } from "../text/Times.ts"

/** Links work for a year after their email was sent. */
export const expiring: Expiring = {
  table: "unsubscribe_links",
  id: "hash",
  column: "created_at",
  lifetime: 365 * dayLength
}

/** The keys in the table `unsubscribed_keys`, the links in `unsubscribe_links`. */
export const layer = Layer.effect(
  UnsubscribeStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return UnsubscribeStore.of({
      isUnsubscribed: (keyId) => any(sql`SELECT key_id FROM unsubscribed_keys WHERE key_id = ${keyId}`),
      unsubscribe: (keyId, at) =>
        any(sql`
          INSERT INTO unsubscribed_keys (key_id, created_at) VALUES (${keyId}, ${at})
          ON CONFLICT (key_id) DO NOTHING RETURNING key_id`),
      subscribe: (keyId) => any(sql`DELETE FROM unsubscribed_keys WHERE key_id = ${keyId} RETURNING key_id`),
      addLink: (hash, keyId, at) =>
        run(sql`INSERT INTO unsubscribe_links (hash, key_id, created_at) VALUES (${hash}, ${keyId}, ${at})`),
      findByLink: (hash) =>
        first(
          sql<{ readonly keyId: KeyId }>`SELECT key_id FROM unsubscribe_links WHERE hash = ${hash}`,
          ({ keyId }) => keyId
        )
    })
  })
)
