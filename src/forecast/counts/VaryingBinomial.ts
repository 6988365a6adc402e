import { betaBinomial } from "./BetaBinomial.ts"
import { at, cdf, type Counts, type Distribution, smallestReaching, SummedCounts } from "./Counts.ts"
import { type Beta, gammaStep } from "./SpecialFunctions.ts"

/**
 * Trials that succeed with the chance `known · B`, one share B for all of them; `rest` is 1 - known, passed because the
 * subtraction would lose its digits if `known` is near 1.
 */
export interface VaryingChance {
  readonly trials: number
  readonly known: number
  readonly rest: number
  readonly share: Beta
}

/** The most counts that are summed: for more, the contour is faster. */
const maxSums = 20_000

/** A weight that makes no difference, as a part of the greatest one. */
const negligibleWeight = 1e-18

/** The first weight, chosen so that weights neither vanish nor overflow on the way to the greatest one. */
const firstWeight = 1e-200
const greatestWeight = 1e250

/** Chances of no success below this may have lost their digits. */
const minNone = 1e-200

/** The natural logarithm of the factor by which a start with wrong weights must have decayed. */
const settled = 32

/**
 * The approximate quantile of a gamma distribution, as a multiple of its mean, `z` standard deviations out
 * (Wilson-Hilferty).
 */
const gammaQuantile = (shape: number, z: number): number =>
  Math.max(1 - 1 / (9 * shape) + z / (3 * Math.sqrt(shape)), 0) ** 3

/**
 * The chance of no success. Of the trials, J pass the known chance, which is binomial; none of those passes the share
 * with the chance (β)ⱼ / (α + β)ⱼ. The sum over J goes outwards from its mode.
 */
const chanceOfNone = ({ known, rest, share: { alpha, beta }, trials }: VaryingChance): number => {
  const mode = Math.floor(trials * known)
  const atMode = Math.exp(gammaStep(alpha, beta) - gammaStep(alpha, beta + mode))
  if (rest === 0) return atMode
  const odds = known / rest
  const total = alpha + beta
  const reach = Math.ceil(6.5 * Math.sqrt(trials * known * rest)) + 10
  let weights = 1
  let sum = 1
  for (let j = mode, weight = 1, product = 1; j < Math.min(trials, mode + reach); j++) {
    const inverse = 1 / ((j + 1) * (total + j))
    weight *= (trials - j) * odds * (total + j) * inverse
    product *= (trials - j) * odds * (beta + j) * inverse
    weights += weight
    sum += product
  }
  for (let j = mode, weight = 1, product = 1; j > Math.max(0, mode - reach); j--) {
    const inverse = 1 / ((trials - j + 1) * odds * (beta + j - 1))
    weight *= j * (beta + j - 1) * inverse
    product *= j * (total + j - 1) * inverse
    weights += weight
    sum += product
  }
  return (atMode * sum) / weights
}

/**
 * Fills in the weights of the counts from `last` down, the last one at the end of the sums, until they make no
 * difference; returns the lowest count, or undefined if the sums are too few. It starts at `top`, some counts above.
 *
 * The generating function of the counts, ₂F₁(-n, α; α + β; known (1 - z)), solves a differential equation that relates
 * three neighbours. Downwards that is stable: other solutions die out by a factor of about n known / count with each
 * step.
 */
const weighDown = (
  { known, rest, share: { alpha, beta }, trials }: VaryingChance,
  top: number,
  last: number,
  sums: Float64Array,
  length: number
): number | undefined => {
  const base = alpha + beta - known * (alpha - trials + 1)
  const twist = 2 * known - 1
  const offset = length - 1 - last
  let above = 0
  let weight = firstWeight
  let greatest = 0
  if (top === last) sums[offset + top] = weight
  for (let count = top - 1; count >= 0; count--) {
    const inverse = 1 / (known * (count + alpha) * (trials - count))
    const next =
      (base - twist * count) * (count + 1) * inverse * weight - rest * (count + 2) * (count + 1) * inverse * above
    above = weight
    weight = next
    if (count > last) continue
    const index = offset + count
    if (index < 0 || !(weight < greatestWeight)) return undefined
    sums[index] = weight
    if (weight > greatest) greatest = weight
    else if (weight < negligibleWeight * greatest) return count
  }
  return 0
}

/**
 * The running sums of the chances from 0 to `last` if no other rate matters: each chance is the one before times a
 * ratio.
 */
