import {
  type Decimal,
  hundred,
  minus,
  one,
  times,
  toDouble,
  whole,
  zero,
  plus,
  isZero
} from "../../forecast/Decimal.ts"
import type { Posterior, Prior } from "../../forecast/outlook/Posterior.ts"

const updated = (prior: Prior, passed: Decimal, cases: Decimal): Posterior => {
  const { alpha, beta, failures, shape, successes, unit } = prior
  return {
    alpha: alpha + toDouble(passed),
    beta: beta + toDouble(minus(cases, passed)),
    mean: {
      numerator: plus(times(shape, successes), times(passed, unit)),
      denominator: plus(times(shape, plus(successes, failures)), times(cases, unit))
    }
  }
}

/**
 * The belief about a rate in percent after decided cases, of which some passed; the share itself if it is certain.
 *
 * Without a prior the rate of the plan is one, worth one success: Beta(1 + passed, 1/share - 1 + cases - passed). Two
 * rates have no such prior. 100% stays 100%, whatever was observed. For 0% the data count alone, Beta(passed, cases -
 * passed), and without a success or without a failure the share is certain to be 0 or 1.
 */
export const decidedBelief = (
  prior: Prior | undefined,
  rate: Decimal,
  decided: { readonly passed: number; readonly cases: number }
): Posterior | Decimal => {
  const passed = whole(decided.passed)
  const cases = whole(decided.cases)
  if (prior !== undefined) return updated(prior, passed, cases)
  const failed = minus(cases, passed)
  if (isZero(rate)) {
    if (isZero(passed)) return zero
    if (isZero(failed)) return one
    return { alpha: toDouble(passed), beta: toDouble(failed), mean: { numerator: passed, denominator: cases } }
  }
  const rest = minus(hundred, rate)
  if (isZero(rest)) return one
  const successes = plus(passed, one)
  return {
    alpha: toDouble(successes),
    beta: toDouble(rest) / toDouble(rate) + toDouble(failed),
    // (1 + passed) / (100/rate + cases), multiplied by the rate
    mean: { numerator: times(successes, rate), denominator: plus(hundred, times(cases, rate)) }
  }
}
