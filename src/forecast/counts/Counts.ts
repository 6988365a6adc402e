/**
 * The distribution of a count, as running sums of weights: those of the counts from `lowest` on are at `first` to
 * `last` in `sums`, and the last one is the total weight. The weights of other counts are negligible.
 */
export interface Distribution {
  readonly lowest: number
  readonly sums: Float64Array
  readonly first: number
  readonly last: number
}

/** A weight that makes no difference, as a part of the greatest one. */
const negligibleWeight = 1e-18

/** A cumulative chance below a level by at most this reaches it: doubles blur exact ties. */
const tolerance = 1e-10

/** An element of an array; 0 beyond its ends. */
export const at = (values: Float64Array, index: number): number => values[index] ?? 0

/**
 * The binomial distribution of `trials` from 1 to 1e8, summed outwards from the mode by the ratio of neighbours, w(k+1)
 * / w(k) = (n - k) p / ((k + 1) q): no special function and no cancellation, so cumulative chances are right to 2e-13
 * up to 1e8 trials. `q` is 1 - p, passed because the subtraction would lose its digits if p is near 1.
 */
export const binomial = (trials: number, p: number, q: number): Distribution => {
  if (p === 0 || q === 0) return { lowest: p === 0 ? 0 : trials, sums: Float64Array.of(1), first: 0, last: 0 }
  const mode = Math.min(trials, Math.floor((trials + 1) * p))
  const odds = p / q
  const reach = Math.ceil(9 * Math.sqrt(trials * p * q)) + 60
  const below = Math.min(mode, reach)
  const above = Math.min(trials - mode, reach)
  const sums = new Float64Array(below + 1 + above)
  const middle = below
  let first = middle
  for (let weight = 1, count = mode; first > 0 && weight >= negligibleWeight; count--) {
    weight *= count / ((trials - count + 1) * odds)
    sums[--first] = weight
  }
  let sum = 0
  for (let index = first; index < middle; index++) {
    sum += at(sums, index)
    sums[index] = sum
  }
  sum += 1
  sums[middle] = sum
  let last = middle
  for (let weight = 1, count = mode; last < middle + above && weight >= negligibleWeight; count++) {
    weight *= ((trials - count) * odds) / (count + 1)
    sum += weight
    sums[++last] = sum
  }
  return { lowest: mode - (middle - first), sums, first, last }
}

const total = ({ last, sums }: Distribution): number => at(sums, last)

/** The chance of at most `count` successes. */
export const cdf = (distribution: Distribution, count: number): number => {
  const { first, last, lowest, sums } = distribution
  const index = first + count - lowest
  if (index < first) return 0
  return index >= last ? 1 : at(sums, index) / total(distribution)
}

/** The chance of exactly `count` successes. */
export const pmf = (distribution: Distribution, count: number): number => {
  const { first, last, lowest, sums } = distribution
  const index = first + count - lowest
  if (index < first || index > last) return 0
  return (at(sums, index) - (index === first ? 0 : at(sums, index - 1))) / total(distribution)
}

/** The smallest count whose cumulative chance is at least `level`, a number from 0 to 1. */
export const smallestReaching = (distribution: Distribution, level: number): number => {
  const { first, last, lowest, sums } = distribution
  const threshold = level * total(distribution)
  let low = first
  let high = last
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (at(sums, middle) >= threshold) high = middle
    else low = middle + 1
  }
  return lowest + low - first
}

/** The distribution of a number of people: the possible range, and cumulative chances as doubles. */
export interface Counts {
  /** The smallest and the greatest possible count, by the exact rates. */
  readonly least: number
  readonly most: number
  /** The chance of at least `count`. */
  readonly atLeast: (count: number) => number
  /** The smallest count whose cumulative chance is at least `level`; a guess close to it saves time. */
  readonly smallestReaching: (level: number, guess?: number) => number
}

/** The quantile of a level from 0 to 1: the smallest count with F(count) ≥ level - 1e-10. */
export const quantile = (counts: Counts, level: number, guess?: number): number =>
  counts.smallestReaching(level - tolerance, guess)

/**
 * Counts by their running sums. A class, because each forecast creates four, and each would need closures of its own.
 */
export class SummedCounts implements Counts {
  readonly least: number
  readonly most: number
  readonly distribution: Distribution

  constructor(distribution: Distribution, least: number, most: number) {
    this.distribution = distribution
    this.least = least
    this.most = most
  }

  atLeast(count: number): number {
    return 1 - cdf(this.distribution, count - 1)
  }

  smallestReaching(level: number): number {
    return smallestReaching(this.distribution, level)
  }
}

/** A chance between 0 and 1, for the answer: to 4 decimals, and never rounded to 0 or 1. */
export const roundChance = (chance: number): number =>
  Math.min(Math.max(Math.round(chance * 10_000), 1), 9_999) / 10_000

/** The chance of at least `count`, for the answer; 0 and 1 only if it is exactly that. */
export const chanceOfAtLeast = (counts: Counts, count: number): number => {
  if (count <= counts.least) return 1
  return count > counts.most ? 0 : roundChance(counts.atLeast(count))
}

/** The chance of a count of 0, for the answer. */
export const chanceOfNone = (counts: Counts): number => {
  if (counts.most === 0) return 1
  return counts.least > 0 ? 0 : roundChance(1 - counts.atLeast(1))
}

/** The chance of a count from `low` to `high`, at least one of which is possible, for the answer. */
export const chanceWithin = (counts: Counts, low: number, high: number): number =>
  low <= counts.least && high >= counts.most ? 1 : roundChance(counts.atLeast(low) - counts.atLeast(high + 1))