const sumUpwards = (
  { share: { alpha, beta }, trials }: VaryingChance,
  none: number,
  last: number,
  sums: Float64Array
): void => {
  let weight = none
  let sum = none
  sums[0] = sum
  for (let count = 0; count < last; count++) {
    weight *= ((trials - count) * (alpha + count)) / ((count + 1) * (beta + trials - count - 1))
    sum += weight
    sums[count + 1] = sum
  }
}

/** Turns weights from `first` to `last` into running sums. */
const sumUp = (sums: Float64Array, first: number, last: number): void => {
  let sum = 0
  for (let index = first; index <= last; index++) {
    sum += at(sums, index)
    sums[index] = sum
  }
}

/**
 * The counts from 0 to a little above the 90% quantile, and one more that represents all others: enough for most
 * questions, in a fraction of the time. They are normalized by the chance of no success. Undefined if that is too
 * small, or if other solutions would not decay quickly.
 */
const near = (chance: VaryingChance): Distribution | undefined => {
  const { known, rest, share, trials } = chance
  const { alpha, beta } = share
  if (alpha < 0.5 || alpha > 30) return undefined
  const most = trials * known
  const high = Math.min((most * alpha * gammaQuantile(alpha, 1.2816)) / (alpha + beta), most)
  // The approximation errs by at most 0.013 / α of it, and chance adds at most 0.64 √α, however many counts there are.
  const last = Math.min(Math.ceil(high * (1 + 0.015 / alpha) + Math.sqrt(alpha)) + 3, trials)
  if (last + 14 * Math.sqrt(most * rest) > maxSums || (rest > 0 && last > most / 2)) return undefined
  const none = chanceOfNone(chance)
  if (none < minNone) return undefined
  const length = last + 1
  const sums = new Float64Array(length + 1)
  if (rest === 0) {
    sumUpwards(chance, none, last, sums)
    sums[length] = 1
  } else {
    const top = Math.min(last + Math.ceil(settled / Math.log(most / last)), trials)
    if (weighDown(chance, top, last, sums, length) !== 0) return undefined
    const total = at(sums, 0) / none
    sumUp(sums, 0, last)
    sums[length] = total
  }
  return { lowest: 0, sums, first: 0, last: length }
}

/** All counts; undefined if there are too many. */
const all = (chance: VaryingChance): Distribution | undefined => {
  const { known, share, trials } = chance
  const { alpha, beta } = share
  const mean = alpha / (alpha + beta)
  const most = trials * known
  const variance = most * mean * (1 - known * mean) + (most * most * mean * (1 - mean)) / (alpha + beta + 1)
  if (12 * Math.sqrt(variance) > maxSums) return undefined
  const high = most * Math.min(mean * gammaQuantile(alpha, 7.5), 1)
  const last = Math.min(Math.ceil(high + 9 * Math.sqrt(high * (1 - high / trials))) + 40, trials)
  const length = Math.min(last + 1, maxSums)
  const sums = new Float64Array(length)
  const lowest = weighDown(chance, last, last, sums, length)
  if (lowest === undefined) return undefined
  const end = length - 1
  const first = end - (last - lowest)
  sumUp(sums, first, end)
  return { lowest, sums, first, last: end }
}

/** The number of trials that succeed, by sums of as few counts as answer a question, or otherwise by the contour. */
export class VaryingCounts implements Counts {
  readonly least = 0
  readonly most: number
  readonly chance: VaryingChance
  readonly few: Distribution | undefined
  others: Counts | undefined

  constructor(chance: VaryingChance) {
    this.most = chance.trials
    this.chance = chance
    this.few = near(chance)
  }

  atLeast(count: number): number {
    const { few } = this
    return few !== undefined && count <= few.last - few.first ? 1 - cdf(few, count - 1) : this.any().atLeast(count)
  }

  smallestReaching(level: number, guess?: number): number {
    const { few } = this
    return few !== undefined && cdf(few, few.last - few.first - 1) >= level
      ? smallestReaching(few, level)
      : this.any().smallestReaching(level, guess)
  }

  any(): Counts {
    if (this.others !== undefined) return this.others
    const { known, share, trials } = this.chance
    const distribution = all(this.chance)
    this.others =
      distribution === undefined
        ? betaBinomial({ trials, known, shares: [share] })
        : new SummedCounts(distribution, 0, trials)
    return this.others
  }
}
