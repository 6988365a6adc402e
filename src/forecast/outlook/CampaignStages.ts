import type { BigDecimal } from "effect"
import { type Campaign, type StageName, stageNames } from "../Campaign.ts"
import { complement, complementToDouble, minus, one, type Ratio, times, toDouble } from "../Decimal.ts"
import { fields, membersOf } from "../../campaign/Fields.ts"
import { beliefsOf, type Posterior, type RateBelief, type RateBeliefs } from "./Posterior.ts"
import { betaBinomial, urn } from "../counts/BetaBinomial.ts"
import { binomial, type Counts, SummedCounts } from "../counts/Counts.ts"
import type { Beta } from "../counts/SpecialFunctions.ts"
import { VaryingCounts } from "../counts/VaryingBinomial.ts"

/**
 * The chance that an email reaches a stage of the funnel: the exact chance `known` from the certain rates, times a
 * share for each of the uncertain rates.
 */
export interface Stage {
  readonly known: BigDecimal.BigDecimal
  readonly uncertain: ReadonlyArray<Posterior>
}

/** The stage before the first rate: every email is there. */
export const everyEmail: Stage = { known: one, uncertain: [] }

/** The stage after one more rate. */
export const afterRate = ({ known, uncertain }: Stage, belief: Posterior | BigDecimal.BigDecimal): Stage =>
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
const isCertain = (chance: BigDecimal.BigDecimal, q: number): boolean => q === 0 && complement(chance).value === 0n

/** True if a share differs from 1 by more than no digit shows. */
const isNoticed = ({ alpha, beta }: Beta): boolean => beta > almostNever && beta / alpha > almostNothing

/**
 * The number of `emails` that reach a stage: binomial if its rates are certain, otherwise a mixture of binomials, for
 * one varying rate by sums.
 */
export const countsOf = ({ known, uncertain }: Stage, emails: number): Counts => {
  if (known.value === 0n) return new SummedCounts(binomial(emails, 0, 1), 0, 0)
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
export const countsByChanceAlone = (stage: Stage, emails: number): Counts => {
  const { denominator, numerator } = meanChance(stage)
  const [passed, failed, all] = [toDouble(numerator), toDouble(minus(denominator, numerator)), toDouble(denominator)]
  return new SummedCounts(binomial(emails, passed / all, failed / all), 0, emails)
}
