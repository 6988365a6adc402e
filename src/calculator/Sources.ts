import { clientiumCampaigns, type Source } from "../forecast/benchmarks/Publications.ts"
import { priorBasisOf } from "../forecast/outlook/Posterior.ts"
import type { Calculation } from "./Calculation.ts"

/** A published figure with its publisher and licence. */
export interface CitedFigure {
  readonly text: string
  readonly source: Source
}

/** The published spread of the reply rate, if a forecast uses it. */
export const publishedSpread = ({ campaign }: Calculation): ReadonlyArray<CitedFigure> =>
  priorBasisOf(campaign, "reply_rate", campaign.reply_rate) === "published_spread"
    ? [{ text: "Spread of the reply rate", source: clientiumCampaigns }]
    : []

/** A figure with its publisher, year, address and licence. */
export const sourceOf = ({ source: { license, publisher, url, year }, text }: CitedFigure): string =>
  `${text}: ${[publisher, year, url, license].filter((part) => part !== null).join(", ")}`
