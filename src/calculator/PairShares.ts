import type { Comparison } from "../forecast/outlook/CompareCampaigns.ts"
import { ofHundred } from "../forecast/Words.ts"

/**
 * The numbers of 100 pairs of campaigns in which each one ends better, or both end the same, in words; they sum to 100.
 */
export interface PairShares {
  readonly first: string
  readonly second: string
  readonly same: string
}

export const pairShares = ({ chance_equal: equal, chance_first_is_better: better }: Comparison): PairShares => {
  const worse = Math.max(1 - better - equal, 0)
  const left = 100 - Math.round(better * 100) - Math.round(worse * 100)
  return {
    first: ofHundred(better),
    second: ofHundred(worse),
    same: left > 0 ? `${left} of 100` : ofHundred(equal)
  }
}
