import { compare } from "../Decimal.ts"
import type { BigDecimal } from "effect"
import type { Campaign } from "./Campaign.ts"
import { compareCampaigns, contender, type Measure } from "./Comparison.ts"
import { zero } from "./Exact.ts"
import { expectedAt, expectedProfit } from "./Expectation.ts"
import type { Pieces } from "./Pieces.ts"
import type { Ranking } from "./PortfolioAnswer.ts"

/** A campaign with the name that its caller gave it, if any. */
export interface NamedCampaign extends Campaign {
  readonly name?: string | undefined
}

const unknown = { chance_first_is_better: null, chance_equal: null }

const expectation = (campaign: Campaign, measure: Measure): BigDecimal.BigDecimal =>
  measure === "clients" ? expectedAt(campaign, "clients") : (expectedProfit(campaign) ?? zero)

/**
 * Ranks campaigns by expected profit, or by expected clients where a deal value or a cost is missing anywhere, and says
 * for each pair of neighbours how often the first really ends better. A pause follows each pair.
 */
export function* rankCampaigns(campaigns: ReadonlyArray<NamedCampaign>): Pieces<Ranking> {
  const by = campaigns.every((campaign) => expectedProfit(campaign) !== undefined) ? "profit" : "clients"
  const ranked = campaigns
    .map((campaign, index) => ({ campaign, reference: campaign.name ?? index, value: expectation(campaign, by) }))
    .toSorted((a, b) => compare(b.value, a.value))
  const neighbours: Array<Ranking["neighbours"][number]> = []
  let previous: { reference: string | number; contender: ReturnType<typeof contender> } | undefined
  for (const { campaign, reference } of ranked) {
    const next = { reference, contender: contender(campaign, by) }
    if (previous !== undefined) {
      const chances =
        previous.contender === undefined || next.contender === undefined
          ? unknown
          : yield* compareCampaigns(previous.contender, next.contender)
      neighbours.push({ first: previous.reference, second: reference, ...chances })
    }
    previous = next
    yield
  }
  return { by, order: ranked.map(({ reference }) => reference), neighbours }
}
