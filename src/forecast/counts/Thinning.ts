import { at } from "./Counts.ts"
import { type Spline, splineOf } from "./Spline.ts"
import { makeSplineThinning, type PassChance } from "./SplineThinning.ts"
import { negligibleChance, weigh } from "./Weights.ts"

/** The chances of the counts from `lowest` on; those of all other counts are negligible. */
export interface Chances {
  readonly lowest: number
  readonly values: Float64Array
}

/** The most chances that are summed one by one. */
const maxSummed = 500_000

/** About how many counts have a noticeable chance, given the number of people: a body like a normal one, and a tail. */
const widthOf = (trials: number, passChance: PassChance): number => {
  const isKnown = "known" in passChance
  const [alpha, beta] = isKnown ? [Infinity, Infinity] : [passChance.alpha, passChance.beta]
  const share = isKnown ? passChance.known * passChance.rest : (alpha / (alpha + beta)) * (beta / (alpha + beta))
  const variance = trials * share * (1 + (trials - 1) / (alpha + beta + 1))
  return Math.min(trials, 16 * Math.sqrt(variance) + 30 * (1 + trials / Math.max(alpha, beta)))
}

/** Chances without those at both ends that make no difference. */
const trimmed = ({ lowest, values }: Chances): Chances => {
  let first = 0
  let last = values.length - 1
  while (first < last && at(values, first) < negligibleChance) first++
  while (last > first && at(values, last) < negligibleChance) last--
  return { lowest: lowest + first, values: values.slice(first, last + 1) }
}

/** Sums of binomial or beta-binomial counts. */
const thinExactly = ({ lowest, values }: Chances, open: number, passChance: PassChance): Chances => {
  const most = lowest + values.length - 1 + open
  const sums = new Float64Array(most + 1)
  const weights = new Float64Array(most + 1)
  for (let index = 0; index < values.length; index++) {
    const chance = at(values, index)
    if (chance < negligibleChance) continue
    const { high, low, total } = weigh(lowest + index + open, passChance, weights)
    const scale = chance / total
    for (let count = low; count <= high; count++) sums[count] = at(sums, count) + scale * at(weights, count)
  }
  return trimmed({ lowest: 0, values: sums })
}

const toSpline = ({ lowest, values }: Chances): Spline => {
  let sum = 0
  const sums = values.map((chance) => (sum += chance))
  return splineOf(lowest - 1, lowest + values.length - 1, (count) => at(sums, count - lowest))
}

/** A number of people: each chance, or so many that a spline has their chances. */
export type People = Chances | Spline

/**
 * Creates a function to the number that passes out of a random number of people and `open` more, all with the same
 * share. It is exact up to half a million sums, and then in about a hundred steps: a chance is right to about 0.0005.
 */
export const makeThinning = (passChance: PassChance) => {
  const thinSpline = makeSplineThinning(passChance)
  return (people: People, open: number): People => {
    if ("known" in passChance) {
      if (passChance.rest === 0) {
        return "values" in people
          ? { ...people, lowest: people.lowest + open }
          : { ...people, ends: people.ends.map((end) => end + open) }
      }
      if (passChance.known === 0) return { lowest: 0, values: Float64Array.of(1) }
    }
    if ("ends" in people) return thinSpline(people, open)
    const { lowest, values } = people
    return values.length * widthOf(lowest + open + values.length / 2, passChance) > maxSummed
      ? thinSpline(toSpline(people), open)
      : thinExactly(people, open, passChance)
  }
}
