import type { PassChance } from "./SplineThinning.ts"

/** A chance that makes no difference, as a part of the greatest one. */
export const negligibleChance = 1e-13

/** The most likely count: chances fall off from there, unless both parameters are below 1. */
const modeOf = (trials: number, passChance: PassChance): number => {
  if ("known" in passChance) return Math.min(Math.floor((trials + 1) * passChance.known), trials)
  const { alpha, beta } = passChance
  if (alpha <= 1) return 0
  if (beta <= 1) return trials
  return Math.min(Math.floor(((trials + 1) * (alpha - 1)) / (alpha + beta - 2)), trials)
}

/**
 * Fills in the weights of the number of `trials` that pass, outwards from the mode by the ratios of neighbours, until
 * they make no difference; returns the range that was filled in, and the sum of the weights.
 */
export const weigh = (trials: number, passChance: PassChance, weights: Float64Array) => {
  const mode = modeOf(trials, passChance)
  // A count with two peaks has no single mode, so its weights are filled in to the ends.
  const least = "known" in passChance || passChance.alpha >= 1 || passChance.beta >= 1 ? negligibleChance : 0
  const isBinomial = "known" in passChance
  const odds = isBinomial ? passChance.known / passChance.rest : 1
  const alpha = isBinomial ? 0 : passChance.alpha
  const beta = isBinomial ? 0 : passChance.beta
  weights[mode] = 1
  let total = 1
  let high = mode
  for (let weight = 1; high < trials && weight >= least;) {
    weight *= isBinomial
      ? ((trials - high) * odds) / (high + 1)
      : ((trials - high) * (alpha + high)) / ((high + 1) * (beta + trials - high - 1))
    weights[++high] = weight
    total += weight
  }
  let low = mode
  for (let weight = 1; low > 0 && weight >= least;) {
    weight *= isBinomial
      ? low / ((trials - low + 1) * odds)
      : (low * (beta + trials - low)) / ((trials - low + 1) * (alpha + low - 1))
    weights[--low] = weight
    total += weight
  }
  return { low, high, total }
}
