import type { Beta } from "./SpecialFunctions.ts"

/** The chances of the counts from `lowest` on; those of all other counts are negligible. */
export interface Chances {
  readonly lowest: number
  readonly values: Float64Array
}

/** The chance that a trial passes, the same for all: known, or distributed. */
export type PassChance = { readonly known: number; readonly rest: number } | Beta
