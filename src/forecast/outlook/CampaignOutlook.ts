import type { BigDecimal } from "effect"
import { hundred, minus, quotient, round, roundSigned, times, toDouble, toNumber, whole } from "../Decimal.ts"
import { betaRange } from "./SpecialFunctions.ts"
import { type Campaign, eachRate, type RateName } from "../Campaign.ts"
import { chanceOfAtLeast, chanceOfNone, chanceWithin, type Counts, quantile } from "./Counts.ts"
import type { Outlook } from "./Outlook.ts"
import { basisOf, beliefsOf, rateBases, type RateBasis, type RateBelief, type RateBeliefs } from "./Posterior.ts"
import { meanChance, readChanceAlone, readCounts, type Stage, type Stages, stagesOf } from "./CampaignStages.ts"
import { clientsToBreakEven } from "./BreakEven.ts"

type Decimal = BigDecimal.BigDecimal
type StageOutlook = Outlook["clients"]
type Amounts = NonNullable<Outlook["revenue"]>
type RateOutlook = NonNullable<Outlook["rates"]["delivery_rate"]>

/** The expected number of people at a stage, exact and rounded once to 4 decimals. */
const expectedCount = (stage: Stage, emails: Decimal): number => {
  if (stage.uncertain.length === 0) return toNumber(round(times(emails, stage.known), 4))
  const { denominator, numerator } = meanChance(stage)
  return toNumber(quotient(times(emails, numerator), denominator, 4))
}

/** The range that holds in 80 of 100 cases, with its median and the chance that it really covers. */
export const rangeOf = (counts: Counts): Omit<StageOutlook, "expected"> => {
  const low = quantile(counts, 0.1)
  const median = quantile(counts, 0.5)
  const high = quantile(counts, 0.9)
  return { low, median, high, chance_within: chanceWithin(counts, low, high) }
}

const outlookAt = (stage: Stage, emails: Decimal, counts: Counts): StageOutlook => ({
  expected: expectedCount(stage, emails),
  ...rangeOf(counts)
})

/** A share from 0 to 1 in percent, to 2 decimals. */
const percent = (share: number): number => Math.round(share * 10_000) / 100

const rateOutlook = (basis: RateBasis, { belief, rate }: RateBelief): RateOutlook => {
  if ("alpha" in belief) {
    const { denominator, numerator } = belief.mean
    const { high, low } = betaRange(belief)
    const expected = toNumber(quotient(times(numerator, hundred), denominator, 4))
    return { basis, expected, low: percent(low), high: percent(high) }
  }
  // A given rate stays as it was written; only evidence turns it into a different share.
  const exact = basis === "as_given" ? rate : times(belief, hundred)
  const shown = toNumber(round(exact, 2))
  return { basis, expected: toNumber(round(exact, 4)), low: shown, high: shown }
}

/** The outlook of each rate of a campaign. */
export const ratesOf = (campaign: Campaign, beliefs: RateBeliefs = beliefsOf(campaign)): Outlook["rates"] =>
  eachRate(beliefs, (each) => rateOutlook(basisOf(campaign, each), each))

/** The strongest basis of any rate. */
export const strongest = (rates: Outlook["rates"]): RateBasis =>
  Object.values<RateOutlook>(rates).reduce<RateBasis>(
    (best, { basis }) => (rateBases.indexOf(basis) > rateBases.indexOf(best) ? basis : best),
    "as_given"
  )

const amounts = (
  { high, low, median }: Pick<StageOutlook, "low" | "median" | "high">,
  amountOf: (clients: Decimal) => number
): Amounts => ({
  low: amountOf(whole(low)),
  median: amountOf(whole(median)),
  high: amountOf(whole(high))
})

/** Revenue, profit and ROI at the low, median and high number of clients; null if they cannot be computed. */
export const moneyOf = (
  { average_deal_value: dealValue, campaign_cost: cost }: Campaign,
  clients: Pick<StageOutlook, "low" | "median" | "high">
): Pick<Outlook, "revenue" | "profit" | "roi_multiple"> => ({
  revenue: dealValue === undefined ? null : amounts(clients, (count) => toNumber(round(times(count, dealValue), 2))),
  profit:
    dealValue === undefined || cost === undefined
      ? null
      : amounts(clients, (count) => roundSigned(minus(times(count, dealValue), cost), 2)),
  roi_multiple:
    dealValue === undefined || cost === undefined || cost.value === 0n
      ? null
      : amounts(clients, (count) => toNumber(quotient(times(count, dealValue), cost, 1)))
})

/** Shares of a variance, to 4 decimals, that sum to 1: that of chance, and one for each uncertain rate. */
export type UncertaintyShares = { chance: number } & { [rate in RateName]?: number }

/** The number of parts that shares are rounded to. */
const shareUnits = 10_000

/** Rounds shares that sum to 1 to ten-thousandths that still do: the rest goes to the largest remainders. */
const apportion = (shares: ReadonlyArray<number>): ReadonlyArray<number> => {
  const whole = shares.map((share) => Math.floor(share * shareUnits))
  const left = shareUnits - whole.reduce((sum, each) => sum + each, 0)
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share * shareUnits - Math.floor(share * shareUnits) }))
    .toSorted((a, b) => b.remainder - a.remainder)
  const raised = new Set(byRemainder.slice(0, left).map(({ index }) => index))
  return whole.map((each, index) => (each + (raised.has(index) ? 1 : 0)) / shareUnits)
}

/** The logarithm of E[R²] / E[R]² for a rate R: 0 if it is certain, and greater the less certain it is. */
const logMomentOf = ({ belief }: RateBelief): number => {
  if (!("alpha" in belief)) return 0
  const { alpha, beta } = belief
  // (α + 1)(α + β) / (α (α + β + 1)) = 1 + β / (α (α + β + 1))
  return Math.log1p(beta / alpha / (alpha + beta + 1))
}

