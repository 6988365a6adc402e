import { BigDecimal } from "effect"
import { compare, quotient, round, times, toNumber } from "../Decimal.ts"
import { type Campaign, hasEvidence } from "./Campaign.ts"
import { roundChance } from "./Chance.ts"
import { complement, one, roundSigned, toDouble, zero } from "./Exact.ts"
import { expectedAt } from "./Expectation.ts"
import type { PortfolioTotals } from "./PortfolioAnswer.ts"
import type { Pieces } from "./Pieces.ts"
import { countsOf } from "./StageCounts.ts"
import { meanChance, stagesOf } from "./Stages.ts"
import { chanceOfSum, type Trials } from "./SumOfBinomials.ts"
import { clientsToEarn } from "./Thresholds.ts"

type Decimal = BigDecimal.BigDecimal

/** Up to so many campaigns the chance that they break even together is told. */
const mostSummed = 20

const sum = (values: ReadonlyArray<Decimal>): Decimal => values.reduce((a, b) => BigDecimal.sum(a, b), zero)

/** The sum of what each campaign has; nothing where one of them lacks it. */
const sumOfAll = (
  campaigns: ReadonlyArray<Campaign>,
  value: (campaign: Campaign) => Decimal | undefined
): Decimal | undefined => {
  const values = campaigns.map(value)
  return values.every((each) => each !== undefined) ? sum(values) : undefined
}

const revenueOf = (campaign: Campaign): Decimal | undefined =>
  campaign.average_deal_value === undefined
    ? undefined
    : times(expectedAt(campaign, "clients"), campaign.average_deal_value)

/** The chance that no campaign brings a client: the product, as they are independent. */
function* chanceOfNoClient(campaigns: ReadonlyArray<Campaign>): Pieces<number> {
  let chance = 1
  let isOpen = false
  for (const campaign of campaigns) {
    const stage = stagesOf(campaign).clients
    const mean = meanChance(stage)
    if (mean.numerator.value === 0n) continue
    if (compare(mean.numerator, mean.denominator) === 0) return 0
    isOpen = true
    chance *=
      stage.uncertain.length === 0
        ? Math.exp(toDouble(campaign.emails_sent) * Math.log1p(-toDouble(stage.known)))
        : 1 - countsOf(stage, toDouble(campaign.emails_sent)).atLeast(1)
    yield
  }
  return isOpen ? roundChance(chance) : 1
}

/**
 * The chance that campaigns of one deal value pay their whole cost together: the sum of their clients against an exact
 * threshold. Null where deal values differ, something is missing, a rate has evidence, or there are more than 20.
 */
const chanceToBreakEven = (campaigns: ReadonlyArray<Campaign>, cost: Decimal | undefined): number | null => {
  const dealValue = campaigns[0]?.average_deal_value
  const isSummable = campaigns.every(
    (campaign) =>
      dealValue !== undefined &&
      campaign.average_deal_value !== undefined &&
      compare(campaign.average_deal_value, dealValue) === 0 &&
      !hasEvidence(campaign)
  )
  if (!isSummable || dealValue === undefined || cost === undefined || campaigns.length > mostSummed) return null
  const parts: Array<Trials> = []
  let certain = 0
  let possible = 0
  for (const campaign of campaigns) {
    const { known } = stagesOf(campaign).clients
    const trials = toDouble(campaign.emails_sent)
    if (compare(known, one) === 0) certain += trials
    else if (known.value > 0n) {
      possible += trials
      parts.push({ trials, p: toDouble(known), q: toDouble(complement(known)) })
    }
  }
  const needed = clientsToEarn(cost, dealValue) - certain
  if (needed <= 0) return 1
  return needed > possible ? 0 : roundChance(chanceOfSum(parts, needed))
}

/** What many campaigns bring together: sums of exact expectations, and the chances of the whole, in pieces. */
export function* portfolioTotals(campaigns: ReadonlyArray<Campaign>): Pieces<PortfolioTotals> {
  const count = (stage: Parameters<typeof expectedAt>[1]) =>
    toNumber(round(sum(campaigns.map((campaign) => expectedAt(campaign, stage))), 4))
  const revenue = sumOfAll(campaigns, revenueOf)
  const cost = sumOfAll(campaigns, ({ campaign_cost }) => campaign_cost)
  const noClient = yield* chanceOfNoClient(campaigns)
  return {
    campaigns: campaigns.length,
    emails_sent: toDouble(sum(campaigns.map(({ emails_sent }) => emails_sent))),
    estimated_replies: count("replies"),
    estimated_positive_replies: count("positive_replies"),
    estimated_meetings: count("meetings"),
    estimated_clients: count("clients"),
    estimated_revenue: revenue === undefined ? null : toNumber(round(revenue, 2)),
    campaign_cost: cost === undefined ? null : toNumber(round(cost, 2)),
    estimated_profit:
      revenue === undefined || cost === undefined ? null : roundSigned(BigDecimal.subtract(revenue, cost), 2),
    roi_multiple:
      revenue === undefined || cost === undefined || cost.value === 0n ? null : toNumber(quotient(revenue, cost, 1)),
    chance_of_no_client: noClient,
    chance_to_break_even: chanceToBreakEven(campaigns, cost)
  }
}
