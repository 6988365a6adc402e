import { BigDecimal } from "effect"
import { rateNames } from "./Rates.ts"
import type { NamedAssumptions } from "./Campaigns.ts"

/** Campaigns by their rates: the first one with each set of rates, and the place of each campaign's set among these. */
interface DistinctRates {
  readonly firsts: ReadonlyArray<NamedAssumptions>
  readonly places: ReadonlyArray<number>
}

const ratesOf = (campaign: NamedAssumptions): string =>
  rateNames.map((name) => BigDecimal.format(campaign[name] ?? BigDecimal.make(-1n, 0))).join(" ")

/** Groups campaigns that learn the same from a history: those with the same rates, and the same rates left out. */
export const distinctRates = (campaigns: ReadonlyArray<NamedAssumptions>): DistinctRates => {
  const known = new Map<string, number>()
  const firsts: Array<NamedAssumptions> = []
  const places = campaigns.map((campaign) => {
    const rates = ratesOf(campaign)
    const place = known.get(rates) ?? firsts.push(campaign) - 1
    known.set(rates, place)
    return place
  })
  return { firsts, places }
}
