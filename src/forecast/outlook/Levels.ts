import { type Campaign, type Level, levelCount } from "../Campaign.ts"
import { toDouble, isZero } from "../Decimal.ts"
import { countsOf, stagesOf } from "./CampaignOutlook.ts"
import { type Counts, SummedCounts } from "../counts/Counts.ts"
import { beliefsOf, type RateBelief } from "./Posterior.ts"
import { type Beta, evenParts, gammaStep } from "../counts/SpecialFunctions.ts"

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
const foldLevels = (first: ReadonlyArray<Level>, second: ReadonlyArray<Level>): ReadonlyArray<Level> =>
  evenLevels(
    first.flatMap((a) => second.map((b) => ({ weight: 1, mean: a.mean * b.mean, square: a.square * b.square })))
  )

/**
 * The levels of clients per email that the campaigns of one sender share, from the lowest up, but for the rates that
 * are certain: what a history leaves unknown of a rate, or else the whole published spread, as nobody knows how much of
 * it is the sender and how much the campaign. Undefined if no rate varies.
 */
export const levelsOf = (campaign: Campaign): ReadonlyArray<Level> | undefined => {
  const varying = Object.values<RateBelief>(beliefsOf(campaign)).flatMap(({ belief, name }) =>
    "alpha" in belief ? [campaign.learned?.[name]?.levels ?? evenParts(belief, levelCount)] : []
  )
  return varying.length === 0 ? undefined : varying.reduce(foldLevels)
}

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

/** So many more cases change nothing. */
const maxCases = 1e12

/** The share of emails that become clients at a level; undefined if that is none. */
const shareAt = ({ mean, square }: Level): Beta | undefined => {
  const cases = Math.min((mean * (1 - mean)) / Math.max(square - mean * mean, 0) - 1, maxCases)
  return mean > 0 && cases > 0 ? { alpha: cases * mean, beta: cases * (1 - mean) } : undefined
}

const countsAt = (trials: number, level: Level): Counts => {
  const share = shareAt(level)
  return share === undefined
    ? new SummedCounts({ lowest: 0, sums: Float64Array.of(1), first: 0, last: 0 }, 0, trials)
    : (summed(trials, share) ?? smooth(trials, share))
}

/** The levels of clients per email, with the rates that are certain; undefined if there is only one, exactly as given. */
const clientLevels = (campaign: Campaign, levels: ReadonlyArray<Level> | undefined) => {
  const stage = stagesOf(campaign).clients
  if (levels === undefined || isZero(stage.known)) return undefined
  const known = toDouble(stage.known)
  return levels.map(({ mean, square }) => ({ mean: mean * known, square: square * known * known }))
}

/** The distribution of a campaign's clients by itself, whatever it shares with others. */
const clientsAlone = (campaign: Campaign): Counts =>
  countsOf(stagesOf(campaign).clients, toDouble(campaign.emails_sent))

/** The same with the mean and the variance only, which takes microseconds for any number of emails. */
const clientsQuickly = (campaign: Campaign): Counts => {
  const { known, uncertain } = stagesOf(campaign).clients
  let [mean, square] = [toDouble(known), toDouble(known) ** 2]
  for (const { alpha, beta } of uncertain) {
    mean *= alpha / (alpha + beta)
    square *= ((alpha / (alpha + beta)) * (alpha + 1)) / (alpha + beta + 1)
  }
  return isZero(known) || uncertain.length === 0
    ? clientsAlone(campaign)
    : countsAt(toDouble(campaign.emails_sent), { mean, square })
}

/**
 * The number of clients of a campaign: at each of the levels that it shares with others, or at one of them; a single
 * distribution if it shares none, of which `isQuick` keeps the mean and the variance. Level by level, campaigns are
 * independent of each other.
 */
export const clientsByLevel = (
  campaign: Campaign,
  levels: ReadonlyArray<Level> | undefined,
  only?: number,
  isQuick = false
): ReadonlyArray<Counts> => {
  const all = clientLevels(campaign, levels)
  if (all === undefined) return [isQuick ? clientsQuickly(campaign) : clientsAlone(campaign)]
  const emails = toDouble(campaign.emails_sent)
  return (only === undefined ? all : all.slice(only, only + 1)).map((level) => countsAt(emails, level))
}

/** The chance of no client at each of the levels that a campaign shares with others, or the only one. */
export const noClientByLevel = (
  campaign: Campaign,
  levels: ReadonlyArray<Level> | undefined
): ReadonlyArray<number> => {
  const emails = toDouble(campaign.emails_sent)
  return (
    clientLevels(campaign, levels)?.map((level) => {
      const share = shareAt(level)
      if (share === undefined) return 1
      const { alpha, beta } = share
      return Math.exp(gammaStep(alpha, beta) - gammaStep(alpha, beta + emails))
    }) ?? [1 - clientsAlone(campaign).atLeast(1)]
  )
}
