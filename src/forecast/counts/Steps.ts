import type { Counts } from "./Counts.ts"

/**
 * The distribution of a count in steps: `sums[i]` is the chance of at most `ends[i]`, and rises evenly between two
 * ends. The first end, with a chance of 0, is below all counts; the last one has a chance of 1.
 */
export interface Steps {
  readonly ends: Float64Array
  readonly sums: Float64Array
}

/** A step whose chances differ from an even rise by more than this is divided. */
const maxUneven = 4e-4

/** The greatest chance of a step of several counts. */
const maxOfStep = 1 / 32

/** A chance that makes no difference, at either end. */
const negligible = 1e-9

const at = (values: Float64Array, index: number): number => values[index] ?? 0

/**
 * The steps of a count above `below` and up to `most`, by its chances of at most a count. They are computed for as few
 * counts as possible: a step is divided into three until its chances rise evenly.
 */
export const stepsOf = (below: number, most: number, chanceOfAtMost: (count: number) => number): Steps => {
  const ends = [below]
  const sums = [0]
  const add = (end: number, sum: number): void => {
    if (sum < negligible) ends[0] = end
    else if ((sums.at(-1) ?? 0) < 1) {
      ends.push(end)
      sums.push(sum > 1 - negligible ? 1 : sum)
    }
  }
  const fill = (low: number, lowSum: number, high: number, highSum: number): void => {
    const chance = highSum - lowSum
    if (high - low === 1 || chance <= maxUneven) return add(high, highSum)
    const third = Math.ceil((high - low) / 3)
    const points: Array<{ readonly count: number; readonly sum: number }> = []
    let isUneven = chance > maxOfStep
    let before = lowSum
    for (const count of new Set([low + third, Math.max(low + third, high - third)])) {
      const sum = Math.min(Math.max(chanceOfAtMost(count), before), highSum)
      isUneven ||= Math.abs(sum - lowSum - (chance * (count - low)) / (high - low)) > maxUneven
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
  fill(below, 0, most, 1)
  return { ends: Float64Array.from(ends), sums: Float64Array.from(sums) }
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
export const chanceInStep = ({ ends, sums }: Steps, index: number, count: number): number => {
  const [low, high] = [at(ends, index), at(ends, index + 1)]
  const [from, to] = [at(sums, index), at(sums, index + 1)]
  if (count <= low) return from
  return count >= high ? to : from + ((to - from) * (count - low)) / (high - low)
}

/** Counts in steps, between the smallest and the greatest possible one. */
export const countsInSteps = (steps: Steps, least: number, most: number): Counts => ({
  least,
  most,
  atLeast: (count) => 1 - chanceInStep(steps, lastBelow(steps.ends, count - 1), count - 1),
  smallestReaching: (level) => {
    const { ends, sums } = steps
    const index = lastBelow(sums, level)
    const [low, from] = [at(ends, index), at(sums, index)]
    const part = (level - from) / (at(sums, index + 1) - from)
    return low + Math.max(Math.ceil(part * (at(ends, index + 1) - low)), 1)
  }
})
