import { BigDecimal } from "effect"
import { highVolume } from "../benchmarks/Thresholds.ts"
import { compare, quotient, times } from "../Decimal.ts"
import { neededEmails } from "../outlook/GoalLevers.ts"
import type { Advice, Case } from "./Case.ts"
import { hasKnownCost } from "./Money.ts"
import { countText, emailsText, moneyText, outOfHundred } from "./Words.ts"

const ten = BigDecimal.make(10n, 0)

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

/** A client in all but 20 of 100 such campaigns. */
const aClient = { aim: "clients", target: BigDecimal.make(1n, 0), chance: BigDecimal.make(8n, 1) } as const

/** What to do where there may well be no client. */
export const planForChance: Advice = (campaign) => {
  const { assumptions, flags, funnel, outlook } = campaign
  if (!flags.includes("small_sample") || flags.includes("negative_roi")) return undefined
  const { emails_sent: emails } = assumptions
  const chance = outOfHundred(outlook.chance_of_no_client)
  const needed = neededEmails(aClient, assumptions)
  const count = needed === undefined || compare(needed, highVolume.exact) > 0 ? undefined : needed
  const gain = gainOfEmail(campaign)
  const isDoubtful = flags.some((flag) => flag.startsWith("optimistic_"))
  if (gain !== undefined && !isDoubtful && count !== undefined) {
    const total = quotient(times(gain.cost, count), emails, 10)
    return (
      `Send at least ${emailsText(count)} rather than ${countText(emails)}: ${chance} campaigns this small win no client ` +
      `at all; with ${emailsText(count)} it is 20 of 100. Each email costs ${gain.costs} and brings in ${gain.brings} on ` +
      `average, so the larger campaign is worth its cost of ${moneyText(BigDecimal.make(total.units, total.places))}.`
    )
  }
  const judge =
    compare(funnel.replies, ten) >= 0
      ? ` Judge the campaign by its ${countText(funnel.replies)} expected replies instead.`
      : count === undefined
        ? ""
        : ` With ${emailsText(count)} it would be 20 of 100.`
  return `Do not count on a client: ${chance} such campaigns win none.${judge}`
}
