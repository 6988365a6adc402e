import { assert, describe, it } from "@effect/vitest"
import { aliases, Assumptions } from "../../src/forecast/Assumptions.ts"
import { unknownFieldAdvice } from "../../src/forecast/UnknownFields.ts"

describe("unknownFieldAdvice", () => {
  it("has nothing to say of a field that there is", () => {
    for (const name of [...Object.keys(Assumptions.fields), ...aliases.keys()]) {
      assert.isUndefined(unknownFieldAdvice(name), name)
    }
  })

  it("names no field that there is not", () => {
    const names = [
      "bounce_rate",
      "contacts",
      "followUps",
      "deal-size",
      "cost_per_email",
      "meeting_rate",
      "no_show_rate"
    ]
    for (const name of names) {
      const [field = ""] = /\b[a-z]+(?:_[a-z]+)+\b/.exec(unknownFieldAdvice(name) ?? "") ?? []
      assert.property(Assumptions.fields, field, name)
    }
  })
})
