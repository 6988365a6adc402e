import { Context, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { KeyId } from "../KeyStatus.ts"
import { execute, findFirst, nullable, toRow } from "../database/Statements.ts"

/**
 * A link that reveals a secret of a key. Each attempt to send it creates another token, because tokens are stored only
 * as SHA-256 hashes. Times are milliseconds UTC.
 */
export const RevealLink = Schema.Struct({
  id: Schema.String,
  keyId: KeyId,
  /** `confirm` makes a new key usable; `replace` gives a confirmed key a new secret, and changes no state. */
  purpose: Schema.Literals(["confirm", "replace"]),
  createdAt: Schema.Int,
  expiresAt: Schema.Int,
  /** The time when a newer link replaced it. */
  voidedAt: nullable(Schema.Int),
  /** The time when a secret that it revealed was first used. */
  usedAt: nullable(Schema.Int)
})
export type RevealLink = typeof RevealLink.Type

/** Stores reveal links and the hashes of their tokens. */
export class RevealLinks extends Context.Service<
  RevealLinks,
  {
    readonly insert: (link: RevealLink) => Effect.Effect<void>
    /** Voids all links of a key that are not void yet. */
    readonly voidAllOf: (keyId: KeyId, at: number) => Effect.Effect<void>
    /** Records that a secret of the link was used. */
    readonly markUsed: (linkId: string, at: number) => Effect.Effect<void>
    /** Adds a token to a link, which now expires at `expiresAt`. */
    readonly addToken: (tokenHash: string, linkId: string, expiresAt: number) => Effect.Effect<void>
    readonly findByToken: (tokenHash: string) => Effect.Effect<Option.Option<RevealLink>>
  }
>()("outreach-forecast/keys/RevealLinks") {
  /** Reveal links in the table `reveal_links`, the hashes of their tokens in `reveal_tokens`. */
  static readonly layer = Layer.effect(
    RevealLinks,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      return RevealLinks.of({
        insert: (link) => execute(sql`INSERT INTO reveal_links ${sql.insert(toRow(link))}`),
        voidAllOf: (keyId, at) =>
          execute(sql`UPDATE reveal_links SET voided_at = ${at} WHERE key_id = ${keyId} AND voided_at IS NULL`),
        markUsed: (linkId, at) => execute(sql`UPDATE reveal_links SET used_at = ${at} WHERE id = ${linkId}`),
        addToken: (tokenHash, linkId, expiresAt) =>
          Effect.andThen(
            execute(sql`INSERT INTO reveal_tokens (hash, link_id) VALUES (${tokenHash}, ${linkId})`),
            execute(sql`UPDATE reveal_links SET expires_at = ${expiresAt} WHERE id = ${linkId}`)
          ),
        findByToken: (tokenHash) =>
          findFirst(
            RevealLink,
            sql`SELECT l.* FROM reveal_tokens t JOIN reveal_links l ON l.id = t.link_id WHERE t.hash = ${tokenHash}`
          )
      })
    })
  )
}
