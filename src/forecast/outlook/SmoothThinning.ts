import { type Chances, momentsOf, type PassChance } from "./PassChance.ts"

const at = (values: Float64Array, index: number): number => values[index] ?? 0

/** A chance that makes no difference, as a part of that of the most likely count. */
const negligible = 1e-18

/** The allowed error of a polynomial in its block, as a part of all chances. */
const tolerance = 3e-12

/**
 * A polynomial through this many chances interpolates those in between; of fewer than twice as many, all are computed.
 */
const nodesOfBlock = 16

/**
 * The chance that `passed` of `trials` pass relative to that of a neighbour, as exact ratios: chances are products of
 * them, without any logarithm. The ratio for one more trial is `ofTrials[trials] * ofFailed[trials - passed]`.
 */
const ratiosOf = (passChance: PassChance, most: number) => {
  const isKnown = "known" in passChance
  const alpha = isKnown ? 0 : passChance.alpha
  const beta = isKnown ? 0 : passChance.beta
  const odds = isKnown ? passChance.known / passChance.rest : 0
  const ofTrials = new Float64Array(most + 1)
  const ofFailed = new Float64Array(most + 1)
  for (let count = 0; count <= most; count++) {
    ofTrials[count] = isKnown ? count + 1 : (count + 1) / (alpha + beta + count)
    ofFailed[count] = isKnown ? passChance.rest / (count + 1) : (beta + count) / (count + 1)
  }
  return {
    ofTrials,
    ofFailed,
    trial: (trials: number, passed: number) => at(ofTrials, trials) * at(ofFailed, trials - passed),
    /** The ratio for one more that passes. */
    passed: (trials: number, passed: number) =>
      isKnown
        ? ((trials - passed) * odds) / (passed + 1)
        : ((trials - passed) * (alpha + passed)) / ((passed + 1) * (beta + trials - passed - 1))
  }
}

/**
 * Like `thin`, for counts so large that their chances are smooth: each is a sum over the people, and only some of them
 * are computed; the others are interpolated by polynomials, which are checked against further ones.
 */
