import { type Decimal, compare, one, pow10, zero } from "../../forecast/Decimal.ts"
import { type Campaign, expectedAt, expectedProfit, valueOfClient } from "../../forecast/Campaign.ts"
import { roundChance } from "../../forecast/counts/Counts.ts"
import { type Blocks, blocksOf, chanceBelow, chanceOfBlock } from "../../forecast/counts/CountBlocks.ts"
import { clientsByLevel } from "../../forecast/outlook/Levels.ts"
import type { Contribution } from "./Portfolio.ts"
import type { NeighbourChances } from "./PortfolioAnswer.ts"

/** The measure that campaigns are compared by: profit if each has a deal value and a cost, otherwise clients. */
export type Measure = "profit" | "clients"

/** A campaign prepared for comparison: the result of k clients is k times `each`, less `cost`. */
export interface Contender {
  /** For each level that a history leaves possible, or for the only one. */
  readonly levels: ReadonlyArray<Blocks>
  readonly each: Decimal
  readonly cost: Decimal
  /** The fewest and the most clients that are possible at all, by the exact rates. */
  readonly least: bigint
  readonly most: bigint
}

/** The most blocks of a campaign, at all levels. */
const maxBlocks = 8192

/** Prepares a campaign for comparison, with the rates of its outlook. */
export const contender = (campaign: Campaign, measure: Measure): Contender => {
  const counts = clientsByLevel(campaign)
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

/**
 * The chances that the first ends better and that both end the same; each client of the first counts `each`, and `lead`
 * is its advantage in cost.
 */
const chances = (first: Blocks, each: bigint, second: Blocks, otherEach: bigint, lead: bigint) => {
  let better = 0
  let equal = 0
  const divisor = greatestDivisor(each, otherEach)
  /** The share of the counts in a wide block that tie with a count of the other. */
  const tiesOfMany = otherEach === 0n || lead % divisor !== 0n ? 0 : Number(divisor) / Number(otherEach)
  for (let index = 0; index < first.sums.length; index++) {
    const chance = chanceOfBlock(first, index)
    // Twice the middle of the block, which may lie between two counts.
    const middle = 2 * (first.lowest + index * first.width) + first.width - 1
    // The second is behind with fewer clients than room / (2 · otherEach).
    const room = BigInt(middle) * each + 2n * lead
    if (room < 0n) continue
    if (otherEach === 0n) {
      if (room === 0n) equal += chance
      else better += chance
      continue
    }
    const whole = room / (2n * otherEach)
    const isTie = whole * 2n * otherEach === room
    const count = whole > greatestCount ? Number(greatestCount) : Number(whole)
    if (second.width === 1) {
      const behind = chanceBelow(second, isTie ? count : count + 1)
      better += chance * behind
      if (isTie) equal += chance * (chanceBelow(second, count + 1) - behind)
      continue
    }
    const ties = first.width === 1 ? Number(isTie) : tiesOfMany
    const limit = whole > greatestCount ? count : Number(room) / Number(2n * otherEach)
    const same = (ties * (chanceBelow(second, limit + second.width) - chanceBelow(second, limit))) / second.width
    equal += chance * same
    better += chance * (chanceBelow(second, limit + 0.5) - same / 2)
  }
  return { better, equal }
}

/** More clients than any campaign has. */
const greatestCount = 1_000_000_000n

/**
 * The chance that the first of two campaigns ends better than the second, if they are independent of each other but for
 * the level that a history leaves unknown. For each number of clients of the
 * first, the threshold for the second is an exact integer division, so ties are exact; only if there are very many
 * counts are they taken together in blocks.
 */
export const compareCampaigns = (first: Contender, second: Contender): NeighbourChances => {
  const scale = Math.max(first.each.scale, first.cost.scale, second.each.scale, second.cost.scale, 0)
  const each = aligned(first.each, scale)
  const otherEach = aligned(second.each, scale)
  const lead = aligned(second.cost, scale) - aligned(first.cost, scale)
  const levels = Math.max(first.levels.length, second.levels.length)
  let better = 0
  let equal = 0
  for (let level = 0; level < levels; level++) {
    const own = first.levels[level] ?? first.levels[0]
    const other = second.levels[level] ?? second.levels[0]
    if (own === undefined || other === undefined) continue
    // Go through the narrower blocks: within a block of the other, its chances rise evenly.
    const isTurned = own.width > other.width
    const found = isTurned ? chances(other, otherEach, own, each, -lead) : chances(own, each, other, otherEach, lead)
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

/** Compares a campaign with its neighbour in a ranking. */
export const compareNeighbours = (by: Measure, first: Campaign, second: Campaign): NeighbourChances =>
  compareCampaigns(contender(first, by), contender(second, by))
