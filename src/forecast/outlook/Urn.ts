import { type Distribution, pmf } from "./Binomial.ts"
import type { Beta } from "./SpecialFunctions.ts"

const at = (values: Float64Array, index: number): number => values[index] ?? 0

/**
 * The number of people that pass if each passes with one share B, the same for all: Pólya's urn. With `passed` of
 * `drawn` so far, the next one passes with the chance (alpha + passed) / (alpha + beta + drawn).
 */
const draw = (people: Float64Array, { alpha, beta }: Beta): Float64Array => {
  const result = new Float64Array(people.length)
  const chances = new Float64Array(people.length)
  chances[0] = 1
  result[0] = at(people, 0)
  for (let drawn = 0; drawn + 1 < people.length; drawn++) {
    const total = alpha + beta + drawn
    const weight = at(people, drawn + 1)
    for (let passed = drawn + 1; passed >= 0; passed--) {
      const stays = (at(chances, passed) * (beta + drawn - passed)) / total
      // There is no element before the first one, and reading out of bounds would be five times slower.
      const grows = passed === 0 ? 0 : (at(chances, passed - 1) * (alpha + passed - 1)) / total
      // Of `drawn` people at most `drawn` have passed: no chance stays at this count yet.
      chances[passed] = passed > drawn ? grows : stays + grows
      result[passed] = at(result, passed) + weight * at(chances, passed)
    }
  }
  return result
}

/**
 * How many of `trials` succeed, each with the chance of `known` trials and then of one share after another. Only sums
 * and products of positive numbers: accurate to 1e-13, in time proportional to the square of `trials`.
 */
export const urn = (trials: number, known: Distribution, shares: ReadonlyArray<Beta>): Distribution => {
  const first = Float64Array.from({ length: trials + 1 }, (_, count) => pmf(known, count))
  let sum = 0
  return { lowest: 0, sums: shares.reduce(draw, first).map((chance) => (sum += chance)), first: 0, last: trials }
}
