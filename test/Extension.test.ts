import { assert, describe, it } from "@effect/vitest"
import { HttpApiGroup } from "effect/http-api"
import { inDocumentOrder } from "../src/Extension.ts"

describe("inDocumentOrder", () => {
  const [first, second, added] = [HttpApiGroup.make("first"), HttpApiGroup.make("second"), HttpApiGroup.make("added")]

  it("puts a group behind the one that it names", () => {
    assert.deepStrictEqual(
      inDocumentOrder([first, second], [{ after: "first", group: added }]).map(({ identifier }) => identifier),
      ["first", "added", "second"]
    )
  })

  it("does not compile with a name that no group has", () => {
    // @ts-expect-error: there is no such group.
    assert.lengthOf(inDocumentOrder([first, second], [{ after: "fist", group: added }]), 2)
  })
})
