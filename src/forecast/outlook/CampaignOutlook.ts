import type { BigDecimal } from "effect"
import { quotient, round, type Rounded, times, toNumber } from "../Decimal.ts"
import { type Campaign, hasEvidence } from "./Campaign.ts"
import { chanceOfAtLeast, chanceOfNone, chanceWithin } from "./Chance.ts"
import { type Counts, quantile } from "./Counts.ts"
import { toDouble, whole, zero } from "./Exact.ts"
import type { Outlook } from "./Outlook.ts"
import { countsOf, readCounts } from "./StageCounts.ts"
import { meanChance, type Stage, stagesOf } from "./Stages.ts"
import { clientsToBreakEven } from "./Thresholds.ts"
import { uncertaintyShares } from "./UncertaintyShares.ts"

type StageOutlook = Outlook["clients"]
type Amounts = NonNullable<Outlook["revenue"]>

/** The expected number of people at a stage, exact and rounded once to 4 decimals. */
const expectedCount = (stage: Stage, emails: BigDecimal.BigDecimal): number => {
  if (stage.uncertain.length === 0) return toNumber(round(times(emails, stage.known), 4))
  const { denominator, numerator } = meanChance(stage)
  return toNumber(quotient(times(emails, numerator), denominator, 4))
}

const stageOutlook = (
  stage: Stage,
  emails: BigDecimal.BigDecimal,
  counts: Counts,
  [low, median, high]: readonly [number, number, number]
): StageOutlook => ({
  expected: expectedCount(stage, emails),
  low,
  median,
  high,
  chance_within: chanceWithin(counts, low, high)
})

const outlookAt = (stage: Stage, emails: BigDecimal.BigDecimal, counts: Counts): StageOutlook =>
  stageOutlook(stage, emails, counts, [quantile(counts, 0.1), quantile(counts, 0.5), quantile(counts, 0.9)])

type Decimal = BigDecimal.BigDecimal

const amounts = (revenues: readonly [Decimal, Decimal, Decimal], rounded: (revenue: Decimal) => Rounded): Amounts => ({
  low: toNumber(rounded(revenues[0])),
  median: toNumber(rounded(revenues[1])),
  high: toNumber(rounded(revenues[2]))
})

type StageOutlooks = Pick<Outlook, "replies" | "positive_replies" | "meetings" | "clients">

/** The outlook of a campaign with those of its stages and what `counts` its clients have. */
const outlookOf = (campaign: Campaign, stages: StageOutlooks, counts: Counts): Outlook => {
  const { average_deal_value: dealValue, campaign_cost: cost } = campaign
  const { clients, meetings, positive_replies, replies } = stages
  const revenueOf = (count: number) => (dealValue === undefined ? zero : times(whole(count), dealValue))
  const revenues = [revenueOf(clients.low), revenueOf(clients.median), revenueOf(clients.high)] as const
  const needed = clientsToBreakEven(campaign)
  return {
    basis: "assumed_rates",
    interval_percent: 80,
    replies,
    positive_replies,
    meetings,
    clients,
    revenue: dealValue === undefined ? null : amounts(revenues, (revenue) => round(revenue, 2)),
    roi_multiple:
      dealValue === undefined || cost === undefined || cost.value === 0n
        ? null
        : amounts(revenues, (revenue) => quotient(revenue, cost, 1)),
    chance_of_no_client: chanceOfNone(counts),
    clients_to_break_even: needed === undefined || needed === Infinity ? null : needed,
    chance_to_break_even: needed === undefined ? null : chanceOfAtLeast(counts, needed)
  }
}

const assumedOutlook = (campaign: Campaign): Outlook => {
  const { emails_sent } = campaign
  const emails = toDouble(emails_sent)
  const stages = stagesOf(campaign)
  const read = (stage: Stage) => readCounts(stage, emails, (counts) => outlookAt(stage, emails_sent, counts))
  const replies = read(stages.replies)
  const positive_replies = read(stages.positive_replies)
  const meetings = read(stages.meetings)
  return readCounts(stages.clients, emails, (counts) => {
    const clients = outlookAt(stages.clients, emails_sent, counts)
    return outlookOf(campaign, { replies, positive_replies, meetings, clients }, counts)
  })
}

const measuredOutlook = (campaign: Campaign): Outlook => {
  const { emails_sent } = campaign
  const stages = stagesOf(campaign)
  const countsAt = (stage: Stage) => countsOf(stage, toDouble(emails_sent))
  const replies = outlookAt(stages.replies, emails_sent, countsAt(stages.replies))
  const positive_replies = outlookAt(stages.positive_replies, emails_sent, countsAt(stages.positive_replies))
  const meetings = outlookAt(stages.meetings, emails_sent, countsAt(stages.meetings))
  const counts = countsAt(stages.clients)
  const clients = outlookAt(stages.clients, emails_sent, counts)
  const outlook = outlookOf(campaign, { replies, positive_replies, meetings, clients }, counts)
  return { ...outlook, basis: "evidence", uncertainty_from: uncertaintyShares(campaign) }
}

/**
 * How sure the forecast of a campaign is: quantiles of each stage, and the chances that matter. With the rates as given
 * each stage is binomial; a rate with evidence is distributed as its `posterior`. Total, and the same each time.
 */
export const outlook = (campaign: Campaign): Outlook =>
  hasEvidence(campaign) ? measuredOutlook(campaign) : assumedOutlook(campaign)
