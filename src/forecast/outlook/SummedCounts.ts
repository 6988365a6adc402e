import { cdf, type Distribution, smallestReaching } from "./Binomial.ts"
import type { Counts } from "./Counts.ts"

/** Counts by their running sums. A class, as each forecast makes four, and closures would be made anew for each. */
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
