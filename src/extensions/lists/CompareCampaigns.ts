import { type Decimal, compare, one, pow10, zero } from "../../forecast/Decimal.ts"
import { type Campaign, expectedAt, expectedProfit, type Level, valueOfClient } from "../../forecast/Campaign.ts"
import { roundChance } from "../../forecast/counts/Counts.ts"
import { type Blocks, blocksOf, chanceBelow, chanceOfBlock } from "../../forecast/counts/CountBlocks.ts"
import { clientsByLevel, levelsOf } from "../../forecast/outlook/Levels.ts"
import type { Contribution } from "./Portfolio.ts"
import type { NeighbourChances } from "./PortfolioAnswer.ts"

/** The measure that campaigns are compared by: profit if each has a deal value and a cost, otherwise clients. */
export type Measure = "profit" | "clients"

/** A campaign prepared for comparison: the result of k clients is k times `each`, less `cost`. */
export interface Contender {
  /** At each level that it shares with the others, or by itself. */
  readonly levels: ReadonlyArray<Blocks>
  readonly each: Decimal
  readonly cost: Decimal
  /** The fewest and the most clients that are possible at all, by the exact rates. */
  readonly least: bigint
  readonly most: bigint
}

/** The most blocks of a campaign, at all levels. */
const maxBlocks = 8192

/** Prepares a campaign for comparison, with the rates of its outlook and the levels that it shares with the others. */
export const contender = (
  campaign: Campaign,
  measure: Measure,
  levels: ReadonlyArray<Level> | undefined
): Contender => {
  const counts = clientsByLevel(campaign, levels)
  return {
    levels: counts.map((each) => blocksOf(each, maxBlocks / counts.length)),
    each: measure === "profit" ? (valueOfClient(campaign) ?? zero) : one,
    cost: measure === "profit" ? (campaign.campaign_cost ?? zero) : zero,
    least: BigInt(Math.min(...counts.map(({ least }) => least))),
    most: BigInt(Math.max(...counts.map(({ most }) => most)))
  }
}

const aligned = (value: Decimal, scale: number): bigint => BigInt(value.value) * pow10(scale - value.scale)

const greatestDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestDivisor(b, a % b))

/** The clients of the second that end like some of the first: behind these with fewer than `count`, or `exact` ones. */
interface Threshold {
  readonly isTie: boolean
  readonly count: number
  readonly exact: number
}

/** Two results to compare: each client of the first counts `each`, and `lead` is its advantage in cost. */
class Race {
  readonly each: bigint
  readonly otherEach: bigint
  readonly lead: bigint
  /** The share of the counts in a wide block that tie with a count of the other. */
  readonly tiesOfMany: number
  /** By twice the number of clients of the first, which is the same at many levels. */
  readonly thresholds = new Map<number, Threshold | undefined>()

  constructor(each: bigint, otherEach: bigint, lead: bigint) {
    this.each = each
    this.otherEach = otherEach
    this.lead = lead
    const divisor = greatestDivisor(each, otherEach)
    this.tiesOfMany = otherEach === 0n || lead % divisor !== 0n ? 0 : Number(divisor) / Number(otherEach)
  }

  /** Undefined if the first is behind the second whatever that brings. */
  threshold(twice: number): Threshold | undefined {
    if (this.thresholds.has(twice)) return this.thresholds.get(twice)
    const found = this.compute(twice)
    this.thresholds.set(twice, found)
    return found
  }

  private compute(twice: number): Threshold | undefined {
    const { each, lead, otherEach } = this
    // The second is behind with fewer clients than room / (2 · otherEach).
    const room = BigInt(twice) * each + 2n * lead
    if (room < 0n) return undefined
    if (otherEach === 0n) return { isTie: room === 0n, count: 0, exact: 0 }
    const whole = room / (2n * otherEach)
    const isBeyond = whole > greatestCount
    const count = Number(isBeyond ? greatestCount : whole)
    const exact = isBeyond ? count : Number(room) / Number(2n * otherEach)
    return { isTie: whole * 2n * otherEach === room, count, exact }
  }
}

