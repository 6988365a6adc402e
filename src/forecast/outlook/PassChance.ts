import type { Beta } from "./SpecialFunctions.ts"

/** The chances of the counts from `lowest` on; those of all other counts are negligible. */
export interface Chances {
  readonly lowest: number
  readonly values: Float64Array
}

/** The chance that a trial passes, the same for all: known, or distributed. */
export type PassChance = { readonly known: number; readonly rest: number } | Beta

/** The mean of the share that passes, and the variance of the number that passes out of `trials`. */
export const momentsOf = (passChance: PassChance) => {
  const isKnown = "known" in passChance
  const share = isKnown ? passChance.known : passChance.alpha / (passChance.alpha + passChance.beta)
  const rest = isKnown ? passChance.rest : passChance.beta / (passChance.alpha + passChance.beta)
  const spread = isKnown ? 0 : 1 / (passChance.alpha + passChance.beta + 1)
  return { share, variance: (trials: number) => trials * share * rest * (1 + (trials - 1) * spread) }
}
