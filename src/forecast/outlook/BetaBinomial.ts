import { chanceOfAtLeast, type Mixture } from "./Contour.ts"
import type { Counts } from "./Counts.ts"
import { digamma, trigamma } from "./Digamma.ts"

const logit = (chance: number): number => {
  const kept = Math.min(Math.max(chance, 1e-15), 1 - 1e-15)
  return Math.log(kept / (1 - kept))
}

/** Evaluations after which the bracket is halved: the guesses have not led anywhere. */
const patience = 8

/**
 * The smallest count whose chance to be exceeded is at most `target`. The log-odds of that chance are nearly a straight
 * line in the logarithm of the count, so a secant through the last two points finds it in a few evaluations.
 */
export const smallestNotExceeded = (mixture: Mixture, atLeast: (count: number) => number, target: number): number => {
  const { known, shares, trials } = mixture
  const center = shares.reduce((sum, { alpha, beta }) => sum + digamma(alpha) - digamma(alpha + beta), Math.log(known))
  const mean = shares.reduce((product, { alpha, beta }) => product * (alpha / (alpha + beta)), known)
  const spread = Math.sqrt(
    shares.reduce((sum, { alpha, beta }) => sum + trigamma(alpha) - trigamma(alpha + beta), 1 / (trials * mean))
  )
  const wanted = logit(target)
  let slope = -1.7 / spread
  let guess = trials * Math.exp(center + wanted / slope) + 0.5
  let low = 0
  let high = trials + 1
  let last: { readonly x: number; readonly y: number } | undefined
  for (let evaluations = 1; high - low > 1; evaluations++) {
    const count = Math.min(Math.max(Math.round(guess), low + 1), high - 1)
    const chance = atLeast(count)
    const isExceeded = chance > target
    if (isExceeded) low = count
    else high = count
    const x = Math.log(count)
    const y = logit(chance)
    const measured = last === undefined ? 0 : (y - last.y) / (x - last.x)
    if (measured < 0) slope = measured
    last = { x, y }
    const halfway = high > trials ? low * 2 + 1 : (low + high) / 2
    const next = evaluations > patience || !(slope < 0) ? halfway : Math.exp(x + (wanted - y) / slope)
    guess = isExceeded ? Math.max(Math.ceil(next), low + 1) : Math.min(Math.floor(next), high - 1)
  }
  return high - 1
}

/** Successes in `trials` whose chance is `known`, above 0, times one share of each posterior, at least one. */
export const betaBinomial = (mixture: Mixture): Counts => {
  const { trials } = mixture
  const atLeast = (count: number): number => {
    if (count <= 0) return 1
    return count > trials ? 0 : Math.min(Math.max(chanceOfAtLeast(mixture, count), 0), 1)
  }
  return {
    least: 0,
    most: trials,
    atLeast,
    smallestReaching: (level) => smallestNotExceeded(mixture, atLeast, 1 - level)
  }
}
