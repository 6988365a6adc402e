import { type Beta, gammaStep } from "../counts/SpecialFunctions.ts"
import type { Level } from "../Campaign.ts"
import { at } from "../counts/Counts.ts"
import { type Density, type Grid, gridOf } from "./DensityGrid.ts"
import { evenLevels } from "./Levels.ts"

/** The counts that a rate is learned from: `successes` out of `trials`, above 0, in one campaign. */
export interface Tally {
  readonly successes: number
  readonly trials: number
}

/** The distribution of the next campaign's rate, after all campaigns and after all but one of them. */
export interface LearnedRate {
  readonly all: Beta & {
    /** The geometric mean of a, which says how much rates vary around their mean. */
    readonly shape: number
  }
  /** The possible levels of the mean m, after all campaigns. */
  readonly levels: ReadonlyArray<Level>
  /** Undefined if there is no other campaign. */
  readonly without: (index: number) => Beta | undefined
}

/** The plan is worth this many cases of the rarer outcome. */
const worth = 2

/** ln a is normally distributed around this, with this deviation. */
const center = Math.log(4)
const deviation = 0.7

/**
 * Leaving a campaign out may widen the distribution beyond the grid: at its edge the weight must be below exp of this.
 */
const outside = -13

/**
 * The distribution of the rates of campaigns: those of the rarer outcome are Beta(shape, other), as κm = a where m is
 * its mean. With ln Γ(shape + other) less ln Γ(other), and less ln Γ(shape).
 */
interface Rates {
  readonly shape: number
  readonly other: number
  readonly overOther: number
  readonly overShape: number
}

/** The distribution for a shape a, and the odds exp |u| against the rarer outcome. */
const ratesOf = (shape: number, odds: number): Rates => {
  const other = shape * odds
  return { shape, other, overOther: gammaStep(shape, other), overShape: gammaStep(other, shape) }
}

/** ln of the chance of a campaign's counts of the rarer outcome and the other, up to a constant: it is beta-binomial. */
const logChance = (rare: number, common: number, rareStep: number, rates: Rates): number => {
  const { other, overOther, overShape, shape } = rates
  // Both ways are correct; the rarer outcome has the smaller gaps, which keep more digits.
  return rare <= common
    ? rareStep - gammaStep(shape + rare, other + common) + overOther
    : gammaStep(common, other) - gammaStep(other + common, shape + rare) + overShape
}

/** A weight whose logarithm is below that of the greatest one by this adds nothing to a sum. */
const negligibleExponent = -36

/** The weights of the columns of a grid, and by how much the rates of a column vary around its mean, times its weight. */
const weighColumns = ({ columns, rows, spreads }: Grid, logWeights: Float64Array) => {
  let greatest = -Infinity
  for (const weight of logWeights) if (weight > greatest) greatest = weight
  const last = rows.length - 1
  const weights = new Float64Array(columns.length)
  const withins = new Float64Array(columns.length)
  let edge = -Infinity
  let index = 0
  for (const [column, { isOuter, length, m, rest }] of columns.entries()) {
    let weight = 0
    let spread = 0
    for (let row = 0; row <= last; row++, index++) {
      const height = at(logWeights, index) - greatest
      if (height > edge && (isOuter || row === 0 || row === last)) edge = height
      if (height < negligibleExponent) continue
      const ofPoint = Math.exp(height)
      weight += ofPoint
      spread += ofPoint * at(spreads, index)
    }
    weights[column] = weight * length
    withins[column] = spread * length * m * rest
  }
  /** The greatest weight at the edge of the grid, as the logarithm of its part of the greatest one. */
  return { weights, withins, edge }
}

/** The Beta distribution with the mean and variance of the next rate. */
const matched = ({ columns }: Grid, { weights, withins }: ReturnType<typeof weighColumns>): Beta => {
  let total = 0
  let first = 0
  for (const [column, { m }] of columns.entries()) {
    total += at(weights, column)
    first += at(weights, column) * m
  }
  const mean = first / total
  let variance = 0
  for (const [column, { m }] of columns.entries()) {
    variance += at(withins, column) + at(weights, column) * (m - mean) * (m - mean)
  }
  const cases = (mean * (1 - mean) * total) / variance - 1
  return { alpha: cases * mean, beta: cases * (1 - mean) }
}

/** The geometric mean of a. */
const shapeOf = ({ columns, rows }: Grid, logWeights: Float64Array): number => {
  const greatest = logWeights.reduce((most, weight) => Math.max(most, weight))
  let total = 0
  let logShape = 0
  let index = 0
  for (const { length } of columns) {
    for (const { v } of rows) {
      const weight = length * Math.exp(at(logWeights, index++) - greatest)
      total += weight
      logShape += weight * v
    }
  }
  return Math.exp(logShape / total)
}

/**
 * ln of the chance of a tally at each point of a grid. As long as the rarer outcome is the same, the part of its count
 * alone depends on the row only; that saves half of the time that a history takes.
 */
