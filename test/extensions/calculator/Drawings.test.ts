import { assert, describe, it } from "@effect/vitest"
import { calculate } from "../../../src/extensions/calculator/Calculation.ts"
import { distributionDrawing } from "../../../src/extensions/calculator/drawings/DistributionDrawing.ts"
import { funnelDrawing, funnelLegend } from "../../../src/extensions/calculator/drawings/FunnelDrawing.ts"
import { leverDrawing } from "../../../src/extensions/calculator/drawings/LeverDrawing.ts"
import { readForm } from "../../../src/extensions/calculator/readForm.ts"
import { viewsOf } from "../../../src/extensions/calculator/Views.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import type { FormValues } from "../../../src/site/form.ts"

const calculation = (values: FormValues = {}) => {
  const { errors, input } = readForm({ ...sampleValues, ...values })
  if (input === undefined) throw new Error(JSON.stringify(errors))
  return calculate(input, computeProgress)
}

const allCertain = { reply_rate: "100", positive_reply_rate: "100", meeting_booking_rate: "100", close_rate: "100" }

/** A number among the attributes of each element of a kind. */
const attributes = (svg: string, kind: string, name: string): ReadonlyArray<number> =>
  [...svg.matchAll(new RegExp(`<(?:rect|line) class="${kind}"[^>]* ${name}="(-?[\\d.]+)%?"`, "g"))].map(([, value]) =>
    Number(value)
  )

const describedBy = (svg: string): string => /aria-label="([^"]*)"/.exec(svg)?.[1] ?? ""

/** Every number that positions something. */
const places = (svg: string): ReadonlyArray<string> =>
  [...svg.matchAll(/ (?:x|y|x1|x2|y1|y2|width|height)="([^"]*)"/g)].map(([, value = ""]) => value)

/** The texts of a drawing's points. */
const pointsOf = (svg: string): ReadonlyArray<string> =>
  [...svg.matchAll(/<g class="point" role="img" tabindex="-?\d" aria-label="([^"]*)"/g)].map(([, says = ""]) => says)

const rounded = (place: number): number => Math.round(place * 100) / 100

describe("the funnel", () => {
  it("draws each count as a bar on the logarithmic scale that its grid lines show", () => {
    const { stages } = calculation()
    const svg = funnelDrawing(stages).text
    const at = (count: number) => Math.round((Math.log1p(count) / Math.log1p(5000)) * 1e4) / 100
    assert.deepStrictEqual(attributes(svg, "outside", "width"), [5000, 250, 75, 15, 3.75].map(at))
    assert.deepStrictEqual(attributes(svg, "grid", "x1"), [0, 1, 10, 100, 1000].map(at))
    // The range with varying rates.
    const spans = (kind: string) => {
      const widths = attributes(svg, kind, "width")
      return attributes(svg, kind, "x").map((x, index) => [x, rounded(x + (widths[index] ?? 0))])
    }
    const ranges = spans("gain")
    for (const [index, [low, high]] of [
      [77, 466],
      [22, 141],
      [4, 29],
      [0, 8]
    ].entries()) {
      assert.closeTo(ranges[index]?.[0] ?? -1, at(low ?? 0), 0.01)
      assert.closeTo(ranges[index]?.[1] ?? -1, at(high ?? 0), 0.02)
    }
    const labels = [...svg.matchAll(/<text class="tick" x="([\d.]+)%"[^>]*>([^<]*)</g)].map(([, x, text]) => [
      Number(x),
      text
    ])
    assert.deepStrictEqual(labels, [
      [0, "0"],
      [at(1), "1"],
      [at(10), "10"],
      [at(100), "100"],
      [at(1000), "1,000"]
    ])
    assert.deepStrictEqual(pointsOf(svg), [
      "Emails sent: 5,000",
      "Replies: 77 to 466 in 80 of 100; 250 on average",
      "Positive replies: 22 to 141 in 81 of 100; 75 on average",
      "Meetings booked: 4 to 29 in 82 of 100; 15 on average",
      "Clients: 0 to 8 in 92 of 100; 3.75 on average"
    ])
  })

  it("says that its ranges are of exact rates if every rate is exact", () => {
    const legendOf = (spread: string) => funnelLegend(calculation({ spread }).forecast.outlook).text
    assert.include(legendOf("none"), "range, rates exactly as given")
    assert.notInclude(legendOf("published"), "exactly")
  })

  it("has the stages of optional rates, and the expected counts if rates were learned", () => {
    const { forecast, stages } = calculation({ delivery_rate: "95", show_rate: "80", history: "3000....5.4.1" })
    const svg = funnelDrawing(stages).text
    const said = pointsOf(svg)
    assert.deepStrictEqual(said[1], "Delivered: 4,750; 95% of emails")
    assert.match(said[2] ?? "", /^Replies: .*; 238 on average/)
    assert.match(said[5] ?? "", /^Meetings held: 11\.4; /)
    assert.strictEqual(forecast.outlook.rates.close_rate.basis, "history")
    assert.include(svg, ">25% of held meetings<")
    assert.include(said[6], `${forecast.outlook.clients.expected.toFixed(2)} on average`)
  })
})

