/** How a count is distributed, as running sums of weights; the weights of counts outside of the sums are negligible. */
export interface Distribution {
  /** The count that the first sum belongs to. */
  readonly lowest: number
  /** Sums of the weights of all counts from `lowest` on; the last is the weight of all. */
  readonly sums: Float64Array
}

/** A weight that makes no difference, as a part of the greatest one. */
const negligible = 1e-18

/** How far a cumulative chance may lie below a level and still count as reaching it: exact ties come out of doubles. */
export const tolerance = 1e-10

const at = (sums: Float64Array, index: number): number => sums[index] ?? 0

/**
 * The binomial distribution of `trials` from 1 to 1e8 with success chance `p`; `q` is 1 - p, given because the subtraction
 * would lose it where p is near 1. Summed outwards from the mode by the ratio of neighbours,
 * w(k+1) / w(k) = (n - k) p / ((k + 1) q): no special function and no cancellation, so cumulative chances are right to
 * 2e-13 up to 1e8 trials.
 */
export const binomial = (trials: number, p: number, q: number): Distribution => {
  if (p === 0 || q === 0) return { lowest: p === 0 ? 0 : trials, sums: Float64Array.of(1) }
  const mode = Math.min(trials, Math.floor((trials + 1) * p))
  const odds = p / q
  const reach = Math.ceil(9 * Math.sqrt(trials * p * q)) + 60
  const below = Math.min(mode, reach)
  const above = Math.min(trials - mode, reach)
  const sums = new Float64Array(below + 1 + above)
  sums[below] = 1
  let first = below
  for (let weight = 1, count = mode; first > 0 && weight >= negligible; count--) {
    weight *= count / ((trials - count + 1) * odds)
    sums[--first] = weight
  }
  let last = below
  for (let weight = 1, count = mode; last < below + above && weight >= negligible; count++) {
    weight *= ((trials - count) * odds) / (count + 1)
    sums[++last] = weight
  }
  let sum = 0
  for (let index = first; index <= last; index++) {
    sum += at(sums, index)
    sums[index] = sum
  }
  return { lowest: mode - below + first, sums: sums.subarray(first, last + 1) }
}

const total = ({ sums }: Distribution): number => at(sums, sums.length - 1)

/** The chance of at most `count` successes. */
export const cdf = (distribution: Distribution, count: number): number => {
  const index = count - distribution.lowest
  if (index < 0) return 0
  return index >= distribution.sums.length - 1 ? 1 : at(distribution.sums, index) / total(distribution)
}

/** The chance of exactly `count` successes. */
export const pmf = (distribution: Distribution, count: number): number => {
  const index = count - distribution.lowest
  return index < 0 || index >= distribution.sums.length
    ? 0
    : (at(distribution.sums, index) - at(distribution.sums, index - 1)) / total(distribution)
}

/** The smallest count whose cumulative chance is at least `level`, a number from 0 to 1. */
export const smallestReaching = (distribution: Distribution, level: number): number => {
  const threshold = level * total(distribution)
  let low = 0
  let high = distribution.sums.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (at(distribution.sums, middle) >= threshold) high = middle
    else low = middle + 1
  }
  return distribution.lowest + low
}

/** The quantile of a level from 0 to 1: the smallest count with F(count) ≥ level - 1e-10. */
export const quantile = (distribution: Distribution, level: number): number =>
  smallestReaching(distribution, level - tolerance)
