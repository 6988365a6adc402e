import { at, type Counts, SummedCounts } from "./Counts.ts"
import { VaryingCounts } from "./VaryingBinomial.ts"

/**
 * The distribution of a count, in blocks of `width` neighbouring counts from `lowest` on: sums[i] is the chance of a
 * count before the end of block i. If chances take integrals, those of the farthest counts, below 1e-9 on either side,
 * belong to the first and the last block.
 */
export interface Blocks {
  readonly lowest: number
  readonly width: number
  readonly sums: Float64Array
}

/** The chance that is negligible at either end if each chance takes an integral. */
const negligibleEnd = 1e-9

/** The most blocks of one count: each is then far narrower than a standard deviation. */
const maxBlocks = 8192

/** If each chance takes an integral, it is computed for this many counts; the others are interpolated. */
const maxIntegrals = 96

/** The number of neighbours that a chance is interpolated from. */
const neighbours = 8

/** The value at `x` of the polynomial through some points from `first` on: Neville's scheme. */
const interpolate = (xs: Float64Array, ys: Float64Array, first: number, x: number): number => {
  const values = ys.slice(first, first + neighbours)
  for (let degree = 1; degree < values.length; degree++) {
    for (let i = 0; i + degree < values.length; i++) {
      const [low, high] = [at(xs, first + i), at(xs, first + i + degree)]
      values[i] = ((high - x) * at(values, i) + (x - low) * at(values, i + 1)) / (high - low)
    }
  }
  return at(values, 0)
}

/** True if each chance has been computed already. */
const isSummed = (counts: Counts): boolean =>
  (counts instanceof VaryingCounts ? counts.any() : counts) instanceof SummedCounts

/**
 * The chance of less than each of these ascending counts; it is a smooth function of their cube roots
 * (Wilson-Hilferty).
 */
const chancesBelow = (counts: Counts, ends: Float64Array): Float64Array => {
  const below = (end: number) => 1 - counts.atLeast(end)
  if (isSummed(counts) || ends.length <= maxIntegrals) return ends.map(below)
  const position = (end: number) => Math.cbrt(end)
  const [start, stop] = [position(at(ends, 0)), position(at(ends, ends.length - 1))]
  const chosen: Array<number> = []
  let next = start
  for (const end of ends) {
    const x = position(end)
    if (x < next && end !== ends.at(-1)) continue
    chosen.push(end)
    next = Math.max(next, x) + (stop - start) / maxIntegrals
  }
  const xs = Float64Array.from(chosen, position)
  const ys = Float64Array.from(chosen, below)
  let first = 0
  return ends.map((end) => {
    const x = position(end)
    while (first + neighbours < xs.length && at(xs, first + neighbours / 2) < x) first++
    return interpolate(xs, ys, first, x)
  })
}

const spanOf = (counts: Counts) => {
  const left = isSummed(counts) ? 0 : negligibleEnd
  const lowest = Math.max(counts.smallestReaching(left), counts.least)
  const greatest = Math.min(Math.max(counts.smallestReaching(1 - left), lowest), counts.most)
  return { lowest, size: greatest - lowest + 1 }
}

const blocksIn = (counts: Counts, { lowest, size }: ReturnType<typeof spanOf>, width: number): Blocks => {
  const ends = Float64Array.from({ length: Math.ceil(size / width) }, (_, index) => lowest + (index + 1) * width)
  const sums = chancesBelow(counts, ends)
  sums[sums.length - 1] = 1
  return { lowest, width, sums }
}

/** The blocks of a count, as narrow as possible: at most `most`. */
export const blocksOf = (counts: Counts, most = maxBlocks): Blocks => {
  const range = spanOf(counts)
  return blocksIn(counts, range, Math.ceil(range.size / most))
}

/** The chance of a block. */
export const chanceOfBlock = ({ sums }: Blocks, index: number): number =>
  at(sums, index) - (index === 0 ? 0 : at(sums, index - 1))

/** The chance of a count below `limit`, which may lie between counts: within a block it rises evenly. */
export const chanceBelow = ({ lowest, sums, width }: Blocks, limit: number): number => {
  const place = (limit - lowest) / width
  if (place <= 0) return 0
  const index = Math.floor(place)
  if (index >= sums.length) return 1
  const before = index === 0 ? 0 : at(sums, index - 1)
  return before + (place - index) * (at(sums, index) - before)
}

const convolve = (a: Float64Array, b: Float64Array): Float64Array => {
  const result = new Float64Array(a.length + b.length - 1)
  for (let i = 0; i < a.length; i++) {
    const weight = at(a, i)
    for (let j = 0; j < b.length; j++) result[i + j] = at(result, i + j) + weight * at(b, j)
  }
  return result
}

/** A chance at either end of a sum that is left out. */
const negligibleOfSum = 1e-14

/** The most products that a sum takes: about 30 ms. */
const maxProducts = 2 ** 22

const differences = (blocks: Blocks): Float64Array => blocks.sums.map((_, block) => chanceOfBlock(blocks, block))

/** Pairs of neighbours. */
const paired = (chances: Float64Array): Float64Array =>
  Float64Array.from({ length: Math.ceil(chances.length / 2) }, (_, i) => at(chances, 2 * i) + at(chances, 2 * i + 1))

/** The sum of independent counts, in blocks as narrow as can be computed quickly. */
export const sumOf = (parts: ReadonlyArray<Counts>): Blocks => {
  const ranges = parts.map(spanOf)
  const greatest = ranges.reduce((most, { size }) => Math.max(most, size), 1)
  // The more counts are added, the less the blocks of each matter.
  let width = Math.ceil((greatest * Math.sqrt(parts.length)) / maxBlocks)
  // The middle of the first block.
  let center = 0
  let chances: Float64Array = Float64Array.of(1)
  for (const [index, counts] of parts.entries()) {
    const range = ranges[index] ?? { lowest: 0, size: 1 }
    while (chances.length * Math.ceil(range.size / width) * parts.length > maxProducts) {
      chances = paired(chances)
      center += width / 2
      width *= 2
    }
    // A count is taken to be in the middle of its block.
    const blocks = blocksIn(counts, range, width)
    chances = convolve(chances, differences(blocks))
    center += blocks.lowest + (width - 1) / 2
    let first = 0
    let last = chances.length
    while (at(chances, first) < negligibleOfSum && first + 1 < last) first++
    while (at(chances, last - 1) < negligibleOfSum && last - 1 > first) last--
    chances = chances.subarray(first, last)
    center += first * width
  }
  let sum = 0
  return { lowest: center - (width - 1) / 2, width, sums: chances.map((chance) => (sum += chance)) }
}

/** A count that is one of several with equal chances, each in blocks. */
export const mixtureOf = (columns: ReadonlyArray<Blocks>, least: number, most: number): Counts => {
  const below = (count: number): number =>
    columns.reduce((sum, blocks) => sum + chanceBelow(blocks, count), 0) / columns.length
  return {
    least,
    most,
    atLeast: (count) => 1 - below(count),
    smallestReaching: (level) => {
      let [low, high] = [least - 1, most]
      while (high - low > 1) {
        const middle = Math.floor((low + high) / 2)
        if (below(middle + 1) >= level) high = middle
        else low = middle
      }
      return high
    }
  }
}
