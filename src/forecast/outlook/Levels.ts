import { type Campaign, type Level, levelCount } from "../Campaign.ts"
import { toDouble, isZero } from "../Decimal.ts"
import { countsOf, stagesOf } from "./CampaignOutlook.ts"
import { type Counts, SummedCounts } from "../counts/Counts.ts"
import { beliefsOf, type RateBelief } from "./Posterior.ts"
import type { Beta } from "../counts/SpecialFunctions.ts"

/** A possible level of a rate, and what the next campaign's rate is there: its mean and the mean of its square. */
export interface WeighedLevel extends Level {
  readonly weight: number
}

/** Joins levels into 32 of equal weight, from the lowest mean up; a level may be divided among neighbours. */
export const evenLevels = (points: ReadonlyArray<WeighedLevel>): ReadonlyArray<Level> => {
  const sorted = points.toSorted((a, b) => a.mean - b.mean)
  const share = sorted.reduce((sum, { weight }) => sum + weight, 0) / levelCount
  const levels: Array<Level> = []
  let [mean, square, room] = [0, 0, share]
  for (const point of sorted) {
    for (let left = point.weight; left > 0;) {
      const part = levels.length < levelCount - 1 ? Math.min(left, room) : left
      mean += part * point.mean
      square += part * point.square
      room -= part
      left -= part
      if (room > 0 || levels.length === levelCount - 1) continue
      levels.push({ mean: mean / share, square: square / share })
      mean = square = 0
      room = share
    }
  }
  return [...levels, { mean: mean / share, square: square / share }]
}

/** The levels of the product of two independent rates. */
export const foldLevels = (first: ReadonlyArray<Level>, second: ReadonlyArray<Level>): ReadonlyArray<Level> =>
  evenLevels(
    first.flatMap((a) => second.map((b) => ({ weight: 1, mean: a.mean * b.mean, square: a.square * b.square })))
  )

/** The most counts that are summed: more are distributed as a share, to about 0.005. */
const maxSums = 5000

/** A weight that makes no difference, as a part of the greatest one. */
const negligibleChance = 1e-13

const room = new Float64Array(2 * maxSums + 1)

/** The number of trials that succeed with a share that is Beta(alpha, beta), by sums from the mode; undefined if too many. */
const summed = (trials: number, { alpha, beta }: Beta): Counts | undefined => {
  const mode = alpha <= 1 ? 0 : Math.min(Math.floor(((trials + 1) * (alpha - 1)) / (alpha + beta - 2)), trials)
  const least = beta >= 1 ? negligibleChance : 0
  let [high, low] = [mode, mode]
  room[maxSums] = 1
  for (let weight = 1; high < trials && weight >= least; high++) {
    if (high - mode === maxSums) return undefined
    weight *= ((trials - high) * (alpha + high)) / ((high + 1) * (beta + trials - high - 1))
    room[maxSums + high + 1 - mode] = weight
  }
  for (let weight = 1; low > 0 && weight >= negligibleChance; low--) {
    if (mode - low === maxSums) return undefined
    weight *= (low * (beta + trials - low)) / ((trials - low + 1) * (alpha + low - 1))
    room[maxSums + low - 1 - mode] = weight
  }
  let sum = 0
  const sums = room.slice(maxSums + low - mode, maxSums + high - mode + 1).map((weight) => (sum += weight))
  return new SummedCounts({ lowest: low, sums, first: 0, last: sums.length - 1 }, 0, trials)
}

/** The chance that a standard normal value is below z, to 1e-7 (Abramowitz and Stegun 26.2.17). */
const normalBelow = (z: number): number => {
  const t = 1 / (1 + 0.2316419 * Math.abs(z))
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  const tail = 0.3989422804 * Math.exp((-z * z) / 2) * series
  return z > 0 ? 1 - tail : tail
}

/** The same for many: as a Beta distribution with the mean and variance of the counts, by its cube root (Paulson). */
const smooth = (trials: number, { alpha, beta }: Beta): Counts => {
  const mean = alpha / (alpha + beta)
  const cases = 1 / ((1 + (trials - 1) / (alpha + beta + 1)) / trials) - 1
  const [a, b] = [cases * mean, cases * (1 - mean)]
  const below = (count: number): number => {
    if (count <= 0) return 0
    if (count >= trials) return 1
    const share = (count - 0.5) / trials
    const root = Math.cbrt((share / a / (1 - share)) * b)
    return normalBelow((root * (1 - 1 / (9 * b)) - 1 + 1 / (9 * a)) / Math.sqrt((root * root) / (9 * b) + 1 / (9 * a)))
  }
  return {
    least: 0,
    most: trials,
    atLeast: (count) => 1 - below(count),
    smallestReaching: (level) => {
      let [low, high] = [-1, trials]
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        if (below(middle + 1) >= level) high = middle
        else low = middle
      }
      return high
    }
  }
}

/** The level of a product of no rates. */
const onlyLevel: ReadonlyArray<Level> = [{ mean: 1, square: 1 }]

/** So many more cases change nothing. */
const maxCases = 1e12

const countsAt = (trials: number, mean: number, square: number): Counts => {
  const none = new SummedCounts({ lowest: 0, sums: Float64Array.of(1), first: 0, last: 0 }, 0, trials)
  const cases = Math.min((mean * (1 - mean)) / Math.max(square - mean * mean, 0) - 1, maxCases)
  if (!(mean > 0 && cases > 0)) return none
  const share = { alpha: cases * mean, beta: cases * (1 - mean) }
  return summed(trials, share) ?? smooth(trials, share)
}

/**
 * The number of clients of a campaign: at each level that its history leaves possible, or at one of them; a single
 * distribution without a history, of which `isQuick` keeps the mean and the variance. Level by level, campaigns are
 * independent of each other.
 */
export const clientsByLevel = (campaign: Campaign, only?: number, isQuick = false): ReadonlyArray<Counts> => {
  const emails = toDouble(campaign.emails_sent)
  const beliefs = beliefsOf(campaign)
  const stage = stagesOf(campaign, beliefs).clients
  const levels = campaign.learned?.levels ?? (isQuick ? onlyLevel : undefined)
  if (levels === undefined || isZero(stage.known)) return [countsOf(stage, emails)]
  const known = toDouble(stage.known)
  let [mean, square] = [known, known * known]
  for (const { basis, belief } of Object.values<RateBelief>(beliefs)) {
    if (!("alpha" in belief) || basis === "history") continue
    const { alpha, beta } = belief
    mean *= alpha / (alpha + beta)
    square *= ((alpha / (alpha + beta)) * (alpha + 1)) / (alpha + beta + 1)
  }
  const wanted = only === undefined ? levels : levels.slice(only, only + 1)
  return wanted.map((level) => countsAt(emails, level.mean * mean, level.square * square))
}
