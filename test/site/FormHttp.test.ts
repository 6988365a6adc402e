import { assert, describe, it } from "@effect/vitest"
import { suggestedAddress } from "../../src/site/FormHttp.ts"

describe("the address that was probably meant", () => {
  it("has the host of a large provider where one or two letters differ from it", () => {
    for (const [typed, meant] of [
      ["maya@gmial.com", "maya@gmail.com"],
      ["Maya.Ito+x@GMAIL.CO", "Maya.Ito+x@gmail.com"],
      ["maya@hotmial.com", "maya@hotmail.com"],
      ["maya@outlok.com", "maya@outlook.com"],
      ["maya@yaho.co.uk", "maya@yahoo.co.uk"]
    ] as const) {
      assert.strictEqual(suggestedAddress(typed), meant)
    }
  })

  it("is absent for a provider, a host that looks like one, any other host and an invalid address", () => {
    for (const typed of [
      "a@gmail.com",
      "a@GMail.com",
      "a@ymail.com",
      "a@yahoo.fr",
      "a@example.com",
      "@gmial.com",
      "gmial.com",
      ""
    ]) {
      assert.isUndefined(suggestedAddress(typed), typed)
    }
  })
})
