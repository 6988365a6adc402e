import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { orDefect } from "../database/Failures.ts"
import { KeyId } from "../KeyId.ts"
import { type RevealLink, RevealLinks } from "./RevealLinks.ts"

interface Row {
  readonly id: string
  readonly key_id: string
  readonly purpose: RevealLink["purpose"]
  readonly created_at: number
  readonly expires_at: number
  readonly voided_at: number | null
  readonly used_at: number | null
}

/** Reveal links in the table `reveal_links`, the hashes of their tokens in `reveal_tokens`. */
export const layer = Layer.effect(
  RevealLinks,
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    return RevealLinks.of({
      insert: ({ createdAt, expiresAt, id, keyId, purpose, usedAt, voidedAt }) =>
        orDefect(
          Effect.asVoid(sql`
            INSERT INTO reveal_links (id, key_id, purpose, created_at, expires_at, voided_at, used_at)
            VALUES (${id}, ${keyId}, ${purpose}, ${createdAt}, ${expiresAt}, ${voidedAt ?? null},
              ${usedAt ?? null})`)
        ),
      voidAllOf: (keyId, at) =>
        orDefect(
          Effect.asVoid(sql`UPDATE reveal_links SET voided_at = ${at} WHERE key_id = ${keyId} AND voided_at IS NULL`)
        ),
      markUsed: (linkId, at) =>
        orDefect(Effect.asVoid(sql`UPDATE reveal_links SET used_at = ${at} WHERE id = ${linkId}`)),
      addToken: (tokenHash, linkId, expiresAt) =>
        Effect.andThen(
          orDefect(Effect.asVoid(sql`INSERT INTO reveal_tokens (hash, link_id) VALUES (${tokenHash}, ${linkId})`)),
          orDefect(Effect.asVoid(sql`UPDATE reveal_links SET expires_at = ${expiresAt} WHERE id = ${linkId}`))
        ),
      findByToken: (tokenHash) =>
        orDefect(
          Effect.map(
            sql<Row>`SELECT l.* FROM reveal_tokens t JOIN reveal_links l ON l.id = t.link_id WHERE t.hash = ${tokenHash}`,
            ([row]) =>
              row === undefined
                ? Option.none()
                : Option.some({
                    id: row.id,
                    keyId: KeyId.make(row.key_id),
                    purpose: row.purpose,
                    createdAt: row.created_at,
                    expiresAt: row.expires_at,
                    voidedAt: row.voided_at ?? undefined,
                    usedAt: row.used_at ?? undefined
                  })
          )
        )
    })
  })
)
