import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { KeyId } from "../KeyId.ts"

/**
 * A link that reveals a secret of a key. Each attempt to send it creates another token, because tokens are stored only
 * as SHA-256 hashes. Times are milliseconds UTC.
 */
export interface RevealLink {
  readonly id: string
  readonly keyId: KeyId
  /** `confirm` makes a new key usable; `replace` gives a usable key a new secret. */
  readonly purpose: "confirm" | "replace"
  readonly createdAt: number
  readonly expiresAt: number
  /** The time when a newer link replaced it. */
  readonly voidedAt: number | undefined
  /** The time when a secret that it revealed was first used. */
  readonly usedAt: number | undefined
}

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
  static readonly layerMemory = Layer.effect(
    RevealLinks,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const links = tables.table<RevealLink>("reveal_links")
      const tokens = tables.table<string>("reveal_tokens")
      const change = (id: string, fields: Partial<RevealLink>) =>
        Effect.sync(() => {
          const link = links.get(id)
          if (link !== undefined) links.set(id, { ...link, ...fields })
        })
      return RevealLinks.of({
        insert: (link) => Effect.sync(() => links.set(link.id, link)),
        voidAllOf: (keyId, at) =>
          Effect.sync(() => {
            for (const link of links.values()) {
              if (link.keyId === keyId && link.voidedAt === undefined) links.set(link.id, { ...link, voidedAt: at })
            }
          }),
        markUsed: (linkId, at) => change(linkId, { usedAt: at }),
        addToken: (tokenHash, linkId, expiresAt) =>
          Effect.andThen(
            Effect.sync(() => tokens.set(tokenHash, linkId)),
            change(linkId, { expiresAt })
          ),
        findByToken: (tokenHash) => Effect.sync(() => Option.fromUndefinedOr(links.get(tokens.get(tokenHash) ?? "")))
      })
    })
  )
}
