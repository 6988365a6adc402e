import { BigDecimal } from "effect"
import { compare, hundred, minus, one, percentOf, quotient, type Ratio, times, toDouble, zero } from "../Decimal.ts"
import {
  type Campaign,
  eachRate,
  isMeasured,
  type Observation,
  type PerRate,
  type RateName,
  rateNames
} from "../Campaign.ts"
import type { Beta } from "./SpecialFunctions.ts"

type Decimal = BigDecimal.BigDecimal

/** The distribution of a rate: the share of trials that succeed is Beta(alpha, beta). */
export interface Posterior extends Beta {
  /** alpha / (alpha + beta), exactly. */
  readonly mean: Ratio
}

/**
 * The variation of a rate between campaigns, before any evidence: alpha = successes / unit, beta = failures / unit,
 * exactly.
 */
interface Prior extends Posterior {
  readonly successes: Decimal
  readonly failures: Decimal
  readonly unit: Decimal
}

/**
 * The published variation of rates between campaigns, as cases of the rarer outcome: for replies, the Beta distribution
 * around the mean that fits the quantiles of 556 campaigns (Clientium, Osservatorio Cold Email Italia, 2026).
 */
const publishedShapes: { readonly [rate in RateName]?: Decimal } = { reply_rate: BigDecimal.make(23n, 1) }

/** Beta(κm, κ(1 - m)) with the mean m of a rate in percent, and κ = shape / min(m, 1 - m). */
const varying = (rate: Decimal, shape: Decimal): Prior => {
  const rest = minus(hundred, rate)
  const isRare = compare(rate, rest) <= 0
  const cases = toDouble(shape)
  return {
    alpha: isRare ? cases : cases * (toDouble(rate) / toDouble(rest)),
    beta: isRare ? cases * (toDouble(rest) / toDouble(rate)) : cases,
    mean: { numerator: percentOf(one, rate), denominator: one },
    successes: times(shape, rate),
    failures: times(shape, rest),
    unit: isRare ? rate : rest
  }
}

/** A learned distribution, as if its doubles were exact. */
const known = ({ alpha, beta }: Beta): Prior => {
  const successes = BigDecimal.fromNumberUnsafe(alpha)
  const failures = BigDecimal.fromNumberUnsafe(beta)
  const mean = { numerator: successes, denominator: BigDecimal.sum(successes, failures) }
  return { alpha, beta, mean, successes, failures, unit: one }
}

/** The variation of a rate of a campaign; undefined if it is exactly as given. Rates of 0 and 100 never vary. */
const priorOf = ({ learned, spread }: Campaign, name: RateName, rate: Decimal): Prior | undefined => {
  const distribution = learned?.[name]
  const shape = spread === "none" ? undefined : publishedShapes[name]
  if (distribution === undefined && shape === undefined) return undefined
  if (rate.value === 0n || compare(rate, hundred) === 0) return undefined
  if (distribution !== undefined) return known(distribution)
  return shape === undefined ? undefined : varying(rate, shape)
}

const updated = (prior: Prior, { observed, out_of: outOf }: Observation): Posterior => {
  const { alpha, beta, failures, successes, unit } = prior
  const trials = BigDecimal.sum(successes, failures)
  return {
    alpha: alpha + toDouble(observed),
    beta: beta + toDouble(minus(outOf, observed)),
    mean: {
      numerator: BigDecimal.sum(successes, times(observed, unit)),
      denominator: BigDecimal.sum(trials, times(outOf, unit))
    }
  }
}

/**
 * The posterior of a rate in percent, or the share itself if it is certain.
 *
 * The request's own rate is the prior, worth one success: Beta(1 + observed, 1/share - 1 + out_of - observed). Two
 * rates have no such prior. 100% stays 100%, whatever was observed. For 0% the data count alone, Beta(observed, out_of
 * - observed), and without a success or without a failure the share is certain to be 0 or 1.
 */
const posterior = (rate: Decimal, { observed, out_of: outOf }: Observation): Posterior | Decimal => {
  const failed = BigDecimal.subtract(outOf, observed)
  if (rate.value === 0n) {
    if (observed.value === 0n) return zero
    if (failed.value === 0n) return one
    return { alpha: toDouble(observed), beta: toDouble(failed), mean: { numerator: observed, denominator: outOf } }
  }
  const rest = BigDecimal.subtract(hundred, rate)
  if (rest.value === 0n) return one
  const successes = BigDecimal.sum(observed, one)
  return {
    alpha: toDouble(successes),
    beta: toDouble(rest) / toDouble(rate) + toDouble(failed),
    // (1 + observed) / (100/rate + out_of), multiplied by the rate
    mean: { numerator: times(successes, rate), denominator: BigDecimal.sum(hundred, times(outOf, rate)) }
  }
}

/** The belief about a rate of a campaign: its distribution, or the share itself if it is certain. */
export const beliefOf = (campaign: Campaign, name: RateName, rate: Decimal): Posterior | Decimal => {
  const prior = priorOf(campaign, name, rate)
  const observation = campaign.evidence?.[name]
  if (observation === undefined) return prior ?? percentOf(one, rate)
  return prior === undefined ? posterior(rate, observation) : updated(prior, observation)
}

/** The possible bases of a belief about a rate, the strongest last. */
export const rateBases = ["as_given", "published_spread", "history", "evidence"] as const
export type RateBasis = (typeof rateBases)[number]

/** A rate of a campaign, in percent, and the belief about it. */
export interface RateBelief {
  readonly name: RateName
  readonly rate: Decimal
  readonly belief: Posterior | Decimal
}

export type RateBeliefs = PerRate<RateBelief>

/** The beliefs about the rates of a campaign. */
export const beliefsOf = (campaign: Campaign): RateBeliefs =>
  eachRate(campaign, (rate, name) => ({ name, rate, belief: beliefOf(campaign, name, rate) }))

/** The basis of a belief about a rate before any evidence. */
export const priorBasisOf = (campaign: Campaign, name: RateName, rate: Decimal): RateBasis => {
  if (priorOf(campaign, name, rate) === undefined) return "as_given"
  return campaign.learned?.[name] === undefined ? "published_spread" : "history"
}

/** The basis of a belief about a rate. Evidence on a rate of 100 changes nothing. */
export const basisOf = (campaign: Campaign, { belief, name, rate }: RateBelief): RateBasis => {
  if (campaign.evidence?.[name] !== undefined) return compare(rate, hundred) === 0 ? "as_given" : "evidence"
  // The usual case, without a look-up.
  return "alpha" in belief ? priorBasisOf(campaign, name, rate) : "as_given"
}

/** Decimals of a computed rate in percent: no grade depends on the digits cut off. */
const places = 12

/**
 * The campaign with each measured or learned rate at the value that the outlook expects; the campaign itself if there
 * is no such rate.
 */
export const atMeasuredRates = <C extends Campaign>(campaign: C): C => {
  if (!isMeasured(campaign)) return campaign
  const changed: { -readonly [rate in keyof Campaign]?: BigDecimal.BigDecimal } = {}
  for (const name of rateNames) {
    const rate = campaign[name]
    if (rate === undefined) continue
    const belief = beliefOf(campaign, name, rate)
    const basis = basisOf(campaign, { belief, name, rate })
    if (basis !== "history" && basis !== "evidence") continue
    if ("alpha" in belief) {
      const { denominator, numerator } = belief.mean
      changed[name] = BigDecimal.make(quotient(times(numerator, hundred), denominator, places).units, places)
    } else changed[name] = times(belief, hundred)
  }
  return Object.keys(changed).length === 0 ? campaign : { ...campaign, ...changed }
}
