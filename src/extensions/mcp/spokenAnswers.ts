import type { KeyUsage } from "../../metering/KeyUsage.ts"
import type { benchmarksOf, measures } from "../benchmarks/MeasureBenchmarks.ts"
import { wordsOf } from "../../forecast/forecastLines.ts"
import { listed, ofHundred } from "../../forecast/Words.ts"
import { about, clients, counted, figure, integer, percent } from "../../text/Figures.ts"
import { nameOf } from "../lists/spokenList.ts"
import type { CampaignsBrief } from "./CampaignsBrief.ts"

/** A sentence or two about an answer, for a person. */

/** The most campaigns that have a line in the text. */
const maxLines = 100

/** A line for each campaign of a comparison, best first. */
export const linesOf = ({ ranking: { campaigns } }: CampaignsBrief): string => {
  const lines = campaigns.slice(0, maxLines).map((campaign, index) => {
    const { chance_better_than_next: chance, clients: expected, high, low, profit } = campaign
    const profitText = profit === null ? "" : `, profit ${about(profit)}`
    const better = chance === null ? "" : `, better than the next in ${ofHundred(chance)}`
    return `${index + 1}. ${nameOf(campaign.name)}: ${clients(expected)} (${low} to ${high})${profitText}${better}`
  })
  const left = campaigns.length - lines.length
  return [...lines, ...(left > 0 ? [`and ${integer(left)} more in the structured content`] : [])].join("\n")
}

export const ofMeasures = (list: typeof measures): string =>
  `There are published figures on ${listed(list.map(({ figures, measure }) => `${measure} (${figures})`))}. Name one as measure.`

type MeasureBenchmarks = ReturnType<typeof benchmarksOf>

const amount = (value: number, unit: string) => (unit === "%" ? percent(value) : `${figure(value)} ${unit}`)

const perWords = (per: string | undefined) => (per === undefined ? "" : ` per ${per}`)

export const ofBenchmarks = ({ figures, measure, warnings }: MeasureBenchmarks): string => {
  const bounds = warnings.map(({ per, raised, unit, value }) => `${raised} ${amount(value, unit)}${perWords(per)}`)
  const published = `${counted(figures.length, "publication")} on the ${wordsOf(measure)}`
  return bounds.length === 0 ? `Here are ${published}.` : `Here are ${published}; forecasts warn ${listed(bounds)}.`
}

/** A line for each published figure, and for each that advice compares with. */
export const figureLinesOf = ({ figures, references, sources }: MeasureBenchmarks): string =>
  [
    ...figures.map(({ of, per, source, unit, values }) => {
      const tiers = Object.entries(values).map(([tier, value]) =>
        typeof value === "number"
          ? `${tier} ${amount(value, unit)}`
          : `${tier} ${figure(value[0])} to ${amount(value[1], unit)}`
      )
      return `${of}${perWords(per)}: ${tiers.join(", ")} (${sources[source]?.name ?? ""})`
    }),
    ...references.map(
      ({ because, per, unit, value }) => `compared with: ${amount(value, unit)}${perWords(per)}, ${because}`
    )
  ].join("\n")

export const ofUsage = ({ credits_remaining: left, month, requests }: KeyUsage): string =>
  `${counted(left, "credit")} ${left === 1 ? "is" : "are"} left; ${counted(requests, "credit")} used in ${month}.`
