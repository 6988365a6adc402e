import { assert, describe, it } from "@effect/vitest"
import { calculate } from "../../src/calculator/Calculation.ts"
import { distributionDrawing } from "../../src/calculator/drawings/DistributionDrawing.ts"
import { funnelDrawing } from "../../src/calculator/drawings/FunnelDrawing.ts"
import { leverDrawing } from "../../src/calculator/drawings/LeverDrawing.ts"
import { exampleValues, type FormValues, readForm } from "../../src/calculator/readForm.ts"
import { stagesOf } from "../../src/calculator/Stages.ts"
import { viewsOf } from "../../src/calculator/Views.ts"

const calculation = (values: FormValues = {}) => {
  const { errors, input } = readForm({ ...exampleValues, ...values })
  if (input === undefined) throw new Error(JSON.stringify(errors))
  return calculate(input)
}

const allCertain = { reply_rate: "100", positive_reply_rate: "100", meeting_booking_rate: "100", close_rate: "100" }

/** A number among the attributes of each element of a kind. */
const attributes = (svg: string, kind: string, name: string): ReadonlyArray<number> =>
  [...svg.matchAll(new RegExp(`<(?:rect|line) class="${kind}"[^>]* ${name}="(-?[\\d.]+)%?"`, "g"))].map(([, value]) =>
    Number(value)
  )

const describedBy = (svg: string): string => /aria-label="([^"]*)"/.exec(svg)?.[1] ?? ""

/** Every number that places something. */
const places = (svg: string): ReadonlyArray<string> =>
  [...svg.matchAll(/ (?:x|y|x1|x2|y1|y2|width|height)="([^"]*)"/g)].map(([, value = ""]) => value)

describe("the funnel", () => {
  it("has each count as a bar on the logarithmic scale that its lines are labelled with", () => {
    const { forecast, input } = calculation()
    const svg = funnelDrawing(stagesOf(input.first.assumptions, forecast)).text
    const at = (count: number) => Math.round((Math.log1p(count) / Math.log1p(5000)) * 1e4) / 100
    assert.deepStrictEqual(attributes(svg, "bar", "width"), [5000, 250, 75, 15, 3.75].map(at))
    assert.deepStrictEqual(attributes(svg, "grid", "x1"), [0, 1, 10, 100, 1000].map(at))
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
    assert.strictEqual(
      describedBy(svg),
      "Funnel on a logarithmic scale. Emails sent: 5,000. Replies: 250, 77 to 466 in 80 of 100. Positive replies: 75, " +
        "22 to 141 in 81 of 100. Meetings booked: 15, 4 to 29 in 82 of 100. Clients: 3.75, 0 to 8 in 92 of 100."
    )
  })

  it("has the stages of optional rates, and what is expected where rates were measured", () => {
    const { forecast, input } = calculation({
      delivery_rate: "95",
      show_rate: "80",
      close_rate_observed: "1",
      close_rate_out_of: "3"
    })
    const svg = funnelDrawing(stagesOf(input.first.assumptions, forecast)).text
    assert.include(describedBy(svg), "Delivered: 4,750. Replies: 237.5")
    assert.include(describedBy(svg), "Meetings held: 11.4. ")
    assert.include(svg, "assumed 25 % of held meetings")
    assert.include(describedBy(svg), `Clients: ${forecast.outlook.clients.expected.toFixed(2)}`)
  })
})

it("has no more meetings held than booked, whatever the rates were measured on", () => {
  const { forecast, input } = calculation({
    delivery_rate: "95",
    delivery_rate_observed: "80",
    delivery_rate_out_of: "100",
    show_rate: "80",
    reply_rate_observed: "31",
    reply_rate_out_of: "800"
  })
  const stages = stagesOf(input.first.assumptions, forecast)
  const counts = stages.map(({ count }) => count)
  assert.deepStrictEqual(
    counts,
    counts.toSorted((a, b) => b - a)
  )
  // (1 + 80) / (100 / 95 + 100) of 5,000.
  assert.closeTo(counts[1] ?? 0, 4007.8, 0.1)
})