/** The chances that the first ends better and that both end the same. */
const chances = (first: Blocks, second: Blocks, race: Race) => {
  let better = 0
  let equal = 0
  for (let index = 0; index < first.sums.length; index++) {
    const chance = chanceOfBlock(first, index)
    // Twice the middle of the block, which may lie between two counts.
    const threshold = race.threshold(2 * (first.lowest + index * first.width) + first.width - 1)
    if (threshold === undefined) continue
    const { count, exact, isTie } = threshold
    if (race.otherEach === 0n) {
      if (isTie) equal += chance
      else better += chance
      continue
    }
    if (second.width === 1) {
      const behind = chanceBelow(second, isTie ? count : count + 1)
      better += chance * behind
      if (isTie) equal += chance * (chanceBelow(second, count + 1) - behind)
      continue
    }
    const ties = first.width === 1 ? Number(isTie) : race.tiesOfMany
    const same = (ties * (chanceBelow(second, exact + second.width) - chanceBelow(second, exact))) / second.width
    equal += chance * same
    better += chance * (chanceBelow(second, exact + 0.5) - same / 2)
  }
  return { better, equal }
}

/** More clients than any campaign has. */
const greatestCount = 1_000_000_000n

/**
 * The chance that the first of two campaigns ends better than the second, if they are independent of each other but for
 * the levels that they share. For each number of clients of the first, the threshold for the second is an exact integer division, so ties are exact; only if there are very many
 * counts are they taken together in blocks.
 */
export const compareCampaigns = (first: Contender, second: Contender): NeighbourChances => {
  const scale = Math.max(first.each.scale, first.cost.scale, second.each.scale, second.cost.scale, 0)
  const each = aligned(first.each, scale)
  const otherEach = aligned(second.each, scale)
  const lead = aligned(second.cost, scale) - aligned(first.cost, scale)
  const levels = Math.max(first.levels.length, second.levels.length)
  const straight = new Race(each, otherEach, lead)
  const turned = new Race(otherEach, each, -lead)
  let better = 0
  let equal = 0
  for (let level = 0; level < levels; level++) {
    const own = first.levels[level] ?? first.levels[0]
    const other = second.levels[level] ?? second.levels[0]
    if (own === undefined || other === undefined) continue
    // Go through the narrower blocks: within a block of the other, its chances rise evenly.
    const isTurned = own.width > other.width
    const found = isTurned ? chances(other, own, turned) : chances(own, other, straight)
    equal += found.equal / levels
    better += (isTurned ? 1 - found.better - found.equal : found.better) / levels
  }
  const worst = first.least * each + lead
  const best = first.most * each + lead
  return {
    chance_first_is_better:
      worst > second.most * otherEach ? 1 : best <= second.least * otherEach ? 0 : roundChance(better),
    chance_equal:
      worst === best && second.least * otherEach === second.most * otherEach
        ? Number(worst === second.least * otherEach)
        : equal === 0
          ? 0
          : roundChance(equal)
  }
}

/** Campaigns by their positions in the request, best first, and the measure that they are ranked by. */
export interface RankOrder {
  readonly by: Measure
  readonly positions: ReadonlyArray<number>
}

/** Ranks campaigns by expected profit, or by expected clients if any of them lacks a deal value or a cost. */
export const orderOf = (contributions: ReadonlyArray<Contribution>): RankOrder => {
  const campaigns = contributions.map(({ campaign }) => campaign)
  const profits = campaigns.map(expectedProfit)
  const isProfit = profits.every((profit) => profit !== undefined)
  const values = isProfit ? profits : campaigns.map((campaign) => expectedAt(campaign, "clients"))
  const positions = values.map((value, position) => ({ value, position })).toSorted((a, b) => compare(b.value, a.value))
  return { by: isProfit ? "profit" : "clients", positions: positions.map(({ position }) => position) }
}

/** Compares a campaign with its neighbour in a ranking of one sender's campaigns. */
export const compareNeighbours = (by: Measure, first: Campaign, second: Campaign): NeighbourChances =>
  compareCampaigns(contender(first, by, levelsOf(first)), contender(second, by, levelsOf(second)))
