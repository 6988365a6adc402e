import { BigDecimal } from "effect"
import { quotient, times } from "../Decimal.ts"
import { type Campaign, isMeasured, rateNames } from "./Campaign.ts"
import { hundred } from "./Exact.ts"
import { basisOf, beliefOf } from "./Posterior.ts"

/** Decimals of a rate in percent that was computed: no grade turns on what is cut off. */
const places = 12

/**
 * The same campaign with each rate that was measured, or learned from past campaigns, at what the outlook expects of it;
 * the campaign itself where none was.
 */
export const atMeasuredRates = <C extends Campaign>(campaign: C): C => {
  if (!isMeasured(campaign)) return campaign
  const changed: { -readonly [rate in keyof Campaign]?: BigDecimal.BigDecimal } = {}
  for (const name of rateNames) {
    const rate = campaign[name]
    if (rate === undefined) continue
    const belief = beliefOf(campaign, name, rate)
    const basis = basisOf(campaign, { belief, name, rate })
    if (basis !== "history" && basis !== "evidence") continue
    if ("alpha" in belief) {
      const { denominator, numerator } = belief.mean
      changed[name] = BigDecimal.make(quotient(times(numerator, hundred), denominator, places).units, places)
    } else changed[name] = times(belief, hundred)
  }
  return Object.keys(changed).length === 0 ? campaign : { ...campaign, ...changed }
}
