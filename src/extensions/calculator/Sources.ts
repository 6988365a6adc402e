import { clientiumCampaigns, type Source } from "../../forecast/benchmarks/Publications.ts"
import type { Calculation } from "./Calculation.ts"

/** A published figure with its publisher and licence. */
export interface CitedFigure {
  readonly text: string
  readonly source: Source
}

/** The published spread of the reply rate, if a forecast uses it. */
export const publishedSpread = ({ forecast: { outlook } }: Calculation): ReadonlyArray<CitedFigure> =>
  outlook.rates.reply_rate.basis === "published_spread"
    ? [{ text: "Spread of the reply rate", source: clientiumCampaigns }]
    : []

/** A figure with its publisher, year, address and licence. */
export const sourceOf = ({ source: { license, publisher, url, year }, text }: CitedFigure): string =>
  `${text}: ${[publisher, year, url, license].filter((part) => part !== null).join(", ")}`