describe("the distribution", () => {
  it("has a bar for each number of clients, as high as it is likely, and marks what covers the cost and the range", () => {
    const { distribution, forecast } = calculation({ campaign_cost: "5000" })
    const svg = distributionDrawing(distribution, forecast.outlook).text
    const heights = [
      ...attributes(svg, "loss outside", "height"),
      ...attributes(svg, "loss", "height"),
      ...attributes(svg, "gain", "height"),
      ...attributes(svg, "gain outside", "height")
    ]
    assert.lengthOf(heights, 18)
    // 9 clients and more are outside of the range of 0 to 8, and 0 and 1 do not pay 5,000.
    assert.lengthOf(attributes(svg, "loss", "height"), 2)
    assert.lengthOf(attributes(svg, "gain", "height"), 7)
    assert.lengthOf(attributes(svg, "gain outside", "height"), 9)
    const [mode = 0] = heights.toSorted((a, b) => b - a)
    const likeliest = Math.max(...distribution.map(({ chance }) => chance))
    for (const [index, { chance }] of distribution.entries()) {
      assert.closeTo((heights[index] ?? 0) / mode, chance / likeliest, 0.02, String(index))
    }
    assert.deepStrictEqual(attributes(svg, "threshold", "x1"), [11.11])
    // The strip below is the range: 0 to 8 of 0 to 17 clients, and inside of it 1 to 6 by chance alone.
    assert.deepStrictEqual(attributes(svg, "strip gain", "x"), [0])
    assert.deepStrictEqual(attributes(svg, "strip gain", "width"), [50])
    assert.deepStrictEqual(attributes(svg, "strip alone", "x"), [5.56])
    assert.deepStrictEqual(attributes(svg, "strip alone", "width"), [33.33])
    assert.include(
      describedBy(svg),
      "0 to 8 clients in 92 of 100 campaigns. by chance alone 1 to 6. the cost is covered from 2 clients on. 0: 10 of 100, 1: 15 of 100"
    )
  })

  it("has what chance alone leaves of each bar inside of it, where a rate varies", () => {
    const { distribution, forecast } = calculation()
    const alone = distribution.map((bin) => bin.alone ?? 0)
    // Chance alone is the binomial of 5,000 emails and 0.075 %, which brings no client in 2 of 100.
    assert.closeTo(alone[0] ?? 0, (1 - 0.00075) ** 5000, 1e-9)
    assert.closeTo(alone[4] ?? 0, 0.1938, 1e-4)
    const svg = distributionDrawing(distribution, forecast.outlook).text
    const heights = [...attributes(svg, "alone deep", "height"), ...attributes(svg, "alone", "height")]
    const highest = Math.max(...alone)
    const most = Math.max(...heights)
    for (const [index, chance] of alone.entries()) {
      assert.closeTo((heights[index] ?? 0) / most, chance / highest, 0.02, String(index))
    }
    const certain = calculation({ spread: "none" })
    assert.isTrue(certain.distribution.every((bin) => bin.alone === undefined))
    assert.notInclude(distributionDrawing(certain.distribution, certain.forecast.outlook).text, "alone")
  })
})

describe("the levers", () => {
  it("have the profit at both ends of each, the widest first", () => {
    const { levers } = calculation()
    const svg = leverDrawing(levers).text
    assert.include(
      describedBy(svg),
      "as it is: 8,775. Meeting booking rate at 20 %: 8,775; at 80 %: 36,900. Reply rate at 1.05 %"
    )
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

  it("are only inputs that can be changed, and their axis names as many numbers as there is room for on a phone", () => {
    assert.notInclude(
      calculation({ emails_sent: "1" }).levers.levers.map(({ name }) => name),
      "emails_sent"
    )
    const { levers } = calculation({
      emails_sent: "100000000",
      ...allCertain,
      average_deal_value: "1000000000",
      campaign_cost: "1000000000"
    })
    const named = [...leverDrawing(levers).text.matchAll(/class="tick" x="([\d.]+)%"[^>]*>([^<]*T|0)</g)]
    assert.deepStrictEqual(
      named.map(([, , text]) => text),
      ["0", "40,000T", "80,000T", "120,000T"]
    )
  })
})

it("draws nothing that is no number, whatever is calculated", () => {
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
    { close_rate: "0", close_rate_observed: "0", close_rate_out_of: "0" },
    { close_rate: "100", reply_rate_observed: "0", reply_rate_out_of: "100000000" },
    { reply_rate: "0.0000000001", b_emails_sent: "1" },
    { goal: "100000000", goal_chance: "99.9", b_average_deal_value: "0" }
  ]
  for (const values of campaigns) {
    const views = viewsOf(calculation(values), { baseUrl: "https://forecast.example", hasDemoKey: false })
    const markup = Object.values(views)
      .map(({ text }) => text)
      .join("")
    assert.notMatch(markup, /NaN|Infinity|undefined|null|\[object/, JSON.stringify(values))
    for (const place of places(markup)) assert.match(place, /^-?[\d.]+%?$/, JSON.stringify(values))
  }
})
