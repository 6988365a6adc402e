import { Context, Effect, Layer, Option } from "effect"
import { MemoryTables } from "../database/MemoryTables.ts"
import type { KeyId } from "./KeyId.ts"

/**
 * A link that reveals a secret of a key. It has a token for each attempt to mail it, as none is stored: only the SHA-256
 * of a token is. Times are milliseconds UTC.
 */
export interface RevealLink {
  readonly id: string
  readonly keyId: KeyId
  /** `confirm` makes a new key usable; `replace` gives a usable key another secret. */
  readonly purpose: "confirm" | "replace"
  readonly createdAt: number
  readonly expiresAt: number
  /** Since when a newer link has taken its place. */
  readonly voidedAt: number | undefined
  /** Since when a secret that it revealed is in use. */
  readonly usedAt: number | undefined
}

/** Where reveal links and the hashes of their tokens are kept. */
export class RevealLinks extends Context.Service<
  RevealLinks,
  {
    readonly insert: (link: RevealLink) => Effect.Effect<void>
    /** Voids every link of a key that is not void yet. */
    readonly voidAllOf: (keyId: KeyId, at: number) => Effect.Effect<void>
    /** Notes that a secret of the link is in use. */
    readonly markUsed: (linkId: string, at: number) => Effect.Effect<void>
    /** Gives a link another token, and lets it live until `expiresAt`. */
    readonly addToken: (tokenHash: string, linkId: string, expiresAt: number) => Effect.Effect<void>
    readonly findByToken: (tokenHash: string) => Effect.Effect<Option.Option<RevealLink>>
  }
>()("outreach-forecast/keys/RevealLinks") {
  static readonly layerMemory = Layer.effect(
    RevealLinks,
    Effect.gen(function* () {
      const tables = yield* MemoryTables
      const links = tables.make<RevealLink>()
      const tokens = tables.make<string>()
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