it("never shows more meetings held than booked, whatever was learned", () => {
  const { stages } = calculation({ delivery_rate: "95", show_rate: "80", history: "100.80.3" })
  const counts = stages.map(({ count }) => count)
  assert.deepStrictEqual(
    counts,
    counts.toSorted((a, b) => b - a)
  )
})

describe("the distribution", () => {
  it("has a bar for each number of clients, as high as its chance, and marks break-even and the range", () => {
    const drawn = calculation({ campaign_cost: "5000" })
    const { distribution } = drawn
    const svg = distributionDrawing(drawn).text
    const bars = (kind: string) => attributes(svg, kind, "height")
    // 9 and more clients are outside the range of 0 to 8, and 0 and 1 do not cover 5,000.
    const heights = [...bars("loss"), ...bars("gain"), ...bars("outside")]
    assert.deepStrictEqual([bars("loss").length, bars("gain").length, bars("outside").length], [2, 7, 4])
    const [mode = 0] = heights.toSorted((a, b) => b - a)
    const likeliest = Math.max(...distribution.map(({ chance }) => chance))
    for (const [index, { chance }] of distribution.entries()) {
      assert.closeTo((heights[index] ?? 0) / mode, chance / likeliest, 0.02, String(index))
    }
    // The numbers are under the bars: clients, and in how many of 100.
    const under = (kind: string) =>
      [...svg.matchAll(new RegExp(`<text class="${kind} small"[^>]*>([^<]*)<`, "g"))].map(([, text]) => text)
    assert.deepStrictEqual(under("strong"), [...Array.from({ length: 12 }, (_, count) => String(count)), "12+"])
    assert.deepStrictEqual(under("soft"), ["10", "15", "16", "14", "12", "9", "7", "5", "4", "3", "2", "1", "2"])
    assert.deepStrictEqual(attributes(svg, "threshold", "x1"), [rounded((2 / 13) * 100)])
    assert.include(svg, ">break-even: 2 clients<")
    // The strip below is the range: 0 to 8 of 0 to 12 clients.
    assert.deepStrictEqual(attributes(svg, "strip gain", "x"), [0])
    assert.deepStrictEqual(attributes(svg, "strip gain", "width"), [rounded((9 / 13) * 100)])
    // The yellow dot marks the expected number.
    assert.include(svg, `<circle class="dot" cx="${rounded(((3.75 + 0.5) / 13) * 100)}%"`)
    assert.strictEqual(
      describedBy(svg),
      "How many clients such campaigns bring. 0 to 8 clients in 92 of 100 campaigns. " +
        "Break-even: 2 clients. Average: 3.75"
    )
  })

  it("describes each bar by its chance and its profit, and takes one Tab stop", () => {
    const svg = distributionDrawing(calculation()).text
    const said = pointsOf(svg)
    assert.strictEqual(said[0], "0 clients: 10 of 100; profit −600")
    assert.strictEqual(said[3], "3 clients: 14 of 100; profit 6,900")
    assert.strictEqual(said[12], "12 or more clients: 2 of 100; profit 29.4K or more")
    const stops = [...svg.matchAll(/class="point" role="img" tabindex="(-?\d)"/g)].map(([, stop]) => stop)
    // At the median.
    assert.deepStrictEqual(
      stops,
      said.map((_, index) => (index === 3 ? "0" : "-1"))
    )
    assert.strictEqual(
      pointsOf(distributionDrawing(calculation({ average_deal_value: "", spread: "none" })).text)[2],
      "2 clients: 17 of 100"
    )
  })

  it("groups clients into bars that leave room for their numbers on a phone", () => {
    for (const emails of ["50", "20000", "300000", "4000000", "100000000"]) {
      const drawn = calculation({ emails_sent: emails })
      assert.isAtMost(drawn.distribution.length, 14)
      const names = [
        ...distributionDrawing(drawn).text.matchAll(/<text class="strong small(?: narrow-only)?"[^>]*>([^<]+)</g)
      ].map(([, text]) => text)
      assert.isAtLeast(names.length, 2, emails)
      // 7 pixels for a letter, in the 290 that a drawing has on a phone.
      const letters = Math.max(...names.map((name = "") => name.length))
      assert.isAtMost(letters * 7 * names.length, 330, names.join(" "))
    }
  })
})

