import { assert, describe, it } from "@effect/vitest"
import { calculate } from "../../src/calculator/Calculation.ts"
import { money } from "../../src/calculator/pageFigures.ts"
import { type FormValues, readForm } from "../../src/calculator/readForm.ts"
import { viewsOf } from "../../src/calculator/Views.ts"
import { sampleValues } from "../support/Samples.ts"

const shown = (values: FormValues) => {
  const { errors, input } = readForm({ ...sampleValues, ...values })
  if (input === undefined) throw new Error(JSON.stringify(errors))
  const calculation = calculate(input)
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
    const profit = money(forecast.estimated_profit ?? 0)
    assert.include(views.outcome.text, `Expected profit</dt><dd><strong>${profit}<`)
    assert.include(views.comparison.text, `Expected profit</th><td>${profit}<`)
    assert.include(views.advice.text, `per client</dt><dd>${money(forecast.cost_per_client ?? 0)}<`)
    assert.include(views.spoken.text, `profit ${profit}`)
  })

  it("states one chance for the range of clients: the true one", () => {
    const { forecast, views } = shown(values)
    const { chance_within: within, high, low } = forecast.outlook.clients
    const often = `in ${Math.round(within * 100)} of 100`
    assert.include(views.outcome.text, `${low} to ${high} ${often}`)
    assert.include(views.distribution.text, `${low} to ${high} clients ${often} campaigns`)
    for (const { text } of Object.values(views)) assert.notMatch(text, /80 ?% (?:range|interval)/)
  })
})
