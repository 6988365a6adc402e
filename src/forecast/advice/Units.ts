import { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { optionalRates } from "../../campaign/Rates.ts"
import { times, toDouble } from "../Decimal.ts"
import { greatestRate, type RateName, rateNames } from "../outlook/Campaign.ts"
import type { Advice } from "./Case.ts"
import { clientsWith, rateLabel } from "./Rates.ts"
import { clientsText, countText, emailsText, listed, rateText } from "./Words.ts"

const zero = BigDecimal.make(0n, 0)
const hundred = BigDecimal.make(100n, 0)

const isFraction = (rate: BigDecimal.BigDecimal | undefined, isFlagged: boolean): boolean => {
  if (rate === undefined || rate.value === 0n) return false
  const value = toDouble(rate)
  return isFlagged ? value <= 1 : value >= 0.01 && value < 1
}

/**
 * The rates that look like fractions of 1: all that are, where rates are flagged as such; else those that nobody has in
 * percent. A reply rate below 1 % is usual, and without the flag only looks like a fraction beside others that do.
 */
const fractions = (assumptions: Assumptions, isFlagged: boolean): ReadonlyArray<RateName> => {
  const found = rateNames.filter(
    (rate) =>
      isFraction(assumptions[rate], isFlagged) &&
      toDouble(assumptions[rate] ?? zero) * 10_000 <= greatestRate(assumptions, rate)
  )
  const others = found.filter((rate) => rate !== "reply_rate")
  return isFlagged || others.length > 1 ? found : others
}

/** Asks for percentages where rates look like fractions, and says what would come of them. */
export const checkUnits: Advice = ({ assumptions: assumed, flags, request: assumptions }) => {
  // A fraction is lower than any bound of the four rates, so that there is a flag, unless something else was measured.
  const isUsual = flags.length === 0 && assumed === assumptions
  if (isUsual && optionalRates.every((rate) => assumptions[rate] === undefined)) return undefined
  const found = fractions(assumptions, flags.includes("rates_look_like_fractions"))
  if (found.length === 0) return undefined
  const meant = Object.fromEntries(found.map((rate) => [rate, times(assumptions[rate] ?? zero, hundred)]))
  const sent = found.map((rate) => rateText(assumptions[rate] ?? zero))
  const percentages = found.map((rate) => rateText(meant[rate] ?? zero))
  const numbers = percentages.map((text) => text.slice(0, -2))
  const looks = found.length === 1 ? "looks like a fraction" : "look like fractions"
  const clients = clientsWith(assumptions, meant)
  const now = countText(clientsWith(assumptions, {}))
  return (
    `Check the unit of the ${listed(found.map((rate) => rateLabel[rate]))}: ${listed(sent)} ${looks}. If you meant ` +
    `${listed(percentages)}, enter ${listed(numbers)}: ${emailsText(assumptions.emails_sent)} would bring ` +
    `${clientsText(clients)}${countText(clients) === now ? "" : ` instead of ${now}`}.`
  )
}
