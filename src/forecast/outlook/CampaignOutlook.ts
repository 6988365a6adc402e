import {
  type Decimal,
  hundred,
  times,
  toDouble,
  whole,
  complement,
  complementToDouble,
  minus,
  one,
  type Ratio,
  quotientToDouble,
  roundToDouble,
  isZero
} from "../Decimal.ts"
import { ratesBefore } from "../../campaign/Rates.ts"
import { betaBelow, betaRange, type Beta } from "../counts/SpecialFunctions.ts"
import {
  type Campaign,
  type Money,
  eachRate,
  moneyFigures,
  type StageName,
  stageNames,
  revenueFrom,
  clientsToBreakEven
} from "../Campaign.ts"
import {
  chanceOfAtLeast,
  chanceOfNone,
  chanceWithin,
  type Counts,
  quantile,
  binomial,
  SummedCounts
} from "../counts/Counts.ts"
import type { Outlook, RateOutlook } from "./Outlook.ts"
import {
  beliefsOf,
  publishedReplies,
  rateBases,
  type RateBasis,
  type RateBelief,
  type RateBeliefs,
  type Posterior
} from "./Posterior.ts"
import { fields, membersOf } from "../../campaign/Fields.ts"
import { betaBinomial, urn } from "../counts/BetaBinomial.ts"
import { VaryingCounts } from "../counts/VaryingBinomial.ts"

/**
 * The chance that an email reaches a stage of the funnel: the exact chance `known` from the certain rates, times a
 * share for each of the uncertain rates.
 */
export interface Stage {
  readonly known: Decimal
  readonly uncertain: ReadonlyArray<Posterior>
}

/** The stage before the first rate: every email is there. */
export const everyEmail: Stage = { known: one, uncertain: [] }

/** The stage after one more rate. */
export const afterRate = ({ known, uncertain }: Stage, belief: Posterior | Decimal): Stage =>
  "alpha" in belief ? { known, uncertain: [...uncertain, belief] } : { known: times(known, belief), uncertain }

export type Stages = { readonly [stage in StageName]: Stage }

const everyEmailAtEach: Stages = membersOf(stageNames, () => everyEmail)

/** The stages of a campaign: the chance that an email gets that far. */
export const stagesOf = (campaign: Campaign, beliefs: RateBeliefs = beliefsOf(campaign)): Stages => {
  const stages = { ...everyEmailAtEach }
  let stage = everyEmail
  for (const { belief, name } of Object.values<RateBelief>(beliefs)) {
    stage = afterRate(stage, belief)
    const field = fields[name]
    if (field.presence === "required") stages[field.passed.name] = stage
  }
  return stages
}

/** The exact mean chance that an email reaches a stage. */
export const meanChance = ({ known, uncertain }: Stage): Ratio => {
  let numerator = known
  let denominator = one
  for (const { mean } of uncertain) {
    numerator = times(numerator, mean.numerator)
    denominator = times(denominator, mean.denominator)
  }
  return { numerator, denominator }
}

/** Up to this many emails, summing over all outcomes is fast, and more accurate than an integral. */
const fewEmails = 200

/** A share that differs from 1 with a chance of about this changes no digit that is shown. */
const almostNever = 1e-7

/** Nor does a share whose mean differs from 1 by this. */
const almostNothing = 1e-17

/** Below this mean chance, even 1e8 emails bring no result, to the precision of doubles. */
const hopeless = 1e-25

/** True if a chance is exactly 1, and not only so close that `q`, the double of its complement, is 0. */
const isCertain = (chance: Decimal, q: number): boolean => q === 0 && isZero(complement(chance))

/** True if a share differs from 1 enough to change a digit that is shown. */
const isNoticed = ({ alpha, beta }: Beta): boolean => beta > almostNever && beta / alpha > almostNothing

/**
 * The number of `emails` that reach a stage: binomial if its rates are certain, otherwise a mixture of binomials, for
 * one varying rate by sums.
 */
