import type { Campaign } from "../../forecast/Campaign.ts"
import { type Counts, quantile } from "../../forecast/counts/Counts.ts"
import { toDouble } from "../../forecast/Decimal.ts"
import type { Outlook } from "../../forecast/outlook/Outlook.ts"
import { countsOf, stagesOf } from "../../forecast/outlook/CampaignOutlook.ts"

/** Numbers of clients from `from` to `to`, inclusive, and the chance that a campaign ends there. */
export interface Bin {
  readonly from: number
  /** `undefined`: any number from `from` on. */
  readonly to: number | undefined
  readonly chance: number
}

/** The number of clients in each bin of a distribution; the first may have fewer, the last more. */
export const widthOfBins = (bins: ReadonlyArray<Bin>): number =>
  Math.max(...bins.map(({ from, to = from }) => to - from + 1))

/** The most bars with room for their numbers on a phone, not counting the last one, which is open-ended. */
const maxBins = 13

/** The chance left out below the first bar, and the chance combined in the last one. */
const leftOut = 0.0025
const together = 0.025

/** The smallest chance of a last bar: below this it would say 0 of 100, or fewer than 1. */
const visible = 0.0005

/** A step of 1, 2 or 5 times a power of ten that is at least `least`. */
const niceStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10)
}

const lastShown = (counts: Counts, outlook: Outlook): number => {
  const last = quantile(counts, 1 - together)
  const needed = outlook.clients_to_break_even ?? 0
  // The drawing includes the threshold unless it is far away.
  return needed > last && needed <= last * 1.5 + 3 ? needed : last
}

/** The chances of the steps from each edge to the next, and from the last edge on. */
const chancesBetween = (counts: Counts, edges: ReadonlyArray<number>): ReadonlyArray<number> => {
  const atLeast = edges.map((edge) => counts.atLeast(edge))
  return atLeast.map((chance, index) => Math.max(chance - (atLeast[index + 1] ?? 0), 0))
}

/**
 * The distribution of the number of clients, in bins of equal width, except that the last one is open-ended. One begins
 * where the cost is covered, so that each bin either covers it or does not; the first one may have fewer numbers.
 */
export const clientDistribution = (campaign: Campaign, outlook: Outlook): ReadonlyArray<Bin> => {
  const stage = stagesOf(campaign).clients
  const emails = toDouble(campaign.emails_sent)
  const counts = countsOf(stage, emails)
  const lowest = quantile(counts, leftOut)
  const last = lastShown(counts, outlook)
  // The drawing begins at 0 if that takes little room.
  const first = lowest <= (last - lowest) / 2 ? 0 : lowest
  const width = last - first + 1 <= maxBins ? 1 : niceStep((last - first + 1) / maxBins)
  const needed = outlook.clients_to_break_even ?? 0
  const shift = needed <= last ? needed % width : 0
  const start = Math.floor((first - shift) / width) * width + shift
  const edges = Array.from({ length: Math.floor((last - start) / width) + 2 }, (_, index) =>
    Math.max(start + index * width, 0)
  )
  const chances = chancesBetween(counts, edges)
  return edges.flatMap((from, index): ReadonlyArray<Bin> => {
    const bin = { from, chance: chances[index] ?? 0 }
    const next = edges[index + 1]
    if (next !== undefined) return [{ ...bin, to: next - 1 }]
    return bin.chance < visible ? [] : [{ ...bin, to: undefined }]
  })
}
