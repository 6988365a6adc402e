import type { BigDecimal } from "effect"
import { quotient, round, times, toNumber } from "../Decimal.ts"
import { type Campaign, hasEvidence } from "./Campaign.ts"
import { chanceOfAtLeast, chanceOfNone, chanceWithin } from "./Chance.ts"
import { type Counts, quantile } from "./Counts.ts"
import { toDouble, whole } from "./Exact.ts"
import type { Outlook } from "./Outlook.ts"
import { finish, type Pieces } from "./Pieces.ts"
import { countsOf } from "./StageCounts.ts"
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

/** A quantile takes up to a few milliseconds with evidence, and there is a pause after each; without, a microsecond. */
function* stageOutlook(stage: Stage, counts: Counts, emails: BigDecimal.BigDecimal): Pieces<StageOutlook> {
  const isUncertain = stage.uncertain.length > 0
  const low = quantile(counts, 0.1)
  if (isUncertain) yield
  const median = quantile(counts, 0.5)
  if (isUncertain) yield
  const high = quantile(counts, 0.9)
  if (isUncertain) yield
  return {
    expected: expectedCount(stage, emails),
    low,
    median,
    high,
    chance_within: chanceWithin(counts, low, high)
  }
}

const amounts = ({ high, low, median }: StageOutlook, amount: (clients: BigDecimal.BigDecimal) => number): Amounts => ({
  low: amount(whole(low)),
  median: amount(whole(median)),
  high: amount(whole(high))
})

/** The outlook of a campaign; see `outlook`. */
export function* outlookInPieces(campaign: Campaign): Pieces<Outlook> {
  const { average_deal_value: dealValue, campaign_cost: cost, emails_sent } = campaign
  const emails = toDouble(emails_sent)
  const stages = stagesOf(campaign)
  const replies = yield* stageOutlook(stages.replies, countsOf(stages.replies, emails), emails_sent)
  const positiveReplies = yield* stageOutlook(
    stages.positive_replies,
    countsOf(stages.positive_replies, emails),
    emails_sent
  )
  const meetings = yield* stageOutlook(stages.meetings, countsOf(stages.meetings, emails), emails_sent)
  const counts = countsOf(stages.clients, emails)
  const clients = yield* stageOutlook(stages.clients, counts, emails_sent)
  const needed = clientsToBreakEven(campaign)
  const isMeasured = hasEvidence(campaign)
  return {
    basis: isMeasured ? "evidence" : "assumed_rates",
    interval_percent: 80,
    replies,
    positive_replies: positiveReplies,
    meetings,
    clients,
    revenue: dealValue === undefined ? null : amounts(clients, (count) => toNumber(round(times(count, dealValue), 2))),
    roi_multiple:
      dealValue === undefined || cost === undefined || cost.value === 0n
        ? null
        : amounts(clients, (count) => toNumber(quotient(times(count, dealValue), cost, 1))),
    chance_of_no_client: chanceOfNone(counts),
    clients_to_break_even: needed === undefined || needed === Infinity ? null : needed,
    chance_to_break_even: needed === undefined ? null : chanceOfAtLeast(counts, needed),
    ...(isMeasured ? { uncertainty_from: uncertaintyShares(campaign) } : {})
  }
}

/**
 * How sure the forecast of a campaign is: quantiles of each stage, and the chances that matter. With the rates as given
 * each stage is binomial; a rate with evidence is distributed as its `posterior`. Total, and the same each time.
 */
export const outlook = (campaign: Campaign): Outlook => finish(outlookInPieces(campaign))
