import { BigDecimal } from "effect"
import { times } from "../Decimal.ts"
import type { Observation } from "./Campaign.ts"
import { hundred, one, type Ratio, toDouble, zero } from "./Exact.ts"

type Decimal = BigDecimal.BigDecimal

/** What is known of a rate after its evidence: the share `B` of trials that succeed is distributed as Beta(alpha, beta). */
export interface Posterior {
  readonly alpha: number
  readonly beta: number
  /** alpha / (alpha + beta), exactly. */
  readonly mean: Ratio
}

/**
 * The posterior of a rate in percent, or the share itself where nothing is uncertain about it.
 *
 * The request's own rate is the prior, worth one success: Beta(1 + observed, 1/share - 1 + out_of - observed). Two rates
 * have no such prior. 100 % stays 100 %, whatever was observed. For 0 % the data count alone, Beta(observed, out_of -
 * observed), and where they hold no success or no failure they leave a share of 0 or 1 without any doubt.
 */
export const posterior = (rate: Decimal, { observed, out_of: outOf }: Observation): Posterior | Decimal => {
  const failed = BigDecimal.subtract(outOf, observed)
  if (rate.value === 0n) {
    if (observed.value === 0n) return zero
    if (failed.value === 0n) return one
    return { alpha: toDouble(observed), beta: toDouble(failed), mean: { numerator: observed, denominator: outOf } }
  }
  const doubt = BigDecimal.subtract(hundred, rate)
  if (doubt.value === 0n) return one
  const successes = BigDecimal.sum(observed, one)
  return {
    alpha: toDouble(successes),
    beta: toDouble(doubt) / toDouble(rate) + toDouble(failed),
    // (1 + observed) / (100/rate + out_of), multiplied by the rate
    mean: { numerator: times(successes, rate), denominator: BigDecimal.sum(hundred, times(outOf, rate)) }
  }
}
