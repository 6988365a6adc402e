import { at, type Counts } from "./Counts.ts"

/**
 * The distribution of a count as a cubic spline: `sums[i]` is the chance of at most `ends[i]`, and rises between two
 * ends along the cubic that has the `slopes` there. The first end, with a chance of 0, is below all counts; the last
 * one has a chance of 1.
 */
export interface Spline {
  readonly ends: Float64Array
  readonly sums: Float64Array
  readonly slopes: Float64Array
}

/**
 * A step is divided if its chances differ from an even rise by more than this, or by more than this part of its own.
 */
const maxUneven = 2e-3
const maxUnevenPart = 1 / 5

/** A step with at most this chance is not divided. */
const minDivided = 4e-4

/** The greatest chance of a step of several counts. */
const maxOfStep = 1 / 8

/** A chance that makes no difference, at either end. */
const negligibleEnd = 1e-9

/**
 * The slopes at the ends of steps: that of the parabola through three ends, or less where a cubic would not rise (de
 * Boor and Swartz, Journal of Approximation Theory 21, 1977).
 */
const slopesOf = (ends: Float64Array, sums: Float64Array): Float64Array => {
  const width = (step: number) => at(ends, step + 1) - at(ends, step)
  const slope = (step: number) => (at(sums, step + 1) - at(sums, step)) / width(step)
  return ends.map((_, index) => {
    if (index === 0) return slope(0)
    const [left, before] = [width(index - 1), slope(index - 1)]
    if (index === ends.length - 1) return before
    const [right, after] = [width(index), slope(index)]
    return Math.min((right * before + left * after) / (left + right), 3 * before, 3 * after)
  })
}

/**
 * The spline of a count above `below` and up to `most`, by its chances of at most a count. They are computed for as few
 * counts as possible: a step is divided into three until its chances rise nearly evenly.
 */
export const splineOf = (below: number, most: number, chanceOfAtMost: (count: number) => number): Spline => {
  const ends = [below]
  const sums = [0]
  const add = (end: number, sum: number): void => {
    if (sum < negligibleEnd) ends[0] = end
    else if ((sums.at(-1) ?? 0) < 1) {
      ends.push(end)
      sums.push(sum > 1 - negligibleEnd ? 1 : sum)
    }
  }
  const fill = (low: number, lowSum: number, high: number, highSum: number): void => {
    const chance = highSum - lowSum
    if (high - low === 1 || chance <= minDivided) return add(high, highSum)
    const third = Math.ceil((high - low) / 3)
    const points: Array<{ readonly count: number; readonly sum: number }> = []
    const maxDeviation = Math.min(maxUneven, chance * maxUnevenPart)
    let isUneven = chance > maxOfStep
    let before = lowSum
    for (const count of new Set([low + third, Math.max(low + third, high - third)])) {
      const sum = Math.min(Math.max(chanceOfAtMost(count), before), highSum)
      isUneven ||= Math.abs(sum - lowSum - (chance * (count - low)) / (high - low)) > maxDeviation
      points.push({ count, sum })
      before = sum
    }
    let [from, fromSum] = [low, lowSum]
    for (const { count, sum } of [...points, { count: high, sum: highSum }]) {
      if (isUneven) fill(from, fromSum, count, sum)
      else add(count, sum)
      from = count
      fromSum = sum
    }
  }
  // The chance of the smallest count is often that of nobody, which the answer says.
  const smallest = Math.min(below + 1, most - 1)
  const ofSmallest = smallest === below ? 0 : Math.min(Math.max(chanceOfAtMost(smallest), 0), 1)
  add(smallest, ofSmallest)
  fill(smallest, ofSmallest, most, 1)
  const steps = { ends: Float64Array.from(ends), sums: Float64Array.from(sums) }
  return { ...steps, slopes: slopesOf(steps.ends, steps.sums) }
}

/** The last index whose value is below a limit, at least 0 and less than the last one; values rise. */
export const lastBelow = (values: Float64Array, limit: number): number => {
  let low = 0
  for (let high = values.length - 1; high - low > 1;) {
    const middle = (low + high) >> 1
    if (at(values, middle) < limit) low = middle
    else high = middle
  }
  return low
}

/** The chance of at most `count`, which is in the step after the end at `index`, or beyond it at either end. */
export const chanceInStep = ({ ends, slopes, sums }: Spline, index: number, count: number): number => {
  const low = at(ends, index)
  const width = at(ends, index + 1) - low
  const from = at(sums, index)
  const rise = at(sums, index + 1) - from
  if (count <= low) return from
  const part = (count - low) / width
  if (part >= 1) return from + rise
  const [first, last] = [at(slopes, index) * width, at(slopes, index + 1) * width]
  return from + part * (first + part * (3 * rise - 2 * first - last + part * (first + last - 2 * rise)))
}

/** The counts of a spline, between the smallest and the greatest possible one. */
export const countsOfSpline = (spline: Spline, least: number, most: number): Counts => ({
  least,
  most,
  atLeast: (count) => 1 - chanceInStep(spline, lastBelow(spline.ends, count - 1), count - 1),
  smallestReaching: (level) => {
    const index = lastBelow(spline.sums, level)
    let [low, high] = [at(spline.ends, index), at(spline.ends, index + 1)]
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2)
      if (chanceInStep(spline, index, middle) >= level) high = middle
      else low = middle
    }
    return high
  }
})
