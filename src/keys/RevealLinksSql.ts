import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { first, fromRow, type Row, run, toRow } from "../database/Rows.ts"
import { type RevealLink, RevealLinks } from "./RevealLinks.ts"

/** Reveal links in the table `reveal_links`, the hashes of their tokens in `reveal_tokens`. */
export const layer = Layer.effect(
  RevealLinks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return RevealLinks.of({
      insert: (link) => run(sql`INSERT INTO reveal_links ${sql.insert(toRow(link))}`),
      voidAllOf: (keyId, at) =>
        run(sql`UPDATE reveal_links SET voided_at = ${at} WHERE key_id = ${keyId} AND voided_at IS NULL`),
      markUsed: (linkId, at) => run(sql`UPDATE reveal_links SET used_at = ${at} WHERE id = ${linkId}`),
      addToken: (tokenHash, linkId, expiresAt) =>
        Effect.andThen(
          run(sql`INSERT INTO reveal_tokens (hash, link_id) VALUES (${tokenHash}, ${linkId})`),
          run(sql`UPDATE reveal_links SET expires_at = ${expiresAt} WHERE id = ${linkId}`)
        ),
      findByToken: (tokenHash) =>
        first(
          sql<Row<RevealLink>>`
            SELECT l.* FROM reveal_tokens t JOIN reveal_links l ON l.id = t.link_id WHERE t.hash = ${tokenHash}`,
          fromRow<RevealLink>
        )
    })
  })
)
