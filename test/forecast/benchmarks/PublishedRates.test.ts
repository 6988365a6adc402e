import { assert, describe, it } from "@effect/vitest"
import { optionalRates, rateNames, rates } from "../../../src/campaign/Rates.ts"
import { toDouble } from "../../../src/forecast/Decimal.ts"
import { publishedFigures } from "../../../src/forecast/benchmarks/PublishedFigures.ts"
import { referenceOf, targetOf } from "../../../src/forecast/benchmarks/PublishedRates.ts"
import { campaignOf } from "../../support/Campaigns.ts"

/** The highest published figure of those who pass per one of those before them; undefined if there is none. */
const highestOf = (measure: string, unit: string): number | undefined => {
  const values = publishedFigures
    .filter((figures) => figures.unit === "%" && figures.measure === measure && figures.per === unit)
    .flatMap(({ values }) => Object.values(values).flat())
  return values.length === 0 ? undefined : Math.max(...values)
}

describe("the target of advice for a rate", () => {
  const deals = [undefined, 1000, 10_000, 50_000, 500_000]
  for (const optional of optionalRates) {
    const { noun, unit = noun[0] } = rates[optional].passed
    it(`is not above the highest figure published per ${unit}, at the published ${optional}`, () => {
      const usual = referenceOf(campaignOf(), optional)
      if (usual === undefined) return
      for (const average_deal_value of deals) {
        const campaign = campaignOf({ [optional]: usual.value, average_deal_value })
        for (const rate of rateNames) {
          const highest = highestOf(rates[rate].passed.words, unit)
          const target = targetOf(campaign, rate)
          if (highest === undefined || target === undefined) continue
          assert.isAtMost(toDouble(target.value), highest, `${rate}: ${target.source}`)
        }
      }
    })
  }
})
