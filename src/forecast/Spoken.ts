import { about, clientRange, integer, people } from "../text/Figures.ts"
import { type RiskFlag, riskOf } from "./benchmarks/RiskFlags.ts"
import type { Forecast } from "./ForecastAnswer.ts"
import { ofHundred } from "./Words.ts"

/** A sentence or two about an answer, for a person. */

/** As many of 100 such campaigns as a chance says. */
export const such = (chance: number) => `${ofHundred(chance)} such campaigns`

/** True if a flag says that a number of the plan may be wrong, or is the first to change. */
const isDoubt = (flag: RiskFlag) => riskOf(flag).kind !== undefined

/** True if advice asks something: the figures rest on the answer, so it is heard before them. */
export const isQuestion = (advice: string) => advice.includes("?")

/** Figures with the first advice: before them if it is a doubt about them, otherwise after them. */
export const withAdvice = (figures: string, advice: string, isDoubt = isQuestion(advice)): string =>
  (isDoubt ? [advice, figures] : [figures, advice]).filter((text) => text !== "").join(" ")

export const ofForecast = ({
  estimated_profit: profit,
  outlook,
  recommendations,
  risk_flags: flags
}: Pick<Forecast, "estimated_profit" | "outlook" | "recommendations" | "risk_flags">): string => {
  const { chance_within, expected, high, low } = outlook.clients
  const range = `In ${such(chance_within)} this brings ${clientRange({ low, high }, integer)}, ${people(expected)} on average`
  const none = high === 0 ? "" : `; in ${ofHundred(outlook.chance_of_no_client)} none`
  const [first = ""] = recommendations
  const average = profit === null ? "" : ` On average the profit is ${about(profit)}.`
  return withAdvice(`${range}${none}.${average}`, first, isQuestion(first) || flags.some(isDoubt))
}
