import { assert, describe, it } from "@effect/vitest"
import { Option } from "effect"
import { parseHolidays } from "../../src/settings/Ordering.ts"

describe("parseHolidays", () => {
  it("accepts only dates that exist", () => {
    assert.deepStrictEqual(
      [...Option.getOrThrow(parseHolidays("2026-12-25, 2027-01-01"))],
      ["2026-12-25", "2027-01-01"]
    )
    for (const text of ["2026-02-29", "2026-13-01", "25.12.2026", "2026-12-25,", "", "2026-12-25T00:00:00Z"]) {
      assert.isTrue(Option.isNone(parseHolidays(text)), text)
    }
  })
})