/**
 * The rate to measure next: the least certain one. A rate as given was not measured: it counts as if its value rested
 * on one success, Beta(1, 1/p - 1), like the prior of evidence. Rates of 0 and 100 are certain. For a rate counted in
 * past campaigns, the uncertainty is how much campaigns differ; any rate as given comes before it.
 */
export const nextToMeasure = (campaign: Campaign): RateName | undefined => {
  const rates = Object.values<RateBelief>(beliefsOf(campaign)).map((known) => {
    const share = toDouble(known.rate) / 100
    const basis = basisOf(campaign, known)
    const isGiven = basis === "as_given" && share > 0 && share < 1
    return { name: known.name, basis, logMoment: isGiven ? Math.log(2 / (1 + share)) : logMomentOf(known) }
  })
  const [least, ...others] = rates
    .filter(({ logMoment }) => logMoment > 0)
    .toSorted((a, b) => b.logMoment - a.logMoment)
  return (least?.basis === "history" ? others.find(({ basis }) => basis === "as_given") : least)?.name
}

/**
 * The sources of the uncertainty about the number of clients, as shares of its variance n E[P(1 - P)] + n² Var P: the
 * first part is chance, the second the uncertainty of P, the product of the rates.
 *
 * Relative second moments of independent rates multiply, E[P²] / E[P]² = ∏ E[Rᵢ²] / E[Rᵢ]², so their logarithms add up,
 * and the second part is split in proportion to them: no order of the rates is preferred. Null if the number of clients
 * is certain.
 */
export const uncertaintyShares = (
  campaign: Campaign,
  beliefs: RateBeliefs = beliefsOf(campaign),
  { clients }: Stages = stagesOf(campaign, beliefs)
): UncertaintyShares | null => {
  const rates: Array<{ readonly name: RateName; readonly logMoment: number }> = []
  for (const known of Object.values<RateBelief>(beliefs)) {
    const { belief, name } = known
    if ("alpha" in belief || campaign.evidence?.[name] !== undefined)
      rates.push({ name, logMoment: logMomentOf(known) })
  }
  const { denominator, numerator } = meanChance(clients)
  const mean = toDouble(numerator) / toDouble(denominator)
  const logMoments = rates.reduce((sum, { logMoment }) => sum + logMoment, 0)
  const byChance = Math.max(1 - mean * Math.exp(logMoments), 0)
  const byRates = toDouble(campaign.emails_sent) * mean * Math.expm1(logMoments)
  const variance = byChance + byRates
  if (mean === 0 || variance === 0) return null
  const [chance = 0, ...shares] = apportion([
    byChance / variance,
    ...rates.map(({ logMoment }) => (logMoment === 0 ? 0 : (byRates / variance) * (logMoment / logMoments)))
  ])
  const result: UncertaintyShares = { chance }
  for (const [index, { name }] of rates.entries()) result[name] = shares[index] ?? 0
  return result
}

/** The outlook if every rate were exactly as expected; null if that is assumed already. */
const aloneOf = (clients: Stage, emails: number, needed: number | undefined): Outlook["chance_alone"] => {
  if (clients.uncertain.length === 0) return null
  return readChanceAlone(clients, emails, (counts) => ({
    clients: { low: quantile(counts, 0.1), median: quantile(counts, 0.5), high: quantile(counts, 0.9) },
    chance_of_no_client: chanceOfNone(counts),
    chance_to_break_even: needed === undefined ? null : chanceOfAtLeast(counts, needed)
  }))
}

/** The outlook of a campaign, and its chance of no client before rounding. */
export interface ComputedOutlook {
  readonly outlook: Outlook
  readonly chanceOfNoClient: number
}

/**
 * Computes how certain the forecast of a campaign is: quantiles of each stage, and the chances that matter. With the
 * rates exactly as given, each stage is binomial; a rate that varies between campaigns, or was learned or measured, is
 * distributed as `beliefOf` says. Every campaign has an outlook, and always the same one.
 */
export const computeOutlook = (campaign: Campaign): ComputedOutlook => {
  const { emails_sent } = campaign
  const emails = toDouble(emails_sent)
  const beliefs = beliefsOf(campaign)
  const stages = stagesOf(campaign, beliefs)
  const read = (stage: Stage) => readCounts(stage, emails, (counts) => outlookAt(stage, emails_sent, counts))
  const rates = ratesOf(campaign, beliefs)
  const basis = strongest(rates)
  const replies = read(stages.replies)
  const positive_replies = read(stages.positive_replies)
  const meetings = read(stages.meetings)
  const needed = clientsToBreakEven(campaign)
  return readCounts(stages.clients, emails, (counts) => {
    const clients = outlookAt(stages.clients, emails_sent, counts)
    const outlook: Outlook = {
      basis,
      interval_percent: 80,
      rates,
      replies,
      positive_replies,
      meetings,
      clients,
      ...moneyOf(campaign, clients),
      chance_of_no_client: chanceOfNone(counts),
      clients_to_break_even: needed === undefined || needed === Infinity ? null : needed,
      chance_to_break_even: needed === undefined ? null : chanceOfAtLeast(counts, needed),
      chance_alone: aloneOf(stages.clients, emails, needed),
      ...(basis === "as_given" ? {} : { uncertainty_from: uncertaintyShares(campaign, beliefs, stages) })
    }
    return { outlook, chanceOfNoClient: 1 - counts.atLeast(1) }
  })
}

/** The outlook of a campaign, without what `computeOutlook` adds. */
export const outlook = (campaign: Campaign): Outlook => computeOutlook(campaign).outlook
