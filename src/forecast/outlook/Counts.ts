import { cdf, type Distribution, smallestReaching, tolerance } from "./Binomial.ts"

/** The distribution of a number of people: the possible range, and cumulative chances as doubles. */
export interface Counts {
  /** The smallest and the greatest possible count, by the exact rates. */
  readonly least: number
  readonly most: number
  /** The chance of at least `count`. */
  readonly atLeast: (count: number) => number
  /** The smallest count whose cumulative chance is at least `level`. */
  readonly smallestReaching: (level: number) => number
}

/** The quantile of a level from 0 to 1: the smallest count with F(count) ≥ level - 1e-10. */
export const quantile = (counts: Counts, level: number): number => counts.smallestReaching(level - tolerance)

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
