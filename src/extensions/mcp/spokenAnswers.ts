import type { KeyUsage } from "../../metering/KeyUsage.ts"
import type { benchmarksOf, measures } from "../benchmarks/MeasureBenchmarks.ts"
import { listed, ofHundred } from "../../forecast/Words.ts"
import { about, clients, counted, figure, integer, percent } from "../../text/Figures.ts"
import { type CampaignsBrief, nameOf } from "./CampaignsBrief.ts"

/** A sentence or two about an answer, for a person. */

const words = (name: string) => name.replaceAll("_", " ")

/** The doubt about a list, before its figures: its question, or the rates of the best campaign that few have. */
const doubtOf = ({ question, ranking: { campaigns } }: CampaignsBrief): string => {
  if (question !== undefined) return `${question} `
  const [{ above_published: above = [], name } = { name: 0 }] = campaigns
  return above.length === 0
    ? ""
    : `Check the ${listed(above.map(words))} of ${nameOf(name)} first: few campaigns do that well. `
}

export const ofCampaigns = (brief: CampaignsBrief): string => {
  const { ranking, totals } = brief
  const [first, second] = ranking.campaigns
  const result = `${clients(totals.estimated_clients)} on average, none in ${ofHundred(totals.chance_of_no_client)} cases.`
  const doubt = doubtOf(brief)
  if (first === undefined || second === undefined) {
    return `${doubt}${first === undefined || typeof first.name === "number" ? "The campaign" : first.name} brings ${result}`
  }
  const chance = first.chance_better_than_next
  const better = chance === null ? "" : `, better than ${nameOf(second.name)} in ${ofHundred(chance)} cases`
  return `${doubt}Together ${counted(totals.campaigns, "campaign")} bring ${result} The best by ${ranking.by} is ${nameOf(first.name)}${better}.`
}

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
  const published = `${counted(figures.length, "publication")} on the ${words(measure)}`
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
