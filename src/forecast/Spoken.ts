import { about, clientRange, integer, people } from "../text/Figures.ts"
import { type RiskFlag, riskOf } from "./benchmarks/RiskFlags.ts"
import type { Forecast } from "./ForecastAnswer.ts"
import { ofHundred } from "./Words.ts"

/** The sentences of an answer to pass on: at most three, the doubt first. */

/** As many of 100 such campaigns as a chance says. */
export const such = (chance: number) => `${ofHundred(chance)} such campaigns`

/** True if a flag says that a number of the plan may be wrong, or is the first to change. */
const isDoubt = (flag: RiskFlag) => riskOf(flag).kind !== undefined

/** True if advice asks something: the figures rest on the answer, so it is heard before them. */
export const isQuestion = (advice: string) => advice.includes("?")

/** The most sentences of a summary. */
export const maxSentences = 3

/** The first sentences of a text: in advice, what is asked or to be done stands in the first two. */
export const firstSentences = (text: string, count = 2): ReadonlyArray<string> =>
  text === "" ? [] : text.split(/(?<=[.?!]) (?=[A-Z\d])/).slice(0, count)

/** Figures with the first advice: before them if it is a doubt about them, otherwise after them. */
export const withAdvice = (figures: string, advice: string, isDoubt = isQuestion(advice)): string => {
  const sentences = firstSentences(advice)
  return (isDoubt ? [...sentences, figures] : [figures, ...sentences]).join(" ")
}

/** An average profit: `, with a profit of 8,780`, `, with a loss of 500`. */
const profitText = (profit: number | null): string => {
  if (profit === null) return ""
  if (profit === 0) return ", with no profit"
  return `, with a ${profit < 0 ? "loss" : "profit"} of ${about(Math.abs(profit))}`
}

/** The parts of a forecast that its summary is about. */
export type Spoken = Pick<Forecast, "estimated_profit" | "outlook" | "recommendations" | "risk_flags">

/** An average of clients, which no text shows as 0 if one may be won. */
export const averageText = (expected: number): string => (expected < 0.01 ? "fewer than 0.01" : people(expected))

/** The range of clients, their average and the average profit. */
const rangeText = ({ estimated_profit: profit, outlook }: Pick<Spoken, "estimated_profit" | "outlook">): string => {
  const { chance_within, expected, high, low } = outlook.clients
  if (outlook.chance_of_no_client === 1) return `At these rates this brings no client${profitText(profit)}.`
  const start = `In ${such(chance_within)} this brings`
  return high === 0
    ? `${start} no client; the average is ${averageText(expected)} clients${profitText(profit)}.`
    : `${start} ${clientRange({ low, high }, integer)}, ${people(expected)} on average${profitText(profit)}; none in ${ofHundred(outlook.chance_of_no_client)}.`
}

/** The sentences to pass on about a forecast. */
export const ofForecast = ({ recommendations: [first = ""], risk_flags: flags, ...figures }: Spoken): string =>
  withAdvice(rangeText(figures), first, isQuestion(first) || flags.some(isDoubt))
