import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import { campaignForecast, summarize } from "../../../src/extensions/lists/CampaignForecast.ts"
import { firstCells, sheetCells, sheetColumns, sheetHeader } from "../../../src/extensions/lists/CampaignsSheet.ts"
import { campaignOf } from "../../support/Campaigns.ts"
import { json } from "../support/ReadCampaigns.ts"
import { sample } from "../../support/Samples.ts"

const [first = []] = firstCells([campaignOf()], { by: "profit", order: [0], neighbours: [] })

/** The columns of the sample's forecast with changes, except those of the ranking. */
const columnsOf = (...changes: Parameters<typeof campaignOf>) => {
  const cells = sheetCells(campaignForecast(campaignOf(...changes)))
  return Object.fromEntries(cells.map((cell, index) => [sheetColumns[index + first.length] ?? "none", cell] as const))
}

describe("forecasts of many campaigns", () => {
  it("are a spreadsheet with a column for each figure, except the notes", () => {
    const campaigns = Result.getOrThrow(
      json({
        campaigns: [{ ...sample, delivery_rate: 90, show_rate: 80 }]
      })
    )
    const [forecast] = campaigns.map((campaign) => campaignForecast(campaign))
    const figures = (value: unknown, path: ReadonlyArray<string>): ReadonlyArray<string> =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value).flatMap(([name, inner]) => figures(inner, [...path, name]))
        : [path.join("_")]
    const expected = figures(forecast, []).filter((name) => name !== "calculation_notes")
    assert.deepStrictEqual(
      expected.filter((name) => !sheetColumns.includes(name)),
      []
    )
    const [cells = []] = firstCells(campaigns, summarize(campaigns).ranking)
    assert.deepInclude(Object.fromEntries(cells.map((cell, index) => [sheetColumns[index] ?? "none", cell] as const)), {
      ...sample,
      name: null,
      delivery_rate: 90,
      show_rate: 80,
      emails_per_contact: null,
      rank: 1
    })
    assert.lengthOf(forecast === undefined ? [] : sheetCells(forecast), sheetColumns.length - first.length)
  })

  it("are a spreadsheet that starts with their names, input and ranks", () => {
    assert.match(
      sheetHeader,
      /^name,emails_sent,reply_rate,.*,spread,rank,chance_better_than_next,chance_equal_to_next,estimated_replies,/
    )
    const ranking = {
      by: "profit",
      order: ["B", 0, "C"],
      neighbours: [
        { first: "B", second: 0, chance_first_is_better: 0.75, chance_equal: 0.01 },
        { first: 0, second: "C", chance_first_is_better: 0.9, chance_equal: 0 }
      ]
    } as const
    const campaigns = [{}, { name: "B" }, { name: "C" }].map((name, index) => ({
      ...campaignOf({ emails_sent: 10 * (index + 1) }),
      ...name
    }))
    const cells = firstCells(campaigns, ranking)
    assert.deepStrictEqual(
      cells.map(([name, emails, ...others]) => [name, emails, ...others.slice(-4)]),
      [
        [null, 10, "none", 2, 0.9, 0],
        ["B", 20, "none", 1, 0.75, 0.01],
        ["C", 30, "none", 3, null, null]
      ]
    )
  })

  it("are a spreadsheet with figures, joined lists of texts, and empty cells", () => {
    const columns = columnsOf({ emails_sent: 500, average_deal_value: undefined })
    assert.deepInclude(columns, {
      estimated_clients: 0.375,
      estimated_revenue: null,
      performance_grade: "break_even_or_unclear",
      risk_flags: "optimistic_reply_rate small_sample missing_deal_value",
      outlook_basis: "as_given",
      outlook_clients_high: 1,
      outlook_revenue_low: null,
      break_even_average_deal_value: 1600
    })
    assert.match(String(columns["recommendations"]), /\. Add average_deal_value to see/)
  })
})