export const thinSmoothly = ({ lowest, values }: Chances, open: number, passChance: PassChance): Chances => {
  const first = lowest + open
  const last = first + values.length - 1
  const { share, variance } = momentsOf(passChance)
  const ratios = ratiosOf(passChance, last)
  const { ofFailed, ofTrials } = ratios
  const [ofFewer, ofFewerFailed] = [ofTrials.map((ratio) => 1 / ratio), ofFailed.map((ratio) => 1 / ratio)]
  let total = 0
  let sum = 0
  let squares = 0
  for (let index = 0; index < values.length; index++) {
    total += at(values, index)
    sum += at(values, index) * index
    squares += at(values, index) * index * index
  }
  const people = first + sum / total
  const mean = people * share
  const deviation = Math.sqrt(variance(people) + share * share * Math.max(squares / total - (sum / total) ** 2, 0)) + 1

  // For each count, the number of trials for which it is most likely, and its chance there relative to that of the
  // mean.
  const trials = new Int32Array(last + 1)
  const chances = new Float64Array(last + 1)
  const likely = (count: number) => Math.min(Math.max(Math.round(count / share), first, count), last)
  const middle = Math.min(Math.round(mean), last)
  let number = likely(middle)
  let chance = 1
  trials[middle] = number
  chances[middle] = chance
  for (let count = middle; count < last && chance > 0; count++) {
    for (const next = likely(count + 1); number < next; number++) chance *= ratios.trial(number, count)
    chance *= ratios.passed(number, count)
    trials[count + 1] = number
    chances[count + 1] = chance
  }
  number = likely(middle)
  chance = 1
  for (let count = middle; count > 0 && chance > 0; count--) {
    chance /= ratios.passed(number, count - 1)
    for (const next = likely(count - 1); number > next; number--) chance /= ratios.trial(number - 1, count - 1)
    trials[count - 1] = number
    chances[count - 1] = chance
  }

  /**
   * The chance of a count, relative to that of the mean: a sum over the people, outwards from the most likely number.
   */
  const chanceOf = (count: number): number => {
    const start = at(chances, count)
    if (start === 0) return 0
    const from = trials[count] ?? first
    let result = start * at(values, from - first)
    for (let number = from, weight = start; number < last; number++) {
      weight *= at(ofTrials, number) * at(ofFailed, number - count)
      if (weight < negligible * start) break
      result += weight * at(values, number + 1 - first)
    }
    for (let number = from, weight = start; number > Math.max(first, count); number--) {
      weight *= at(ofFewer, number - 1) * at(ofFewerFailed, number - 1 - count)
      if (weight < negligible * start) break
      result += weight * at(values, number - 1 - first)
    }
    return result
  }

  // Blocks around the mean are no wider than the deviation, and those at both ends grow with the distance, so that no
  // peak is missed.
  const peaks = [-8, -6, -4, -3, -2, -1, 0, 1, 2, 3, 4, 6, 8].map((times) => Math.round(mean + times * deviation))
  const tails: Array<number> = []
  for (let width = 2 * nodesOfBlock; width < last; width *= 2) tails.push(width - 1, last - width)
  const ends = [...new Set([0, ...peaks, ...tails, last])]
    .filter((end) => end >= 0 && end <= last)
    .toSorted((a, b) => a - b)
  let whole = 0
  for (let index = 1; index < ends.length; index++) {
    const [before = 0, end = 0] = [ends[index - 1], ends[index]]
    whole += ((chanceOf(before) + chanceOf(end)) / 2) * (end - before)
  }

  const result = new Float64Array(last + 1)
  const nodes = new Float64Array(nodesOfBlock)
  const weights = new Float64Array(nodesOfBlock)
  const known = new Float64Array(nodesOfBlock)

  const fill = (low: number, high: number): void => {
    if (high - low < 2 * nodesOfBlock) {
      for (let count = low; count <= high; count++) result[count] = chanceOf(count)
      return
    }
    for (let index = 0; index < nodesOfBlock; index++) {
      const place = (1 - Math.cos((Math.PI * index) / (nodesOfBlock - 1))) / 2
      const node = low + Math.round(place * (high - low))
      nodes[index] = index > 0 && node <= at(nodes, index - 1) ? at(nodes, index - 1) + 1 : node
    }
    for (let index = 0; index < nodesOfBlock; index++) {
      let weight = 1
      for (let other = 0; other < nodesOfBlock; other++) {
        if (other !== index) weight *= (high - low) / (4 * (at(nodes, index) - at(nodes, other)))
      }
      weights[index] = weight
      known[index] = chanceOf(at(nodes, index))
    }
    const between = (count: number): number => {
      let above = 0
      let below = 0
      for (let index = 0; index < nodesOfBlock; index++) {
        const distance = count - at(nodes, index)
        if (distance === 0) return at(known, index)
        const part = at(weights, index) / distance
        above += part * at(known, index)
        below += part
      }
      return above / below
    }
    const isMet = (place: number) => {
      const count = low + Math.round(place * (high - low))
      return Math.abs(between(count) - chanceOf(count)) * (high - low) <= tolerance * whole
    }
    if (isMet(0.026) && isMet(0.45) && isMet(0.95)) {
      for (let count = low; count <= high; count++) result[count] = Math.max(between(count), 0)
      return
    }
    const half = Math.floor((low + high) / 2)
    fill(low, half)
    fill(half + 1, high)
  }

  let low = 0
  for (const end of ends.slice(1)) {
    fill(low, end)
    low = end + 1
  }
  const all = result.reduce((sum, each) => sum + each, 0)
  for (let count = 0; count <= last; count++) result[count] = (at(result, count) * total) / all
  return { lowest: 0, values: result }
}
