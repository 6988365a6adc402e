import type { Beta } from "./Contour.ts"
import { digamma, trigamma } from "./Digamma.ts"
import { gammaStep } from "./GammaRatio.ts"

/** A share whose mean differs from 0 or 1 by less is taken as 0 or 1. */
const leastMean = 1e-6

/** A factor of a continued fraction that differs from 1 by less changes nothing. */
const settled = 1e-13

/** A logit beyond which shares are 0 or 1 as doubles. */
const farthest = 700

/** The continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated by Lentz's method. */
const continuedFraction = (x: number, a: number, b: number): number => {
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + even * d)
    c = 1 + even / c
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + odd * d)
    c = 1 + odd / c
    value *= d * c
    if (Math.abs(d * c - 1) < settled) break
  }
  return value
}

/**
 * The share below which a beta distribution has the chance `level`, to about 1e-10 of the share: Halley's method in the
 * logit of the share, within a bracket. `z` is the quantile of the normal distribution at that level, to begin with.
 */
const quantile = ({ alpha, beta }: Beta, level: number, z: number): number => {
  const [less, more] = alpha < beta ? [alpha, beta] : [beta, alpha]
  const logBeta = gammaStep(less, 1) - Math.log(less) - gammaStep(less, more)
  let low = -farthest
  let high = farthest
  let logit = digamma(alpha) - digamma(beta) + z * Math.sqrt(trigamma(alpha) + trigamma(beta))
  for (let round = 0; round < 60; round++) {
    const share = 1 / (1 + Math.exp(-logit))
    const rest = 1 / (1 + Math.exp(logit))
    const density = Math.exp(alpha * Math.log(share) + beta * Math.log(rest) - logBeta)
    const below =
      share < (alpha + 1) / (alpha + beta + 2)
        ? (density / alpha) * continuedFraction(share, alpha, beta)
        : 1 - (density / beta) * continuedFraction(rest, beta, alpha)
    const newton = (below - level) / density
    const bend = 1 - 0.5 * newton * (alpha * rest - beta * share)
    const step = newton / Math.min(Math.max(bend, 0.5), 2)
    if (Math.abs(step) < 1e-7) return 1 / (1 + Math.exp(step - logit))
    if (below < level) low = logit
    else high = logit
    const next = logit - step
    // Outside of the bracket, or where the density vanishes, a step says little.
    logit = next > low && next < high ? next : (low + high) / 2
  }
  return 1 / (1 + Math.exp(-logit))
}

/** The 10% and 90% quantiles of a share. */
export const betaRange = (share: Beta): { readonly low: number; readonly high: number } => {
  const mean = share.alpha / (share.alpha + share.beta)
  if (!(mean > leastMean)) return { low: 0, high: 0 }
  if (1 - mean < leastMean) return { low: 1, high: 1 }
  return { low: quantile(share, 0.1, -1.2816), high: quantile(share, 0.9, 1.2816) }
}
