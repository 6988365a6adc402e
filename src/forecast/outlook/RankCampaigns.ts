import { BigDecimal } from "effect"
import { compare } from "../Decimal.ts"
import type { Campaign } from "./Campaign.ts"
import { compareCampaigns, type Comparison, contender, type Measure } from "./CompareCampaigns.ts"
import type { Contribution } from "./Portfolio.ts"

/** Campaigns by their positions in the request, best first, and the measure that they are ranked by. */
export interface RankOrder {
  readonly by: Measure
  readonly positions: ReadonlyArray<number>
}

const expectedProfit = ({ cost, revenue }: Contribution): BigDecimal.BigDecimal | undefined =>
  cost === undefined || revenue === undefined ? undefined : BigDecimal.subtract(revenue, cost)

/** Ranks campaigns by expected profit, or by expected clients if any of them lacks a deal value or a cost. */
export const orderOf = (contributions: ReadonlyArray<Contribution>): RankOrder => {
  const profits = contributions.map(expectedProfit)
  const isProfit = profits.every((profit) => profit !== undefined)
  const values = isProfit ? profits : contributions.map(({ clients }) => clients)
  const positions = values.map((value, position) => ({ value, position })).toSorted((a, b) => compare(b.value, a.value))
  return { by: isProfit ? "profit" : "clients", positions: positions.map(({ position }) => position) }
}

/** Compares a campaign with its neighbour in a ranking. */
export const compareNeighbours = (by: Measure, first: Campaign, second: Campaign): Comparison =>
  compareCampaigns(contender(first, by), contender(second, by))
