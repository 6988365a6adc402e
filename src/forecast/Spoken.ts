import { clientRange, integer, money, people } from "../text/Figures.ts"
import { type RiskFlag, riskOf } from "./benchmarks/RiskFlags.ts"
import type { Forecast } from "./ForecastAnswer.ts"
import { ofHundred } from "./Words.ts"

/** A sentence or two about an answer, for a person. */

/** As many of 100 such campaigns as a chance says. */
export const such = (chance: number) => `${ofHundred(chance)} such campaigns`

/** True if a flag says that a number of the plan may be wrong, or is the first to change. */
const isDoubt = (flag: RiskFlag) => riskOf(flag).kind !== undefined

export const ofForecast = ({
  estimated_profit: profit,
  outlook,
  recommendations,
  risk_flags: flags
}: Pick<Forecast, "estimated_profit" | "outlook" | "recommendations" | "risk_flags">): string => {
  const { chance_within, expected, high, low } = outlook.clients
  const range = `In ${such(chance_within)} this brings ${clientRange({ low, high }, integer)}, ${people(expected)} on average`
  const none = high === 0 ? "" : `; in ${ofHundred(outlook.chance_of_no_client)} none`
  const doubt = flags.some(isDoubt) ? recommendations.slice(0, 1) : []
  return [
    `${range}${none}.`,
    ...(profit === null ? [] : [`On average the profit is ${money(profit)}.`]),
    ...doubt
  ].join(" ")
}