const likelihoodOf = ({ columns, rows }: Grid, rates: ReadonlyArray<Rates>, tally: Tally): Float64Array => {
  const failures = tally.trials - tally.successes
  const ofSuccesses = Float64Array.from(rows, ({ shape }) => gammaStep(tally.successes, shape))
  const ofFailures = Float64Array.from(rows, ({ shape }) => gammaStep(failures, shape))
  const result = new Float64Array(rates.length)
  for (const [column, { u }] of columns.entries()) {
    const isSuccessRare = u < 0
    const [rare, common] = isSuccessRare ? [tally.successes, failures] : [failures, tally.successes]
    const rareSteps = isSuccessRare ? ofSuccesses : ofFailures
    for (let row = 0, index = column * rows.length; row < rows.length; row++, index++) {
      const each = rates[index]
      if (each !== undefined) result[index] = logChance(rare, common, rareSteps[row] ?? 0, each)
    }
  }
  return result
}

/**
 * Learns a rate from past campaigns. Each of them has a rate of its own, Beta(κm, κ(1 - m)) with κ = a / min(m, 1 - m).
 * The mean m has the plan's share, from 0 to 1, as its own prior mean, Beta(kp, k(1 - p)) with k = 2 / min(p, 1 - p); ln a
 * is normal around ln 4 with a deviation of 0.7. The next campaign's rate is taken as the Beta distribution with the mean
 * and the variance of the posterior mixture, by quadrature over the logit of m and ln a. Both are right to 1e-6; where
 * plan and campaigns contradict each other, so that the posterior has two humps, to 1e-4.
 */
export const learnRate = (planned: number, tallies: ReadonlyArray<Tally>): LearnedRate => {
  const cases = worth / Math.min(planned, 1 - planned)
  const prior = (u: number, v: number): number => {
    const rare = Math.log1p(Math.exp(-Math.abs(u)))
    const [logM, logRest] = u < 0 ? [u - rare, -rare] : [-rare, -u - rare]
    const distance = (v - center) / deviation
    return cases * (planned * logM + (1 - planned) * logRest) - (distance * distance) / 2
  }
  /** The parts of the rarer counts alone, of successes and of failures, by v: the search returns to few of them. */
  const rareSteps = new Map<number, { readonly ofSuccesses: number; readonly ofFailures: number }>()
  const rareStepsAt = (v: number, shape: number) => {
    const known = rareSteps.get(v)
    if (known !== undefined) return known
    let [ofSuccesses, ofFailures] = [0, 0]
    for (const { successes, trials } of tallies) {
      const failures = trials - successes
      const step = gammaStep(Math.min(successes, failures), shape)
      if (successes <= failures) ofSuccesses += step
      if (failures <= successes) ofFailures += step
    }
    const steps = { ofSuccesses, ofFailures }
    rareSteps.set(v, steps)
    return steps
  }
  const density: Density = (u, v) => {
    const rates = ratesOf(Math.exp(v), Math.exp(Math.abs(u)))
    const { ofFailures, ofSuccesses } = rareStepsAt(v, rates.shape)
    let sum = prior(u, v) + (u < 0 ? ofSuccesses : ofFailures)
    for (const { successes, trials } of tallies) {
      const failures = trials - successes
      sum += u < 0 ? logChance(successes, failures, 0, rates) : logChance(failures, successes, 0, rates)
    }
    return sum
  }
  const successes = tallies.reduce((sum, tally) => sum + tally.successes, cases * planned)
  const failures = tallies.reduce((sum, { successes, trials }) => sum + trials - successes, cases * (1 - planned))
  const grid = gridOf(density, { u: Math.log(successes / failures), v: center }, deviation)
  const rates = grid.columns.flatMap(({ odds }) => grid.rows.map(({ shape }) => ratesOf(shape, odds)))
  const all = Float64Array.from(grid.columns.flatMap(({ u }) => grid.rows.map(({ v }) => prior(u, v))))
  const likelihoods = tallies.map((tally) => likelihoodOf(grid, rates, tally))
  for (const likelihood of likelihoods) {
    for (let index = 0; index < all.length; index++) all[index] = at(all, index) + at(likelihood, index)
  }
  const rest = new Float64Array(all.length)
  const weighed = weighColumns(grid, all)
  const levels = grid.columns.map(({ m }, column) => {
    const weight = at(weighed.weights, column)
    return { weight, mean: m, square: m * m + (weight > 0 ? at(weighed.withins, column) / weight : 0) }
  })
  return {
    all: { ...matched(grid, weighed), shape: shapeOf(grid, all) },
    levels: evenLevels(levels),
    without: (left) => {
      const likelihood = likelihoods[left]
      if (tallies.length === 1 || likelihood === undefined) return undefined
      for (let index = 0; index < all.length; index++) rest[index] = at(all, index) - at(likelihood, index)
      const weighed = weighColumns(grid, rest)
      if (weighed.edge < outside) return matched(grid, weighed)
      return learnRate(
        planned,
        tallies.filter((_, index) => index !== left)
      ).all
    }
  }
}