describe("the levers", () => {
  it("show the profit at both ends of each lever, the widest first", () => {
    const svg = leverDrawing(calculation()).text
    assert.strictEqual(describedBy(svg), "Average profit if one input alone is changed. As it is: 8,780")
    assert.deepStrictEqual(pointsOf(svg).slice(0, 2), [
      "Meeting booking rate at 20%: 8,780; at 80%: 36,900",
      "Positive reply rate at 7%: 1,590; at 60%: 18,200"
    ])
    const widths = attributes(svg, "gain", "width").map(
      (width, row) => width + (attributes(svg, "loss", "width")[row] ?? 0)
    )
    assert.deepStrictEqual(
      widths,
      widths.toSorted((a, b) => b - a)
    )
    // From 0 to 40,000.
    assert.deepStrictEqual(attributes(svg, "threshold", "x1"), [21.94])
  })

  it("have a label at each end that overlaps neither its bar nor the other label on a phone", () => {
    const campaigns: ReadonlyArray<FormValues> = [
      {},
      { campaign_cost: "12000" },
      { average_deal_value: "" },
      { average_deal_value: "9999999", campaign_cost: "1000000" }
    ]
    for (const values of campaigns) {
      const shown = calculation(values)
      const texts = [
        ...leverDrawing(shown).text.matchAll(
          /<text class="end over( name)?" x="([\d.]+)%" y="(\d+)" text-anchor="(start|end)">([^<]*)</g
        )
      ].map(([, name, x, y, anchor, text = ""]) => {
        const width = (text.length * 800) / 290
        const shift = name === undefined ? 0 : 500 / 290
        const from = shift + (anchor === "start" ? Number(x) : Number(x) - width)
        return { row: y, from, to: from + width }
      })
      assert.lengthOf(texts, 2 * shown.levers.levers.length)
      for (const [index, { from, row, to }] of texts.entries()) {
        assert.isAtLeast(from, -0.01)
        assert.isAtMost(to, 100.01)
        const next = texts[index + 1]
        if (next !== undefined && next.row === row) assert.isAtMost(to, next.from, JSON.stringify({ values, row }))
      }
    }
  })

  it("include only inputs that can be changed, and label as many axis values as fit on a phone", () => {
    assert.notInclude(
      calculation({ emails_sent: "1" }).levers.levers.map(({ name }) => name),
      "emails_sent"
    )
    const large = calculation({
      emails_sent: "100000000",
      ...allCertain,
      average_deal_value: "1000000000",
      campaign_cost: "1000000000"
    })
    const named = [...leverDrawing(large).text.matchAll(/class="tick" x="([\d.]+)%"[^>]*>([^<]*T|0)</g)]
    assert.deepStrictEqual(
      named.map(([, , text]) => text),
      ["0", "40,000T", "80,000T", "120,000T"]
    )
  })
})

it("draws only numbers, whatever is calculated", () => {
  const campaigns: ReadonlyArray<FormValues> = [
    { emails_sent: "1" },
    {
      emails_sent: "100000000",
      ...allCertain
    },
    { close_rate: "0" },
    { reply_rate: "0", campaign_cost: "0" },
    { average_deal_value: "0" },
    { average_deal_value: "", campaign_cost: "" },
    { campaign_cost: "1000000000" },
    { show_rate: "0", delivery_rate: "0", emails_per_contact: "20" },
    { close_rate: "0" },
    { close_rate: "100", history: "100000000..0" },
    { reply_rate: "0.0000000001", b_emails_sent: "1" },
    { goal: "100000000", goal_chance: "99.9", b_average_deal_value: "0" }
  ]
  for (const values of campaigns) {
    const views = viewsOf(calculation(values), { baseUrl: "https://forecast.example", hasDemoKey: false })
    const markup = Object.entries(views)
      .map(([name, { text }]) => (name.startsWith("code-") ? "" : text))
      .join("")
    assert.notMatch(markup, /NaN|Infinity|undefined|null|\[object/, JSON.stringify(values))
    for (const place of places(markup)) assert.match(place, /^-?[\d.]+%?$/, JSON.stringify(values))
  }
})
