import type { Campaign, RateName } from "./Campaign.ts"
import { toDouble } from "../Decimal.ts"
import { basisOf, beliefsOf, type RateBelief, type RateBeliefs } from "./Posterior.ts"
import { meanChance, type Stages, stagesOf } from "./CampaignStages.ts"

/** Shares of a variance, to 4 decimals, that sum to 1: that of chance, and one for each uncertain rate. */
export type UncertaintyShares = { chance: number } & { [rate in RateName]?: number }

const units = 10_000

/** Rounds shares that sum to 1 to ten-thousandths that still do: the rest goes to the largest remainders. */
const apportion = (shares: ReadonlyArray<number>): ReadonlyArray<number> => {
  const whole = shares.map((share) => Math.floor(share * units))
  const left = units - whole.reduce((sum, each) => sum + each, 0)
  const byRemainder = shares
    .map((share, index) => ({ index, remainder: share * units - Math.floor(share * units) }))
    .toSorted((a, b) => b.remainder - a.remainder)
  const raised = new Set(byRemainder.slice(0, left).map(({ index }) => index))
  return whole.map((each, index) => (each + (raised.has(index) ? 1 : 0)) / units)
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
