import { amountBounds } from "../../campaign/NumberBounds.ts"
import {
  compare,
  type Decimal,
  quotient,
  quotientUp,
  quotientUpVisibly,
  round,
  roundDown,
  roundVisibly,
  show,
  times,
  toDouble,
  isZero,
  whole
} from "../Decimal.ts"
import type { AssessedCampaign } from "../benchmarks/RiskFlags.ts"
import { type Advice, isHopeless } from "./Advice.ts"
import { emailsEach, mayBeOfContacts } from "./DoubtfulRates.ts"
import { amountText, clientsText, countText, listed, typedText, ofHundred, percentText, rateText } from "../Words.ts"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { about, aboutAtLeast, aboutAtMost } from "../../text/Figures.ts"
import { leastMeetingCost, references } from "../benchmarks/Thresholds.ts"
import { type RateName, rateNames } from "../Campaign.ts"
import { automaticRates, ceilingOf, isCompared, rateLabel } from "../benchmarks/PublishedRates.ts"

const thousand = whole(1000)
const realCost = "what the campaign really costs, including tools, list and hours"

/** The greatest amount in a request, in hundredths. */
const greatestAmount = amountBounds.maximum * 100

const dealValueFor = (cost: Decimal, clients: Decimal): string => {
  const value = quotientUp(cost, clients, 2)
  return value.value > greatestAmount
    ? "no deal value is enough"
    : `it takes a deal value of ${aboutAtLeast(toDouble(value))} to break even on average`
}

/**
 * Asks what is missing from a cost far below the usual cost of meetings, and says what the campaign can afford; not if it
 * only looks so with replies that are in doubt themselves.
 */
export const checkCost: Advice = (assessed) => {
  const { flags, inDoubt = [] } = assessed
  const { campaign_cost: cost } = assessed.campaign
  const { meetings, revenue } = assessed.funnel
  if (!flags.includes("cost_looks_incomplete") || cost === undefined || inDoubt.includes("reply_rate")) return undefined
  const each = quotient(cost, meetings, 12)
  const isUsual = compare(times(each, whole(emailsEach)), leastMeetingCost.exact) >= 0
  if (isUsual && mayBeOfContacts(assessed)) return undefined
  const payable = revenue === undefined ? undefined : roundDown(revenue, 2)
  const turns =
    payable === undefined || payable.value === 0 || flags.includes("negative_roi")
      ? ""
      : ` As forecast, the campaign pays for itself on average up to a cost of ${aboutAtMost(toDouble(payable))}.`
  return (
    `Does the cost of ${typedText(cost)} leave something out? ${about(toDouble(each))} per meeting is far below the 150 to 400 USD that ` +
    `others pay (${leastMeetingCost.from}): add hours, list and tools.${turns}`
  )
}

/** Asks for a missing deal value or cost, or for a cost above 0, and says what can be known without them. */
export const fillInMoney: Advice = ({ campaign, funnel: { clients, revenue } }) => {
  const { average_deal_value: value, campaign_cost: cost } = campaign
  const hasCost = cost !== undefined && !isZero(cost)
  if (value === undefined && hasCost) {
    return `Add average_deal_value to see the ROI: with ${clientsText(clients)} for ${typedText(cost)}, ${dealValueFor(cost, clients)}.`
  }
  if (value === undefined) {
    return (
      `Add average_deal_value and ${cost === undefined ? "campaign_cost" : realCost} to see whether the campaign pays off: with ` +
      `${clientsText(clients)} and a cost of 1,000, say, ${dealValueFor(thousand, clients)}.`
    )
  }
  if (hasCost || revenue === undefined) return undefined
  if (isZero(revenue)) return "Enter what a client is worth: with a deal value of 0 the revenue is 0 as well."
  const payable = roundDown(revenue, 2)
  const most = payable.value === 0 ? amountText(roundVisibly(revenue, 2)) : aboutAtMost(toDouble(payable))
  return cost === undefined
    ? `Add campaign_cost to see the ROI: the campaign pays for itself on average up to a cost of ${most}.`
    : `Enter ${realCost}: without a cost there is no ROI. The campaign pays for itself on average up to a cost of ${most}.`
}

/** Says how often the cost is not covered, and what the revenue is on average. */
const lossText = (
  { outlook: { chance_to_break_even: chance } }: AssessedCampaign,
  cost: Decimal,
  revenue: Decimal
): string => {
  const text = about(toDouble(revenue))
  // An amount that looks like the cost is shown with its hundredths.
  const shown = text === about(toDouble(cost)) ? amountText(round(revenue, 2)) : text
  return (
    `in ${ofHundred(1 - (chance ?? 0))} such campaigns the revenue does not cover the cost of ${typedText(cost)}; on average the ` +
    `revenue is ${shown}`
  )
}

