import type { Beta } from "./SpecialFunctions.ts"
import { type Chances, momentsOf, type PassChance } from "./PassChance.ts"
import { thinSmoothly } from "./SmoothThinning.ts"

/** A chance that makes no difference, as a part of the greatest one. */
const negligible = 1e-13

const at = (values: Float64Array, index: number): number => values[index] ?? 0

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
const weigh = (trials: number, passChance: PassChance, weights: Float64Array) => {
  const mode = modeOf(trials, passChance)
  // A count with two peaks has no single mode, so its weights are filled in to the ends.
  const least = "known" in passChance || passChance.alpha >= 1 || passChance.beta >= 1 ? negligible : 0
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

/** Products of powers up to this are far from the limit of a double. */
const greatestPower = 1e200

/** Running products of `ratio`, from 1 on. */
const products = (length: number, ratio: (index: number) => number): Float64Array => {
  const values = new Float64Array(length)
  values[0] = 1
  for (let index = 1; index < length; index++) values[index] = at(values, index - 1) * ratio(index - 1)
  return values
}

/**
 * The same for a share that may be nearly anything, so that no count is negligible. A beta-binomial chance is a product
 * of three factors: of the people, (n)! / (α + β)ₙ, of those who pass, (α)ₖ / k!, and of those who do not, (β)ₙ₋ₖ / (n
 * - k)!; so the sum over n only takes products, all of them positive.
 */
const thinWidely = ({ lowest, values }: Chances, open: number, { alpha, beta }: Beta): Chances => {
  const most = lowest + values.length - 1 + open
  const all = products(most + 1, (n) => (n + 1) / (alpha + beta + n))
  const passing = products(most + 1, (k) => (alpha + k) / (k + 1))
  const failing = products(most + 1, (d) => (beta + d) / (d + 1))
  const first = lowest + open
  const weighted = values.map((chance, index) => chance * at(all, first + index))
  const result = new Float64Array(most + 1)
  let greatest = 0
  let end = 0
  for (; end <= most; end++) {
    let sum = 0
    for (let n = Math.max(first, end); n <= most; n++) sum += at(weighted, n - first) * at(failing, n - end)
    const chance = sum * at(passing, end)
    result[end] = chance
    if (chance > greatest) greatest = chance
    else if (chance < negligible * greatest && beta >= 1) break
  }
  return { lowest: 0, values: result.slice(0, end + 1) }
}

/** Up to this many steps are taken one by one; for more, most chances are interpolated. */
const mostSteps = 2e7

/** About how many counts have a noticeable chance, given the number of people. */
const widthOf = (trials: number, passChance: PassChance): number =>
  Math.min(trials, 16 * Math.sqrt(momentsOf(passChance).variance(trials)))

/** Chances without those at both ends that make no difference. */
const trimmed = ({ lowest, values }: Chances): Chances => {
  let first = 0
  let last = values.length - 1
  while (first < last && at(values, first) < negligible) first++
  while (last > first && at(values, last) < negligible) last--
  return { lowest: lowest + first, values: values.slice(first, last + 1) }
}

/**
 * The number that passes out of a random number of people and `open` more, all with the same share: sums of binomial or
 * beta-binomial counts, in time proportional to the number of people times the number that may pass.
 */
export const thin = ({ lowest, values }: Chances, open: number, passChance: PassChance): Chances => {
  const most = lowest + values.length - 1 + open
  if ("known" in passChance) {
    if (passChance.rest === 0) return { lowest: lowest + open, values }
    if (passChance.known === 0) return { lowest: 0, values: Float64Array.of(1) }
  }
  if (values.length * widthOf(lowest + open + values.length / 2, passChance) > mostSteps) {
    return trimmed(thinSmoothly({ lowest, values }, open, passChance))
  }
  if (
    "alpha" in passChance &&
    values.length > 1 &&
    (most + 1) ** (passChance.alpha + passChance.beta) < greatestPower
  ) {
    return thinWidely({ lowest, values }, open, passChance)
  }
  const sums = new Float64Array(most + 1)
  const weights = new Float64Array(most + 1)
  for (let index = 0; index < values.length; index++) {
    const chance = at(values, index)
    if (chance < negligible) continue
    const { high, low, total } = weigh(lowest + index + open, passChance, weights)
    const scale = chance / total
    for (let count = low; count <= high; count++) sums[count] = at(sums, count) + scale * at(weights, count)
  }
  return trimmed({ lowest: 0, values: sums })
}
