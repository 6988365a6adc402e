import { BigDecimal, Schema } from "effect"
import { compare, quotient, round, roundSigned, times, toDouble, toNumber, zero } from "../Decimal.ts"
import { type Campaign, expectedAt } from "../Campaign.ts"
import { type Counts, roundChance } from "./Counts.ts"
import { chanceOfSum } from "./CountBlocks.ts"
import type { PortfolioTotals } from "./PortfolioAnswer.ts"
import { countsOf, stagesOf } from "./CampaignStages.ts"
import { clientsToEarn } from "./BreakEven.ts"
import { atLearnedRates } from "./Posterior.ts"

type Decimal = BigDecimal.BigDecimal

/** The most campaigns for which the chance that they break even together is computed. */
export const mostSummed = 20

/** The contribution of a campaign to totals and to a ranking: exact expectations, and its chance of no client. */
export const Contribution = Schema.Struct({
  emails_sent: Schema.BigDecimal,
  replies: Schema.BigDecimal,
  positive_replies: Schema.BigDecimal,
  meetings: Schema.BigDecimal,
  clients: Schema.BigDecimal,
  revenue: Schema.optionalKey(Schema.BigDecimal),
  cost: Schema.optionalKey(Schema.BigDecimal),
  chanceOfNoClient: Schema.Finite,
  /** False if a client, or no client, is certain; the chance as a double may be 0 or 1 in other cases too. */
  isOpen: Schema.Boolean
})
export type Contribution = typeof Contribution.Type

const sum = (values: ReadonlyArray<Decimal>): Decimal => values.reduce((a, b) => BigDecimal.sum(a, b), zero)

/** The sum over all campaigns; undefined if one of them lacks the value. */
const sumOfAll = (values: ReadonlyArray<Decimal | undefined>): Decimal | undefined =>
  values.every((each) => each !== undefined) ? sum(values) : undefined

const clientsOf = (campaign: Campaign): Counts => countsOf(stagesOf(campaign).clients, toDouble(campaign.emails_sent))

/** Computes the contribution of a campaign to the totals and the ranking of many. */
export const contributionOf = (given: Campaign): Contribution => {
  const campaign = atLearnedRates(given)
  const { average_deal_value: dealValue, campaign_cost: cost, emails_sent } = campaign
  const clients = expectedAt(campaign, "clients")
  const counts = clientsOf(campaign)
  return {
    emails_sent,
    replies: expectedAt(campaign, "replies"),
    positive_replies: expectedAt(campaign, "positive_replies"),
    meetings: expectedAt(campaign, "meetings"),
    clients,
    ...(dealValue === undefined ? {} : { revenue: times(clients, dealValue) }),
    ...(cost === undefined ? {} : { cost }),
    chanceOfNoClient: 1 - counts.atLeast(1),
    isOpen: counts.least === 0 && counts.most > 0
  }
}

/** The chance that no campaign brings a client: the product, as they are independent. */
const chanceOfNoClient = (contributions: ReadonlyArray<Contribution>): number => {
  const open = contributions.filter(({ isOpen }) => isOpen)
  if (contributions.some(({ chanceOfNoClient, isOpen }) => !isOpen && chanceOfNoClient === 0)) return 0
  return open.length === 0 ? 1 : roundChance(open.reduce((product, each) => product * each.chanceOfNoClient, 1))
}

/**
 * The chance that campaigns with the same deal value cover their total cost: the sum of their clients against an exact
 * threshold. Null if deal values differ, a value is missing, or there are more than 20.
 */
const chanceToBreakEven = (campaigns: ReadonlyArray<Campaign>, cost: Decimal | undefined): number | null => {
  const dealValue = campaigns[0]?.average_deal_value
  if (dealValue === undefined || cost === undefined || campaigns.length > mostSummed) return null
  const isSummable = campaigns.every(
    ({ average_deal_value: each }) => each !== undefined && compare(each, dealValue) === 0
  )
  if (!isSummable) return null
  const parts = campaigns.map(clientsOf)
  const needed = clientsToEarn(cost, dealValue)
  if (needed <= parts.reduce((sum, { least }) => sum + least, 0)) return 1
  return needed > parts.reduce((sum, { most }) => sum + most, 0) ? 0 : roundChance(chanceOfSum(parts, needed))
}

/**
 * The totals of many campaigns: sums of exact expectations, and the chances of the whole. `campaigns` are those that
 * contribute, or the first 21 of more.
 */
export const portfolioTotals = (
  contributions: ReadonlyArray<Contribution>,
  campaigns: ReadonlyArray<Campaign>
): PortfolioTotals => {
  const count = (stage: "replies" | "positive_replies" | "meetings" | "clients") =>
    toNumber(round(sum(contributions.map((each) => each[stage])), 4))
  const revenue = sumOfAll(contributions.map((each) => each.revenue))
  const cost = sumOfAll(contributions.map((each) => each.cost))
  return {
    campaigns: contributions.length,
    emails_sent: toDouble(sum(contributions.map(({ emails_sent }) => emails_sent))),
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
    chance_of_no_client: chanceOfNoClient(contributions),
    chance_to_break_even: chanceToBreakEven(campaigns, cost)
  }
}
