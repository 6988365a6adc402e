import { at } from "./Counts.ts"
import { type Beta, gammaStep } from "./SpecialFunctions.ts"
import { chanceInStep, lastBelow, type Spline, splineOf } from "./Spline.ts"

/** The chance that a trial passes, the same for all: known, or distributed. */
export type PassChance = { readonly known: number; readonly rest: number } | Beta

/** A part of a sum is as wide as its terms change by a factor of about e to the power of this. */
const widthOfPart = 0.6

/** Narrower parts are summed term by term. */
const narrow = 6

/** A term whose logarithm is below that of the greatest one by this makes no difference. */
const depth = 16

/** Running sums of logarithms, computed as far as they are needed. */
const makeSums = (first: number, next: (index: number) => number) => {
  let sums = Float64Array.of(first)
  return (length: number): Float64Array => {
    if (sums.length >= length) return sums
    const longer = new Float64Array(length)
    longer.set(sums)
    for (let index = sums.length; index < length; index++) longer[index] = at(longer, index - 1) + next(index)
    sums = longer
    return sums
  }
}

/**
 * Logarithms of the three factors of a chance that is beta-binomial or binomial: of those who pass, of those who do
 * not, and of all people.
 */
const logarithmsOf = (passChance: PassChance) => {
  if ("known" in passChance) {
    const [passing, failing] = [Math.log(passChance.known), Math.log(passChance.rest)]
    return {
      passed: (count: number) => (count + 1) * passing - gammaStep(count, 1),
      failed: makeSums(0, (count) => failing - Math.log(count)),
      people: makeSums(0, Math.log)
    }
  }
  const { alpha, beta } = passChance
  return {
    passed: (count: number) => gammaStep(count + 1, alpha) - gammaStep(count, 1),
    failed: makeSums(0, (count) => Math.log((beta + count - 1) / count)),
    people: makeSums(-Math.log(alpha + beta), (count) => Math.log(count / (alpha + beta + count)))
  }
}

/** About how many people it takes until one more has passed: the most likely number, for each who has passed. */
const peopleForEach = (passChance: PassChance): number =>
  "known" in passChance ? 1 / passChance.known : (passChance.alpha + passChance.beta) / (1 + passChance.alpha)

/**
 * Creates a function to the number that passes out of a random number of people and `open` more, all with the same
 * share.
 *
 * More than k pass if there are more people than n, after whom the next one is the (k + 1)th to pass. The chance of n
 * is a smooth function with one peak, so its sum, times the chance of more than n people, takes few terms: each part of
 * it, no wider than a step of people and than the function allows, is summed as a parabola.
 */
export const makeSplineThinning = (passChance: PassChance) => {
  const logarithms = logarithmsOf(passChance)
  const forEach = peopleForEach(passChance)
  return (given: Spline, open: number): Spline => {
    const ends = given.ends.map((end) => end + open)
    const steps = { ...given, ends }
    const [fewest, most] = [at(ends, 0), at(ends, ends.length - 1)]
    const failed = logarithms.failed(most + 1)
    const people = logarithms.people(most + 1)

    const chanceOfMore = (passed: number): number => {
      const height = (n: number): number => at(failed, n - passed) + at(people, n)
      const peak = Math.min(Math.max(Math.floor(passed * forEach - 1), passed), most - 1)
      const top = height(peak)
      const middle = lastBelow(ends, peak + 1)
      const term = (n: number, logarithm: number, step: number): number =>
        Math.exp(logarithm - top) * (1 - chanceInStep(steps, Math.max(step, 0), n))
      const first = term(peak, top, middle)
      let sum = first
      // Upwards and downwards, from part to part.
      for (const way of [1, -1]) {
        const last = way > 0 ? most - 1 : passed
        // The step of the part begins at `low`.
        let step = peak < fewest ? -1 : middle
        for (let from = peak, before = first, here = top; from !== last && here > top - depth;) {
          if (way > 0) {
            if (from === at(ends, step + 1)) step++
          } else if (step >= 0 && from === at(ends, step)) step--
          const low = step < 0 ? 0 : at(ends, step)
          const end = way > 0 ? Math.min(at(ends, step + 1), last) : Math.max(low, last)
          const room = Math.abs(end - from)
          let half = 0
          if (room >= narrow) {
            const change = height(from + way) - here
            const bend = height(from + 2 * way) - here - 2 * change
            const smooth = widthOfPart / Math.sqrt(change * change + Math.abs(bend))
            // Towards nobody who fails, the function may have a pole.
            const width = way > 0 ? smooth : Math.min(smooth, (from - passed) / 2)
            if (width >= narrow) half = Math.floor(Math.min(width, room) / 2)
          }
          const to = from + way * Math.max(2 * half, 1)
          here = height(to)
          const value = term(to, here, step)
          if (half > 0) {
            const center = from + way * half
            const inside = term(center, height(center), step)
            const bend = before - 2 * inside + value
            sum += ((before + 4 * inside + value) * half) / 3 + bend / (6 * half) - (before + value) / 2
          }
          sum += value
          from = to
          before = value
        }
      }
      return sum * Math.exp(top + logarithms.passed(passed))
    }
    return splineOf(-1, most, (passed) => 1 - chanceOfMore(passed))
  }
}
