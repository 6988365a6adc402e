import type { Forecast } from "../../forecast/ForecastAnswer.ts"
import { boundRates } from "../../forecast/benchmarks/PublishedRates.ts"
import { optimisticFlag } from "../../forecast/benchmarks/RiskFlags.ts"
import { firstSentences, isQuestion, maxSentences, ofForecast, type Spoken } from "../../forecast/Spoken.ts"
import { wordsOf } from "../../forecast/forecastLines.ts"
import { listed, ofHundred } from "../../forecast/Words.ts"
import { about, clientRange, counted, integer, people } from "../../text/Figures.ts"
import type { PortfolioTotals, Ranking } from "./PortfolioAnswer.ts"

/** The sums of a list. */
type Sums = Omit<PortfolioTotals, "summary">

/** A campaign in a sentence: its name, or its position in the list from 1. */
export const nameOf = (name: string | number): string => (typeof name === "number" ? `no. ${name + 1}` : name)

/** The rates of a campaign that few campaigns have. */
export const abovePublished = ({ risk_flags: flags }: Pick<Forecast, "risk_flags">) =>
  boundRates.filter((rate) => flags.includes(optimisticFlag[rate]))

type Named = readonly [name: string | number, forecast: Spoken]

/**
 * The doubt about campaigns, best first: a question about one of them, first one without other advice, as its figures
 * mean nothing; otherwise the rates of the best that few campaigns have.
 */
const doubtOf = (ranked: ReadonlyArray<Named>): ReadonlyArray<string> => {
  const asked = ranked.flatMap(([name, { recommendations }]) => {
    const [first, ...others] = recommendations
    return first !== undefined && isQuestion(first) ? [{ name, first, isOnly: others.length === 0 }] : []
  })
  const question = asked.find(({ isOnly }) => isOnly) ?? asked[0]
  if (question !== undefined) {
    const [first = "", ...others] = firstSentences(question.first)
    return [`${nameOf(question.name)}: ${first}`, ...others]
  }
  const [best] = ranked
  const above = best === undefined ? [] : abovePublished(best[1])
  return best === undefined || above.length === 0
    ? []
    : [`Check the ${listed(above.map(wordsOf))} of ${nameOf(best[0])} first: few campaigns do that well.`]
}

/** The clients of all campaigns, and the best of these. */
const together = (sums: Sums, { by, neighbours, order: [first] }: Ranking): string => {
  const { campaigns, chance_of_no_client: none, clients, estimated_clients } = sums
  const range =
    clients === null ? "" : ` ${clientRange(clients, integer)} in ${ofHundred(clients.chance_within)} such sets,`
  const [next] = neighbours
  const better =
    next === undefined ? "" : `, better than ${nameOf(next.second)} in ${ofHundred(next.chance_first_is_better)}`
  const best = first === undefined ? "" : `; the best by ${by} is ${nameOf(first)}${better}`
  return `Together ${counted(campaigns, "campaign")} bring${range} ${people(estimated_clients)} on average, none in ${ofHundred(none)}${best}.`
}

/** The advice on volume, which is about the whole: whether one campaign wins a client says little about it. */
const ofVolume = ({ campaign_cost: cost, emails_sent, estimated_revenue: revenue }: Sums): ReadonlyArray<string> => {
  if (cost === null || revenue === null || cost === 0) return []
  const sums = `the ${integer(emails_sent)} emails of this list cost ${about(cost)} and bring in ${about(revenue)} on average`
  return [
    revenue < cost
      ? `Do not send more as it is: ${sums}.`
      : `Judge whether to send more by the whole, not by one campaign: ${sums}.`
  ]
}

/** The sentences to pass on about a list: the doubt first, then its clients, then whether to send more. */
export const ofList = (sums: Sums, ranking: Ranking, forecasts: ReadonlyMap<string | number, Spoken>): string => {
  const ranked = ranking.order.flatMap((name): ReadonlyArray<Named> => {
    const forecast = forecasts.get(name)
    return forecast === undefined ? [] : [[name, forecast]]
  })
  const [only, second] = ranked
  if (only !== undefined && second === undefined) return ofForecast(only[1])
  return [...doubtOf(ranked), together(sums, ranking), ...ofVolume(sums)].slice(0, maxSentences).join(" ")
}
