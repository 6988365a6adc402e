import { type Campaign } from "../forecast/outlook/Campaign.ts"
import { type Counts, quantile } from "../forecast/outlook/Counts.ts"
import { toDouble } from "../forecast/outlook/Exact.ts"
import type { Outlook } from "../forecast/outlook/Outlook.ts"
import { countsOf } from "../forecast/outlook/StageCounts.ts"
import { stagesOf } from "../forecast/outlook/Stages.ts"

/** Numbers of clients from `from` to `to`, both among them, and the chance that a campaign ends there. */
export interface Bin {
  readonly from: number
  readonly to: number
  readonly chance: number
}

/** More bars than this are too thin on a phone. */
const mostBins = 36

/** What is left out at the ends of a picture: one in 400 campaigns on either side. */
const leftOut = 0.0025

/** A step of 1, 2 or 5 times a power of ten that is at least `least`. */
const niceStep = (least: number): number => {
  const power = 10 ** Math.floor(Math.log10(least))
  return power * ([1, 2, 5].find((factor) => factor * power >= least) ?? 10)
}

const lastShown = (counts: Counts, outlook: Outlook): number => {
  const last = quantile(counts, 1 - leftOut)
  const needed = outlook.clients_to_break_even ?? 0
  // The threshold is in the picture unless it is far away.
  return needed > last && needed <= last * 1.5 + 3 ? needed : last
}

/** The distribution of the number of clients, in bins of equal width. */
export const clientDistribution = (campaign: Campaign, outlook: Outlook): ReadonlyArray<Bin> => {
  const counts = countsOf(stagesOf(campaign).clients, toDouble(campaign.emails_sent))
  const lowest = quantile(counts, leftOut)
  const last = lastShown(counts, outlook)
  // Where it costs little, the picture begins at 0.
  const first = lowest <= (last - lowest) / 2 ? 0 : lowest
  const width = last - first + 1 <= mostBins ? 1 : niceStep((last - first + 1) / mostBins)
  const bins: Array<Bin> = []
  let atLeast: number | undefined
  for (let from = Math.floor(first / width) * width; from <= last; from += width) {
    const before: number = atLeast ?? counts.atLeast(from)
    const after = counts.atLeast(from + width)
    bins.push({ from, to: from + width - 1, chance: Math.max(before - after, 0) })
    atLeast = after
  }
  return bins
}