/** The highest value of a rate that a way out may take: no more than anybody has measured, or plans with. */
const maxReached = (assumptions: Assumptions, rate: RateName): Decimal | undefined =>
  rate === "positive_reply_rate" ? references.positive.exact : ceilingOf(assumptions, rate)

/** The rates that break even by themselves without exceeding published figures, and do not rest on doubtful replies. */
const ratesThatBreakEven = (
  { campaign, flags }: AssessedCampaign,
  cost: Decimal,
  revenue: Decimal
): ReadonlyArray<string> =>
  rateNames.flatMap((rate) => {
    const now = campaign[rate]
    // If replies are automatic, leaving them out raises one of these and lowers the other.
    const isDoubtful = automaticRates.includes(rate) && flags.includes("low_positive_reply_rate")
    const most = isCompared(campaign, rate) ? maxReached(campaign, rate) : undefined
    if (now === undefined || most === undefined || isDoubtful) return []
    const needed = quotientUpVisibly(times(cost, now), revenue)
    return compare(needed, most) > 0 ? [] : [`the ${rateLabel[rate]} from ${rateText(now)} to ${percentText(needed)}`]
  })

/** A deal value below this may be a month's fee; if covering the cost takes longer than these months, it hardly is. */
const maxFee = whole(100)
const maxMonths = 60

/** Asks whether a small deal value is a monthly fee, and says how many months break even. */
const asksForMonths = (
  assessed: AssessedCampaign,
  dealValue: Decimal,
  cost: Decimal,
  revenue: Decimal
): string | undefined => {
  const months = quotientUp(cost, revenue, 0)
  if (compare(dealValue, maxFee) >= 0 || months.value > maxMonths) return undefined
  return (
    `If ${typedText(dealValue)} is a month's fee, enter what a client pays in all: ${show(months)} months break even on average. ` +
    `As it stands, ${lossText(assessed, cost, revenue)}.`
  )
}

/** Names the changes that would each make a losing campaign break even by itself. */
export const coverCost: Advice = (assessed) => {
  const { campaign, flags, funnel } = assessed
  const { average_deal_value: dealValue, campaign_cost: cost } = campaign
  const { clients, revenue } = funnel
  if (!flags.includes("negative_roi") || cost === undefined || dealValue === undefined || revenue === undefined) {
    return undefined
  }
  const value = quotientUp(cost, clients, 2)
  if (isZero(revenue)) {
    const from =
      value.value > greatestAmount ? "" : `; it breaks even on average at ${aboutAtLeast(toDouble(value))} per client`
    return `Enter what a client is worth: with a deal value of 0 the campaign costs ${typedText(cost)} and brings in nothing${from}.`
  }
  const monthly = asksForMonths(assessed, dealValue, cost, revenue)
  if (monthly !== undefined) return monthly
  if (isHopeless(assessed)) {
    const factor = quotientUp(cost, revenue, 0)
    return (
      `Do not run this campaign as it is: ${lossText(assessed, cost, revenue)}. To break even on average, rates and deal value ` +
      `together would have to be ${countText(factor)} times as high, or the cost as many times lower.`
    )
  }
  const rates = ratesThatBreakEven(assessed, cost, revenue)
  const payable = roundDown(revenue, 2)
  const ways = [
    ...rates,
    ...(value.value > greatestAmount
      ? []
      : [`the deal value from ${typedText(dealValue)} to ${aboutAtLeast(toDouble(value))}`]),
    ...(payable.value === 0 ? [] : [`the cost from ${typedText(cost)} to ${aboutAtMost(toDouble(payable))}`])
  ]
  const limits =
    rates.length === 0 && !flags.includes("low_positive_reply_rate")
      ? " No rate can do it alone and stay within published figures."
      : ""
  return (
    `This campaign loses money: ${lossText(assessed, cost, revenue)}. To break even on average, change one of these: ` +
    `${listed(ways, "or")}.${limits}`
  )
}

/**
 * Says how often the cost is not covered, and the reply rate and the cost at which the campaign breaks even on average.
 */
export const margin: Advice = ({ campaign, funnel: { revenue }, outlook: { chance_to_break_even: chance } }) => {
  const { campaign_cost: cost, reply_rate } = campaign
  if (revenue === undefined || cost === undefined || chance === null) return undefined
  if (isZero(cost) || isZero(revenue)) return undefined
  const least = quotientUpVisibly(times(cost, reply_rate), revenue)
  const payable = roundDown(revenue, 2)
  return (
    `Watch the margin: in ${ofHundred(1 - chance)} such campaigns the revenue does not cover the cost. On average it does ` +
    `with a reply rate of at least ${percentText(least)} (now ${rateText(reply_rate)}) or a cost of at most ` +
    `${payable.value === 0 ? amountText(roundVisibly(revenue, 2)) : aboutAtMost(toDouble(payable))}.`
  )
}
