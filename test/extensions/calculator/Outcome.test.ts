import { about } from "../../../src/text/Figures.ts"
import { assert, describe, it } from "@effect/vitest"
import { calculate } from "../../../src/extensions/calculator/Calculation.ts"
import { openingValues } from "../../../src/extensions/calculator/Presets.ts"
import { readForm } from "../../../src/extensions/calculator/readForm.ts"
import { viewsOf } from "../../../src/extensions/calculator/Views.ts"
import { sampleValues } from "../support/sampleValues.ts"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import type { FormValues } from "../../../src/site/form.ts"

const shown = (values: FormValues) => {
  const { errors, input } = readForm({ ...sampleValues, ...values })
  if (input === undefined) throw new Error(JSON.stringify(errors))
  const calculation = calculate(input, computeProgress)
  return { ...calculation, views: viewsOf(calculation, { baseUrl: "https://forecast.example", hasDemoKey: false }) }
}

const campaigns: ReadonlyArray<readonly [string, FormValues]> = [
  ["the example", {}],
  ["rates as given", { spread: "none" }],
  ["past campaigns", { history: "3000..60.20.5..1_4000..30.9.2..0_2000..55.20.6..2" }]
]

describe.each(campaigns)("the result of %s", (_, values) => {
  it("has one basis: tiles, costs, levers and the comparison all use what the outlook expects", () => {
    const { forecast, levers, second, views } = shown({ ...values, b_close_rate: "20" })
    for (const side of [forecast, second?.forecast]) {
      if (side === undefined) throw new Error("There is no second campaign")
      const { clients, meetings, replies } = side.outlook
      assert.closeTo(side.estimated_profit ?? 0, clients.expected * 2500 - 600, 0.2)
      assert.closeTo(side.roi_multiple ?? 0, (clients.expected * 2500) / 600, 0.06)
      assert.closeTo((side.cost_per_client ?? 0) * clients.expected, 600, 1)
      assert.closeTo((side.cost_per_meeting ?? 0) * meetings.expected, 600, 1)
      assert.closeTo((side.cost_per_reply ?? 0) * replies.expected, 600, 1)
    }
    assert.strictEqual(levers.now, forecast.estimated_profit)
    const profit = about(forecast.estimated_profit ?? 0)
    assert.include(views.outcome.text, `Average profit</dt><dd><strong>${profit}<`)
    assert.include(views.comparison.text, `Average profit</th><td>${profit}<`)
    assert.include(views.funnel.text, `per client</dt><dd>${about(forecast.cost_per_client ?? 0)}<`)
    assert.include(views.spoken.text, `profit ${profit}`)
  })

  it("states one chance for the range of clients: the true one", () => {
    const { forecast, views } = shown(values)
    const { chance_within: within, high, low } = forecast.outlook.clients
    const often = `in ${Math.round(within * 100)} of 100`
    // The headline and the axis say the range; the tiles have averages.
    assert.include(views.outcome.text, `Expect ${low} to ${high} clients.`)
    assert.lengthOf(views.outcome.text.split(`${low} to ${high}`), 2)
    assert.include(views.distribution.text, `${low} to ${high} clients ${often} campaigns`)
    for (const { text } of Object.values(views)) assert.notMatch(text, /80 ?% (?:range|interval)/)
  })
})

describe("the line below the headline", () => {
  it("says which rates vary, and where to enter one's own", () => {
    const line = (values: FormValues) =>
      /<p class="hint">(.*?)<\/p>/.exec(shown(values).views.outcome.text)?.[1]?.replaceAll(/<[^>]*>/g, "")
    assert.deepStrictEqual(
      campaigns.map(([, values]) => line(values)),
      [
        "Your other rates vary too. Past campaigns show how much.",
        "At exactly these rates. Yours vary: past campaigns show how much.",
        "At the rates that your past campaigns show."
      ]
    )
  })
})

describe("the card about a test", () => {
  it("says how to test, and what each number of lists brings, unless there is nothing to learn", () => {
    const card = (values: FormValues) => shown(values).views["test-first-table"].text.replaceAll(/<[^>]*>/g, " ")
    const text = card({})
    assert.include(
      text,
      "Send 100 emails to each of 3 lists, wait for the replies and count them, positive ones twice. Then send the other 4,700 to the list with the highest count."
    )
    assert.match(text, /none\s+250\s+2 lists\s+150\s+320\s+× 1.28\s+3 lists\s+100\s+357\s+× 1.43\s+5 lists\s+100\s+401/)
    assert.deepStrictEqual([card({ spread: "none" }), card({ emails_sent: "999" })], ["", ""])
  })
})

describe("the costs", () => {
  it("have the range of the cost of a meeting, which has no end where there may be no meeting", () => {
    const range = (values: FormValues) => /per meeting<\/dt><dd>(.*?)<\/dd>/.exec(shown(values).views.funnel.text)?.[1]
    assert.deepStrictEqual([{}, { emails_sent: "400" }, { emails_sent: "10" }, { campaign_cost: "" }].map(range), [
      "40 <span>(20.70 to 150)</span>",
      "500 <span>(200 or more)</span>",
      "20,000",
      undefined
    ])
  })
})

describe("the words beside the rates", () => {
  it("say how ambitious the reply rate is, and how many emails bring a positive reply", () => {
    const words = (values: FormValues) => {
      const { views } = shown(values)
      return [views["reply-standing"].text, views["reply-learned"].text, views["positive-standing"].text]
    }
    assert.deepStrictEqual(words({ emails_sent: "499" }).slice(0, 2), ["more than 97 of 100", " of 500 emails or more"])
    assert.deepStrictEqual(words({}), ["more than 97 of 100", "", "· 150 of 10,000 emails"])
    assert.deepStrictEqual(words(openingValues), ["more than 50 of 100", "", "· 24 of 10,000 emails"])
    // A hint below a typed rate is about that rate, too.
    assert.deepStrictEqual(words({ ...openingValues, history: "3000..60.20.5..1_4000..130.9.2..0_2000..40.20.6..2" }), [
      "planned 1.71%: more than 50 of 100",
      "<br>your campaigns show 2.41%: more than 70 of 100",
      "· 24 of 10,000 emails as planned, 60 as your campaigns show"
    ])
    // The reply rate learns nothing from campaigns without replies.
    assert.deepStrictEqual(words({ ...openingValues, history: "3000...20.9" }), [
      "more than 50 of 100",
      "",
      "· 24 of 10,000 emails"
    ])
  })

  it("ask about the unit of a rate before any figure", () => {
    const outcome = (values: FormValues) => shown(values).views.outcome.text
    assert.match(
      outcome({ reply_rate: "2", positive_reply_rate: "0.5", meeting_booking_rate: "45", close_rate: "20" }),
      /^<p>Is 0\.5% of emails meant\? Then enter 25 as the positive reply rate: .*<p class="says">Expect no client/s
    )
    assert.match(outcome({}), /^<p class="says">Expect 0 to 8 clients/)
  })
})

it("writes both ends of a range of amounts in the same form", () => {
  const { views } = shown({ average_deal_value: "8,000,000", campaign_cost: "5,000,000" })
  assert.include(views.outcome.text, "−5M to 59M")
})
