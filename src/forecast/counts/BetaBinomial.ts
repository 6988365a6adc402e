import { makeAtLeast, type Mixture } from "./Contour.ts"
import { at, type Counts, type Distribution, pmf } from "./Counts.ts"
import { type Beta, digamma, trigamma } from "./SpecialFunctions.ts"

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
 * The number of `trials` that succeed, each with the chance of `known` trials and then of one share after another. Only
 * sums and products of positive numbers: accurate to 1e-13, in time proportional to the square of `trials`.
 */
export const urn = (trials: number, known: Distribution, shares: ReadonlyArray<Beta>): Distribution => {
  const first = Float64Array.from({ length: trials + 1 }, (_, count) => pmf(known, count))
  let sum = 0
  return { lowest: 0, sums: shares.reduce(draw, first).map((chance) => (sum += chance)), first: 0, last: trials }
}

const logit = (chance: number): number => {
  const kept = Math.min(Math.max(chance, 1e-15), 1 - 1e-15)
  return Math.log(kept / (1 - kept))
}

/** The log-odds of a count out of all trials, and the distance of the log-odds of its chance above the target. */
interface Point {
  readonly x: number
  readonly y: number
}

/** After this many guesses on the same side of the root, each step is twice as long as the one before. */
const maxOnOneSide = 2

/**
 * The part of the way from `a` to `b`, on the other side of the root, to the next guess: by inverse quadratic
 * interpolation with `c`, the previous point on the side of `a`, if that can be trusted; otherwise halfway
 * (Chandrupatla, Advances in Engineering Software 28, 1997).
 */
const partOfStep = (a: Point, b: Point, c: Point | undefined): number => {
  if (c === undefined) return a.y / (a.y - b.y)
  const xi = (a.x - b.x) / (c.x - b.x)
  const phi = (a.y - b.y) / (c.y - b.y)
  if (phi * phi >= xi || (1 - phi) * (1 - phi) >= 1 - xi) return 0.5
  const byB = (a.y / (b.y - a.y)) * (c.y / (b.y - c.y))
  const byC = ((c.x - a.x) / (b.x - a.x)) * (a.y / (c.y - a.y)) * (b.y / (c.y - b.y))
  return byB + byC
}

/**
 * The smallest count that is exceeded with a chance of at most `target`. The log-odds of that chance are nearly a
 * straight line in the log-odds of the count, so a secant through the last two points finds it in a few evaluations.
 */
export const smallestNotExceeded = (
  mixture: Mixture,
  atLeast: (count: number) => number,
  target: number,
  near?: number
): number => {
  const { known, shares, trials } = mixture
  const center = shares.reduce((sum, { alpha, beta }) => sum + digamma(alpha) - digamma(alpha + beta), Math.log(known))
  const mean = shares.reduce((product, { alpha, beta }) => product * (alpha / (alpha + beta)), known)
  const spread = Math.sqrt(
    shares.reduce((sum, { alpha, beta }) => sum + trigamma(alpha) - trigamma(alpha + beta), 1 / (trials * mean))
  )
  const wanted = logit(target)
  let slope = -1.7 / spread
  let guess = near ?? trials * Math.exp(center + wanted / slope) + 0.5
  const countAt = (x: number) => (trials + 1) / (1 + Math.exp(-x))
  let low = 0
  let high = trials + 1
  let below: Point | undefined
  let above: Point | undefined
  let last: Point | undefined
  for (let evaluations = 1; high - low > 1; evaluations++) {
    const count = Math.min(Math.max(Math.round(guess), low + 1), high - 1)
    const chance = atLeast(count)
    const isExceeded = chance > target
    const point = { x: Math.log(count / (trials + 1 - count)), y: logit(chance) - wanted }
    const other = isExceeded ? above : below
    let x: number
    if (other === undefined) {
      const measured = last === undefined ? 0 : (point.y - last.y) / (point.x - last.x)
      if (measured < 0) slope = measured
      x = point.x - (point.y / slope) * 2 ** Math.max(evaluations - maxOnOneSide, 0)
    } else {
      x = point.x + partOfStep(point, other, isExceeded ? below : above) * (other.x - point.x)
    }
    if (isExceeded) {
      low = count
      below = point
      guess = Math.max(Math.ceil(countAt(x)), low + 1)
    } else {
      high = count
      above = point
      guess = Math.min(Math.floor(countAt(x)), high - 1)
    }
    last = point
  }
  return high - 1
}

/** Successes in `trials` whose chance is `known`, above 0, times one share of each posterior, at least one. */
export const betaBinomial = (mixture: Mixture): Counts => {
  const { trials } = mixture
  const mixtureAtLeast = makeAtLeast(mixture)
  const atLeast = (count: number): number => {
    if (count <= 0) return 1
    return count > trials ? 0 : Math.min(Math.max(mixtureAtLeast(count), 0), 1)
  }
  return {
    least: 0,
    most: trials,
    atLeast,
    smallestReaching: (level, guess) => smallestNotExceeded(mixture, atLeast, 1 - level, guess)
  }
}