export const countsOf = ({ known, uncertain }: Stage, emails: number): Counts => {
  if (isZero(known)) return new SummedCounts(binomial(emails, 0, 1), 0, 0)
  const p = toDouble(known)
  const q = complementToDouble(known)
  if (uncertain.length === 0) return new SummedCounts(binomial(emails, p, q), isCertain(known, q) ? emails : 0, emails)
  let mean = p
  for (const { alpha, beta } of uncertain) mean *= beta === Infinity ? 0 : alpha / (alpha + beta)
  if (mean < hopeless) return new SummedCounts(binomial(emails, 0, 1), 0, emails)
  const shares = uncertain.every(isNoticed) ? uncertain : uncertain.filter(isNoticed)
  const [share, second] = shares
  if (share === undefined) return new SummedCounts(binomial(emails, p, q), 0, emails)
  if (second === undefined) return new VaryingCounts({ trials: emails, known: p, rest: q, share })
  return emails > fewEmails
    ? betaBinomial({ trials: emails, known: p, shares })
    : new SummedCounts(urn(emails, binomial(emails, p, q), shares), 0, emails)
}

/** The same if every rate were exactly as expected. */
const countsByChanceAlone = (stage: Stage, emails: number): Counts => {
  const { denominator, numerator } = meanChance(stage)
  const [passed, failed, all] = [toDouble(numerator), toDouble(minus(denominator, numerator)), toDouble(denominator)]
  return new SummedCounts(binomial(emails, passed / all, failed / all), 0, passed === 0 ? 0 : emails)
}

type StageOutlook = Outlook["clients"]
type Amounts = NonNullable<Outlook["revenue"]>

/** The expected number of people at a stage, exact and rounded once to 4 decimals. */
const expectedCount = (stage: Stage, emails: Decimal): number => {
  const { denominator, numerator } = meanChance(stage)
  return quotientToDouble(times(emails, numerator), denominator, 4)
}

/** The range that holds in 80 of 100 cases, with the mean and the median, and the chance that it really covers. */
export const rangeOf = (expected: number, counts: Counts): StageOutlook => {
  const low = quantile(counts, 0.1)
  const median = quantile(counts, 0.5)
  const high = quantile(counts, 0.9)
  return { expected, low, median, high, chance_within: chanceWithin(counts, low, high) }
}

/** A share from 0 to 1 in percent, to 2 decimals. */
const percent = (share: number): number => Math.round(share * 10_000) / 100

const rateOutlook = ({ basis, belief, rate }: RateBelief): RateOutlook => {
  if ("alpha" in belief) {
    const { denominator, numerator } = belief.mean
    const { high, low } = betaRange(belief)
    const expected = quotientToDouble(times(numerator, hundred), denominator, 4)
    return { basis, expected, low: percent(low), high: percent(high) }
  }
  // A given rate stays as it was written; only decided cases turn it into a different share.
  const exact = basis === "as_given" ? rate : times(belief, hundred)
  const shown = roundToDouble(exact, 2)
  return { basis, expected: roundToDouble(exact, 4), low: shown, high: shown }
}

/** The mean of a belief, as a double. */
const meanShare = (belief: RateBelief["belief"]): number =>
  "alpha" in belief ? toDouble(belief.mean.numerator) / toDouble(belief.mean.denominator) : toDouble(belief)

/** The number of 100 published campaigns that get fewer replies per email sent than is believed here. */
const publishedPercentile = (beliefs: RateBeliefs): number => {
  const perEmail = ratesBefore("reply_rate").reduce((share, name) => {
    const before = beliefs[name]
    return before === undefined ? share : share * meanShare(before.belief)
  }, meanShare(beliefs.reply_rate.belief))
  return Math.min(Math.max(Math.round(100 * betaBelow(publishedReplies, perEmail)), 1), 99)
}

/** The outlook of each rate of a campaign. */
export const ratesOf = (beliefs: RateBeliefs): Outlook["rates"] => {
  const rates = eachRate(beliefs, rateOutlook)
  return { ...rates, reply_rate: { ...rates.reply_rate, published_percentile: publishedPercentile(beliefs) } }
}

/** The strongest basis of any rate. */
export const strongest = (rates: Outlook["rates"]): RateBasis =>
  Object.values<RateOutlook>(rates).reduce<RateBasis>(
    (best, { basis }) => (rateBases.indexOf(basis) > rateBases.indexOf(best) ? basis : best),
    "as_given"
  )

