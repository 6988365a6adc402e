import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rangeBar } from "../../src/cli/Bars.ts"
import { forecastTable } from "../../src/cli/ForecastTable.ts"
import { grid, shorten, widthOf, wrap } from "../../src/cli/Layout.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { assertGolden } from "../support/Golden.ts"
import { decodeText, sample } from "../support/Samples.ts"

const campaigns = {
  sample,
  "500-emails": { ...sample, emails_sent: 500 },
  evidence: {
    ...sample,
    delivery_rate: 95,
    show_rate: 80,
    emails_per_contact: 3,
    evidence: { reply_rate: { observed: 31, out_of: 800 }, close_rate: { observed: 1, out_of: 3 } }
  },
  "no-client": { ...sample, close_rate: 0, average_deal_value: undefined },
  huge: { ...sample, emails_sent: 100_000_000, average_deal_value: 1_000_000_000, campaign_cost: 0 }
}

const shown = Effect.fnUntraced(function* (campaign: object, width: number) {
  const assumptions = yield* decodeText(JSON.stringify(campaign))
  return forecastTable(assumptions, computeForecast(assumptions).forecast, width)
})

describe("the table of a forecast", () => {
  for (const [name, campaign] of Object.entries(campaigns)) {
    for (const width of [80, 60]) {
      it.effect(`reads well: ${name} at ${width} columns`, () =>
        Effect.gen(function* () {
          const text = yield* shown(campaign, width)
          assertGolden(`cli/golden/forecast-${name}-${width}.txt`, text)
          for (const line of text.split("\n")) assert.isAtMost(widthOf(line), width, line)
        })
      )
    }
  }

  it.effect("leaves out what there is no room for, and never a count or a range", () =>
    Effect.gen(function* () {
      const text = yield* shown(campaigns.evidence, 40)
      for (const line of text.split("\n")) assert.isAtMost(widthOf(line), 40, line)
      assert.match(text, /Clients +2\.54 +0–6/)
      assert.notInclude(text, "as given  expected")
    })
  )
})

describe("the bar of a range", () => {
  it("is linear from 0 to its end, with the expected number in its place", () => {
    assert.strictEqual(rangeBar({ low: 4, high: 8, expected: 6 }, 9), "····██◆██")
    assert.strictEqual(rangeBar({ low: 0, high: 1, expected: 0.5 }, 9), "████◆████")
    assert.strictEqual(rangeBar({ low: 0, high: 0, expected: 0.1 }, 9), "█·······◆")
    assert.strictEqual(rangeBar({ low: 5, high: 5, expected: 5 }, 9), "········◆")
    assert.strictEqual(rangeBar({ low: 0, high: 0, expected: 0 }, 9), "")
  })
})

describe("the layout", () => {
  it("breaks lines between words, and keeps a number beside what it counts", () => {
    assert.deepStrictEqual(wrap("of 100: 2 clients", 11, "- "), ["- of 100:", "  2 clients"])
    assert.deepStrictEqual(wrap("unbreakable", 5), ["  unbreakable"])
  })

  it("counts columns as a terminal does", () => {
    assert.strictEqual(widthOf("漢字 e\u0301"), 6)
    assert.strictEqual(shorten("漢字漢字", 6), "漢字…")
    assert.deepStrictEqual(
      grid(
        [
          { title: "n", align: "left", cells: ["漢", "ab"] },
          { title: "x", align: "right", cells: ["1", "22"] }
        ],
        80
      ),
      ["  n    x", "  漢   1", "  ab  22"]
    )
  })
})
