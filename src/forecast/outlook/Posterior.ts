import { BigDecimal } from "effect"
import {
  compare,
  type Decimal,
  hundred,
  minus,
  one,
  percentOf,
  quotient,
  type Ratio,
  times,
  toBigDecimal,
  toDouble,
  plus,
  isZero
} from "../Decimal.ts"
import { type Campaign, eachRate, isLearned, type PerRate, type RateName } from "../Campaign.ts"
import type { Beta } from "../counts/SpecialFunctions.ts"

/** The distribution of a rate: the share of trials that succeed is Beta(alpha, beta). */
export interface Posterior extends Beta {
  /** alpha / (alpha + beta), exactly. */
  readonly mean: Ratio
}

/**
 * The variation of a rate between campaigns: alpha = shape · successes / unit, beta = shape · failures / unit, exactly.
 */
export interface Prior extends Posterior {
  readonly shape: Decimal
  readonly successes: Decimal
  readonly failures: Decimal
  readonly unit: Decimal
}

/**
 * The distribution of replies per email sent over published campaigns: the one that fits the quantiles of 556 campaigns
 * of at least 500 emails (Clientium, Osservatorio Cold Email Italia, 2026).
 */
export const publishedReplies: Beta = { alpha: 2.3, beta: 113.8 }

type Shapes = { readonly [rate in RateName]?: Decimal | undefined }

/**
 * The published variation of rates between campaigns, as cases of the rarer outcome: for replies, those of
 * `publishedReplies`, around any mean.
 */
const publishedShapes: Shapes = { reply_rate: BigDecimal.fromNumberUnsafe(publishedReplies.alpha) }

/** The variation by which results are judged: positive replies, of which none is published, are taken to vary as replies do. */
export const judgingShapes: Shapes = { ...publishedShapes, positive_reply_rate: publishedShapes.reply_rate }

/** Beta(κm, κ(1 - m)) with the mean m of a rate in percent, and κ = shape / min(m, 1 - m). */
const varying = (rate: Decimal, shape: Decimal): Prior => {
  const rest = minus(hundred, rate)
  const isRare = compare(rate, rest) <= 0
  const cases = toDouble(shape)
  return {
    alpha: isRare ? cases : cases * (toDouble(rate) / toDouble(rest)),
    beta: isRare ? cases * (toDouble(rest) / toDouble(rate)) : cases,
    mean: { numerator: percentOf(one, rate), denominator: one },
    shape,
    successes: rate,
    failures: rest,
    unit: isRare ? rate : rest
  }
}

/** A learned distribution, as if its doubles were exact. */
const known = ({ alpha, beta }: Beta): Prior => {
  const successes = BigDecimal.fromNumberUnsafe(alpha)
  const failures = BigDecimal.fromNumberUnsafe(beta)
  const mean = { numerator: successes, denominator: plus(successes, failures) }
  return { alpha, beta, mean, shape: one, successes, failures, unit: one }
}

/** The variation of a rate of a campaign; undefined if it is exactly as given. Rates of 0 and 100 never vary. */
export const priorOf = (
  { learned, spread }: Campaign,
  name: RateName,
  rate: Decimal,
  shapes = publishedShapes
): Prior | undefined => {
  const distribution = learned?.[name]
  const shape = spread === "none" ? undefined : shapes[name]
  if (distribution === undefined && shape === undefined) return undefined
  if (isZero(rate) || compare(rate, hundred) === 0) return undefined
  if (distribution !== undefined) return known(distribution)
  return shape === undefined ? undefined : varying(rate, shape)
}

/** The possible bases of a belief about a rate, the strongest last; `so_far` is that of a campaign in flight. */
export const rateBases = ["as_given", "published_spread", "history", "so_far"] as const
export type RateBasis = (typeof rateBases)[number]

/** A rate of a campaign, in percent, and the belief about it. */
export interface RateBelief {
  readonly name: RateName
  readonly rate: Decimal
  readonly belief: Posterior | Decimal
  readonly basis: RateBasis
}

export type RateBeliefs = PerRate<RateBelief>

/** The beliefs about the rates of a campaign. */
export const beliefsOf = (campaign: Campaign): RateBeliefs =>
  eachRate(campaign, (rate, name) => {
    const prior = priorOf(campaign, name, rate)
    if (prior === undefined) return { name, rate, belief: percentOf(one, rate), basis: "as_given" }
    return { name, rate, belief: prior, basis: campaign.learned?.[name] === undefined ? "published_spread" : "history" }
  })

/** Decimals of a learned rate in percent: no figure depends on the digits cut off. */
const learnedDecimals = 20

/** The campaign with each learned rate at its mean; the campaign itself if there is none. */
export const atLearnedRates = <C extends Campaign>(campaign: C): C => {
  if (!isLearned(campaign)) return campaign
  const changed: { -readonly [rate in keyof Campaign]?: BigDecimal.BigDecimal } = {}
  for (const { basis, belief, name } of Object.values<RateBelief>(beliefsOf(campaign))) {
    if (basis !== "history" || !("alpha" in belief)) continue
    const { denominator, numerator } = belief.mean
    changed[name] = toBigDecimal(quotient(times(numerator, hundred), denominator, learnedDecimals))
  }
  return { ...campaign, ...changed }
}
