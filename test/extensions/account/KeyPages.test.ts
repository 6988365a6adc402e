import { assert, describe, it } from "@effect/vitest"
import { recentMonths, usageDrawing } from "../../../src/extensions/account/KeyPages.ts"

describe("the chart of a key's usage", () => {
  it("has every month from the first forecast to the current one, at most 12", () => {
    const of = (...months: ReadonlyArray<string>) =>
      recentMonths(
        months.map((month) => ({ month, requests: 5 })),
        "2027-01"
      ).map(({ month, requests }) => `${month} ${requests}`)
    assert.deepStrictEqual(of(), ["2027-01 0"])
    assert.deepStrictEqual(of("2027-01", "2026-11"), ["2027-01 5", "2026-12 0", "2026-11 5"])
    const year = of("2026-12", "2025-03")
    assert.deepStrictEqual([year.length, year[1], year.at(-1)], [12, "2026-12 5", "2026-02 0"])
  })

  it("is linear from 0, and says the same in words", () => {
    const { text } = usageDrawing([
      { month: "2027-01", requests: 2000 },
      { month: "2026-12", requests: 1000 },
      { month: "2026-11", requests: 0 }
    ])
    assert.include(text, 'aria-label="Forecasts by month. Jan 2027: 2,000, Dec 2026: 1,000, Nov 2026: 0"')
    const widths = [...text.matchAll(/width="([\d.]+)" height="20"/g)].map(([, width]) => Number(width))
    assert.deepStrictEqual(widths, [150, 75, 0])
  })
})
