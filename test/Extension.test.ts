import { assert, describe, it } from "@effect/vitest"
import { HttpApiGroup } from "effect/http-api"
import { added, inDocumentOrder } from "../src/Extension.ts"

const after = <Name extends string>(identifier: Name, group: string) => ({
  after: identifier,
  group: HttpApiGroup.make(group)
})

describe("what extensions add", () => {
  const own = [HttpApiGroup.make("forecasts"), HttpApiGroup.make("keys"), HttpApiGroup.make("health")] as const

  it("is what those have that have it, in their order", () => {
    const extensions = [{ links: ["b"], hasHome: true }, {}, { links: ["a"] }]
    assert.deepStrictEqual(added(extensions, "links"), [["b"], ["a"]])
  })

  it("stands in the document behind the group that it names, the first or another, in their order", () => {
    const placed = [after("keys", "sub-keys"), after("forecasts", "lists"), after("forecasts", "goals")]
    assert.deepStrictEqual(
      inDocumentOrder(own, placed).map(({ identifier }) => identifier),
      ["forecasts", "lists", "goals", "keys", "sub-keys", "health"]
    )
  })

  it("does not compile behind a group that does not exist", () => {
    // @ts-expect-error: there is no such group.
    assert.lengthOf(inDocumentOrder(own, [after("key", "sub-keys")]), 3)
  })
})
