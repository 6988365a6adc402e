import { BigDecimal } from "effect"
import { highVolume, smallSample } from "../benchmarks/Thresholds.ts"
import { compare, quotient, round, show, times, toNumber } from "../Decimal.ts"
import { chanceOfAtLeast } from "../outlook/Chance.ts"
import { ofHundred } from "../outlook/OfHundred.ts"
import { smallestEnough } from "../outlook/SmallestEnough.ts"
import { countsOf } from "../outlook/StageCounts.ts"
import { stagesOf } from "../outlook/Stages.ts"
import { clientsToBreakEven } from "../outlook/Thresholds.ts"
import type { Advice, Case } from "./Case.ts"
import { hasKnownCost } from "./Money.ts"
import { countText, emailsText, moneyText } from "./Words.ts"

const ten = BigDecimal.make(10n, 0)

/** A list has an end, and so has a budget: more than this many times the emails is nothing to advise. */
export const mostTimes = 3

/** What doubles may add to a chance. */
const rounding = 1e-12

/** What each email costs and brings, where it is known that it brings more than it costs. */
export const gainOfEmail = (campaign: Case) => {
  const { assumptions, funnel } = campaign
  const { campaign_cost: cost, emails_sent: emails } = assumptions
  const { revenue } = funnel
  if (!hasKnownCost(campaign) || revenue === undefined || cost === undefined || compare(revenue, cost) <= 0) {
    return undefined
  }
  const per = (total: BigDecimal.BigDecimal) => {
    const { places, units } = quotient(total, emails, 10)
    return moneyText(BigDecimal.make(units, places))
  }
  return { brings: per(revenue), costs: per(cost), cost, revenue }
}

/** Fewer emails than this many times those planned make no difference to speak of. */
const leastTimes = 1.25

/** The fewest emails within reach that win a client often enough, if they pay as often, and what they cost. */
const largerCampaign = (campaign: Case) => {
  const { assumptions, flags, request } = campaign
  const gain = gainOfEmail(campaign)
  if (gain === undefined || flags.some((flag) => flag.startsWith("optimistic_"))) return undefined
  const now = toNumber(round(assumptions.emails_sent, 0))
  const greatest = Math.min(now * mostTimes, highVolume.value)
  if (now >= greatest) return undefined
  const stage = stagesOf(request).clients
  const needed = smallestEnough(
    { least: now + 1, greatest, guess: greatest },
    (emails) => countsOf(stage, emails).atLeast(1) >= 1 - smallSample - rounding
  )
  if (needed === undefined || needed < now * leastTimes) return undefined
  const emails = BigDecimal.make(BigInt(needed), 0)
  const { places, units } = quotient(times(gain.cost, emails), assumptions.emails_sent, 10)
  const cost = BigDecimal.make(units, places)
  const clients = clientsToBreakEven({ ...assumptions, campaign_cost: cost }) ?? Infinity
  const chance = chanceOfAtLeast(countsOf(stage, needed), clients)
  return chance < 1 - smallSample - rounding ? undefined : { chance, cost, emails }
}

/** What to do where there may well be no client: send more where that is in reach and pays, or else expect none. */
export const planForChance: Advice = (campaign) => {
  const { assumptions, flags, funnel, outlook } = campaign
  if (!flags.includes("small_sample") || flags.includes("negative_roi")) return undefined
  const { emails_sent: emails } = assumptions
  const none = ofHundred(outlook.chance_of_no_client)
  const larger = largerCampaign(campaign)
  if (larger !== undefined) {
    const count = emailsText(larger.emails)
    return (
      `Send ${count} rather than ${countText(emails)}: ${none} campaigns this small win no client; with ${count} it is 20 of 100. ` +
      `At the same cost per email that costs ${moneyText(larger.cost)}, which ${ofHundred(larger.chance)} such campaigns cover.`
    )
  }
  const takes = `a client takes about ${show(quotient(emails, funnel.clients, 0))} emails on average`
  const { basis } = outlook.rates.reply_rate
  const isTest = basis !== "history" && basis !== "evidence" && compare(funnel.replies, ten) >= 0
  if (outlook.chance_of_no_client <= 0.5)
    return `Be ready for no client: ${none} such campaigns win none, and ${takes}.`
  return isTest
    ? `Take this campaign as a test of the reply rate: ${takes}, and ${none} such campaigns win none. Judge it by its ` +
        `${show(round(funnel.replies, 0))} expected replies.`
    : `Do not count on a client: ${none} such campaigns win none, and ${takes}.`
}
