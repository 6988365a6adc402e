import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { KeyId } from "../../src/KeyStatus.ts"
import { type RevealLink, RevealLinks } from "../../src/keys/RevealLinks.ts"
import { stores } from "../support/Application.ts"
import { insertKey } from "../support/StoredKeys.ts"

const linkOf = (id: string, changes: Partial<RevealLink> = {}): RevealLink => ({
  id,
  keyId: KeyId.make("key_ada"),
  purpose: "confirm",
  createdAt: 1_800_000_000_000,
  expiresAt: 1_800_000_100_000,
  voidedAt: undefined,
  usedAt: undefined,
  ...changes
})

for (const [name, store] of Object.entries(stores)) {
  describe(`RevealLinks in ${name}`, () => {
    it.effect("finds a link by each of its tokens, and expires it with the newest of them", () =>
      Effect.gen(function* () {
        const links = yield* RevealLinks
        yield* insertKey("ada")
        const link = linkOf("one")
        yield* links.insert(link)
        assert.deepStrictEqual(yield* links.findByToken("first"), Option.none())
        yield* links.addToken("first", "one", link.expiresAt + 1)
        yield* links.addToken("second", "one", link.expiresAt + 2)
        const found = Option.some({ ...link, expiresAt: link.expiresAt + 2 })
        assert.deepStrictEqual(yield* links.findByToken("first"), found)
        assert.deepStrictEqual(yield* links.findByToken("second"), found)
        assert.deepStrictEqual(yield* links.findByToken("one"), Option.none())
      }).pipe(Effect.provide(store))
    )

    it.effect("voids the links of one key, each once, and records when a secret was used", () =>
      Effect.gen(function* () {
        const links = yield* RevealLinks
        yield* insertKey("ada")
        yield* insertKey("bob")
        const others = linkOf("others", { keyId: KeyId.make("key_bob"), purpose: "replace" })
        for (const link of [linkOf("old", { voidedAt: 5 }), linkOf("new"), others]) {
          yield* links.insert(link)
          yield* links.addToken(`token of ${link.id}`, link.id, link.expiresAt)
        }
        yield* links.voidAllOf(KeyId.make("key_ada"), 9)
        yield* links.markUsed("new", 7)
        assert.deepStrictEqual(yield* links.findByToken("token of old"), Option.some(linkOf("old", { voidedAt: 5 })))
        assert.deepStrictEqual(
          yield* links.findByToken("token of new"),
          Option.some(linkOf("new", { voidedAt: 9, usedAt: 7 }))
        )
        assert.deepStrictEqual(yield* links.findByToken("token of others"), Option.some(others))
      }).pipe(Effect.provide(store))
    )
  })
}
