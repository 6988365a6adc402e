import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import type { Expiring } from "../database/Expiring.ts"
import { orDefect } from "../database/Failures.ts"
import { KeyId } from "../KeyId.ts"
import { UnsubscribeStore } from "./UnsubscribeStore.ts"

/** Links work for a year after their mail was sent. */
export const expiring: Expiring = {
  table: "unsubscribe_links",
  id: "hash",
  column: "created_at",
  lifetime: 365 * 86_400_000
}

/** The keys in the table `unsubscribed_keys`, the links in `unsubscribe_links`. */
export const layer = Layer.effect(
  UnsubscribeStore,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return UnsubscribeStore.of({
      isUnsubscribed: (keyId) =>
        orDefect(
          Effect.map(sql`SELECT key_id FROM unsubscribed_keys WHERE key_id = ${keyId}`, ({ length }) => length > 0)
        ),
      unsubscribe: (keyId, at) =>
        orDefect(
          Effect.map(
            sql`
              INSERT INTO unsubscribed_keys (key_id, created_at) VALUES (${keyId}, ${at})
              ON CONFLICT (key_id) DO NOTHING RETURNING key_id`,
            ({ length }) => length > 0
          )
        ),
      subscribe: (keyId) =>
        orDefect(
          Effect.map(
            sql`DELETE FROM unsubscribed_keys WHERE key_id = ${keyId} RETURNING key_id`,
            ({ length }) => length > 0
          )
        ),
      addLink: (hash, keyId, at) =>
        orDefect(
          Effect.asVoid(sql`INSERT INTO unsubscribe_links (hash, key_id, created_at) VALUES (${hash}, ${keyId}, ${at})`)
        ),
      findByLink: (hash) =>
        orDefect(
          Effect.map(
            sql<{ readonly key_id: string }>`SELECT key_id FROM unsubscribe_links WHERE hash = ${hash}`,
            ([row]) => Option.map(Option.fromUndefinedOr(row), ({ key_id }) => KeyId.make(key_id))
          )
        )
    })
  })
)
