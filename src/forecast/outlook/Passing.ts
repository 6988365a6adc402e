import type { Beta } from "./SpecialFunctions.ts"

/** The chances of the counts from `lowest` on; those of all others are negligible. */
export interface Chances {
  readonly lowest: number
  readonly values: Float64Array
}

/** How many of some trials pass: each with the same share, known or distributed. */
export type Passing = { readonly known: number; readonly rest: number } | Beta

/** The share that passes on average, and the variance of the count of `trials` who pass. */
export const momentsOf = (passing: Passing) => {
  const isKnown = "known" in passing
  const share = isKnown ? passing.known : passing.alpha / (passing.alpha + passing.beta)
  const rest = isKnown ? passing.rest : passing.beta / (passing.alpha + passing.beta)
  const spread = isKnown ? 0 : 1 / (passing.alpha + passing.beta + 1)
  return { share, variance: (trials: number) => trials * share * rest * (1 + (trials - 1) * spread) }
}