const amounts = (low: number | null, median: number | null, high: number | null): Amounts | null =>
  low === null || median === null || high === null ? null : { low, median, high }

/** Revenue, profit and ROI at the low, median and high number of clients; null if they cannot be computed. */
export const moneyOf = (
  campaign: Money,
  clients: Pick<StageOutlook, "low" | "median" | "high">
): Pick<Outlook, "revenue" | "profit" | "roi_multiple"> => {
  const moneyAt = (count: number) => moneyFigures(revenueFrom(campaign, whole(count)), campaign.campaign_cost)
  const low = moneyAt(clients.low)
  const median = moneyAt(clients.median)
  const high = moneyAt(clients.high)
  return {
    revenue: amounts(low.revenue, median.revenue, high.revenue),
    profit: amounts(low.profit, median.profit, high.profit),
    roi_multiple: amounts(low.roi_multiple, median.roi_multiple, high.roi_multiple)
  }
}

/** The cost of each person at a stage, at the high, median and low number of them; null without a cost or anybody. */
const costOfEach = (cost: Decimal | undefined, { high, low, median }: StageOutlook): Outlook["cost_per_meeting"] => {
  const of = (people: number) => (cost === undefined || people === 0 ? null : quotientToDouble(cost, whole(people), 2))
  return { low: of(high), median: of(median), high: of(low) }
}

/** The outlook if every rate were exactly as expected; null if that is assumed already. */
const aloneOf = (clients: Stage, emails: number, needed: number | undefined): Outlook["chance_alone"] => {
  if (clients.uncertain.length === 0) return null
  const counts = countsByChanceAlone(clients, emails)
  return {
    clients: { low: quantile(counts, 0.1), median: quantile(counts, 0.5), high: quantile(counts, 0.9) },
    chance_of_no_client: chanceOfNone(counts),
    chance_to_break_even: needed === undefined ? null : chanceOfAtLeast(counts, needed)
  }
}

/** The outlook of a campaign, and its chance of no client before rounding. */
interface ComputedOutlook {
  readonly outlook: Outlook
  readonly chanceOfNoClient: number
}

/**
 * Computes how certain the forecast of a campaign is: quantiles of each stage, and the chances that matter. With the
 * rates exactly as given, each stage is binomial; a rate that varies between campaigns, or was learned, is distributed
 * as `beliefsOf` says. Every campaign has an outlook, and always the same one.
 */
export const computeOutlook = (campaign: Campaign): ComputedOutlook => {
  const { campaign_cost: cost, emails_sent } = campaign
  const emails = toDouble(emails_sent)
  const beliefs = beliefsOf(campaign)
  const stages = stagesOf(campaign, beliefs)
  const read = (stage: Stage) => rangeOf(expectedCount(stage, emails_sent), countsOf(stage, emails))
  const rates = ratesOf(beliefs)
  const basis = strongest(rates)
  const replies = read(stages.replies)
  const positive_replies = read(stages.positive_replies)
  const meetings = read(stages.meetings)
  const held = beliefs.show_rate
  const needed = clientsToBreakEven(campaign)
  const counts = countsOf(stages.clients, emails)
  const clients = rangeOf(expectedCount(stages.clients, emails_sent), counts)
  const outlook: Outlook = {
    basis,
    interval_percent: 80,
    rates,
    replies,
    positive_replies,
    meetings,
    clients,
    ...moneyOf(campaign, clients),
    cost_per_meeting: costOfEach(cost, meetings),
    cost_per_meeting_held: held === undefined ? null : costOfEach(cost, read(afterRate(stages.meetings, held.belief))),
    chance_of_no_client: chanceOfNone(counts),
    clients_to_break_even: needed === undefined || needed === Infinity ? null : needed,
    chance_to_break_even: needed === undefined ? null : chanceOfAtLeast(counts, needed),
    chance_alone: aloneOf(stages.clients, emails, needed)
  }
  return { outlook, chanceOfNoClient: 1 - counts.atLeast(1) }
}

/** The outlook of a campaign, without what `computeOutlook` adds. */
export const outlook = (campaign: Campaign): Outlook => computeOutlook(campaign).outlook
