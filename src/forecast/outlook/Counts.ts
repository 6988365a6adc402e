import { tolerance } from "./Binomial.ts"

/** How a number of people is distributed: what can happen at all, and cumulative chances as doubles. */
export interface Counts {
  /** The smallest and the greatest count that have a chance, by the exact rates. */
  readonly least: number
  readonly most: number
  /** The chance of at least `count`. */
  readonly atLeast: (count: number) => number
  /** The smallest count whose cumulative chance is at least `level`. */
  readonly smallestReaching: (level: number) => number
}

/** The quantile of a level from 0 to 1: the smallest count with F(count) ≥ level - 1e-10. */
export const quantile = (counts: Counts, level: number): number => counts.smallestReaching(level - tolerance)
