import { quotient, show, showExact, times } from "../Decimal.ts"
import { type Campaign, rateNames } from "./Campaign.ts"
import { hundred } from "./Exact.ts"
import { ofHundred } from "./OfHundred.ts"
import type { Outlook } from "./Outlook.ts"
import { posterior } from "./Posterior.ts"

const clients = (count: number): string => `${count} client${count === 1 ? "" : "s"}`

const range = (low: number, high: number): string => (low === high ? clients(low) : `${low} to ${clients(high)}`)

const breakEven = ({ average_deal_value: dealValue, campaign_cost: cost }: Campaign, outlook: Outlook): string => {
  if (outlook.chance_to_break_even === null) {
    const missing = dealValue === undefined ? "average_deal_value" : "campaign_cost"
    return dealValue === undefined && cost === undefined
      ? "The chance to break even is null because average_deal_value and campaign_cost are missing."
      : `The chance to break even is null because ${missing} is missing.`
  }
  if (outlook.clients_to_break_even === null)
    return "Break-even: at a deal value of 0, no number of clients covers the cost."
  if (outlook.clients_to_break_even === 0) return "Break-even: there is no cost to cover, so it takes no client."
  return `Break-even takes ${clients(outlook.clients_to_break_even)}: reached in ${ofHundred(outlook.chance_to_break_even)} such campaigns.`
}

/** What was made of the evidence of each rate. */
const evidence = (campaign: Campaign): ReadonlyArray<string> => {
  const { evidence } = campaign
  if (evidence === undefined) return []
  return rateNames.flatMap((name) => {
    const rate = campaign[name]
    const observation = evidence[name]
    if (rate === undefined || observation === undefined) return []
    const belief = posterior(rate, observation)
    const seen = `${showExact(observation.observed)} of ${showExact(observation.out_of)} observed`
    const at = `${showExact(rate)} %`
    if (!("alpha" in belief)) {
      return rate.value === 0n
        ? [
            `Evidence for ${name}: ${seen}. A rate of ${at} says nothing about how sure it is, so only these count: ${showExact(times(belief, hundred))} %.`
          ]
        : [`Evidence for ${name} changes nothing: a rate of ${at} leaves no doubt; set a lower one to let it count.`]
    }
    const mean = `${show(quotient(times(belief.mean.numerator, hundred), belief.mean.denominator, 4))} % on average`
    return rate.value === 0n
      ? [`Evidence for ${name}: ${seen}. With a rate of 0 % only these count: ${mean}.`]
      : [`Evidence for ${name}: ${seen}, with the ${at} of the request as a prior worth one success: ${mean}.`]
  })
}

/** Which rate to measure next: the one that most of the uncertainty comes from. */
const measureNext = ({ uncertainty_from: shares }: Outlook): ReadonlyArray<string> => {
  if (shares === undefined || shares === null) return []
  const { chance, ...rates } = shares
  const [largest] = Object.entries(rates).toSorted(([, a], [, b]) => b - a)
  const byChance = `${percent(chance)} % of the variance of clients is chance`
  return largest === undefined || largest[1] === 0
    ? [`Uncertainty: ${byChance}.`]
    : [
        `Uncertainty: ${byChance}, and ${percent(largest[1])} % comes from ${largest[0]}, the rate with evidence to measure next.`
      ]
}

const percent = (share: number): string => String(Math.round(share * 1000) / 10)

const spread = ({ chance_of_no_client: noClient, clients: { chance_within, high, low } }: Outlook): string => {
  if (noClient === 1) return "Outlook: no client, however often such a campaign is sent, because a rate is 0 %."
  const none = `in ${ofHundred(noClient)} such campaigns: no client.`
  return high === 0
    ? `Outlook: ${none}`
    : `Outlook: in ${ofHundred(chance_within)} such campaigns: ${range(low, high)}; ${none}`
}

/** Sentences that say how sure a forecast is, in numbers of 100 campaigns, how that was computed, and its limits. */
export const outlookNotes = (campaign: Campaign, outlook: Outlook): ReadonlyArray<string> => [
  spread(outlook),
  breakEven(campaign, outlook),
  "low, median and high are the 10, 50 and 90 % quantiles; chance_within says how much low to high really covers, because counts are whole numbers.",
  ...evidence(campaign),
  ...measureNext(outlook),
  outlook.basis === "evidence"
    ? "The outlook allows for chance and for how unsure the measured rates are; the other rates are taken as exact. That is still a floor on uncertainty: lists differ, and rates move between campaigns. The forecast's own figures, grade and break-even are those of the rates as given."
    : "The outlook takes the rates as exact, so every stage is binomial. That is a floor on uncertainty: lists differ, and rates move between campaigns."
]
