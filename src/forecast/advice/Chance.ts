import { BigDecimal } from "effect"
import { highVolume } from "../benchmarks/Thresholds.ts"
import { compare, quotient, times } from "../Decimal.ts"
import { chanceOfNoClient, emailsForAClient } from "../NoClient.ts"
import type { Advice, Case } from "./Case.ts"
import { countText, emailsText, moneyText, outOfHundred } from "./Words.ts"

const ten = BigDecimal.make(10n, 0)

/** What each email costs and brings, where it is known that it brings more than it costs. */
export const gainOfEmail = ({ assumptions, funnel }: Case) => {
  const { campaign_cost: cost, emails_sent: emails } = assumptions
  const { revenue } = funnel
  if (revenue === undefined || cost === undefined || cost.value === 0n || compare(revenue, cost) <= 0) return undefined
  const per = (total: BigDecimal.BigDecimal) => {
    const { places, units } = quotient(total, emails, 10)
    return moneyText(BigDecimal.make(units, places))
  }
  return { brings: per(revenue), costs: per(cost), cost, revenue }
}

/** What to do where chance alone may well leave no client. */
export const planForChance: Advice = (campaign) => {
  const { assumptions, flags, funnel } = campaign
  if (!flags.includes("small_sample") || flags.includes("negative_roi")) return undefined
  const { emails_sent: emails } = assumptions
  const chance = outOfHundred(chanceOfNoClient(emails, funnel.clients))
  const needed = emailsForAClient(emails, funnel.clients)
  const gain = gainOfEmail(campaign)
  const isDoubtful = flags.some((flag) => flag.startsWith("optimistic_"))
  if (gain !== undefined && !isDoubtful && needed <= highVolume.value) {
    const count = BigDecimal.make(BigInt(needed), 0)
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
      : Number.isFinite(needed) && needed <= highVolume.value
        ? ` With ${emailsText(BigDecimal.make(BigInt(needed), 0))} it would be 20 of 100.`
        : ""
  return `Do not count on a client: ${chance} such campaigns win none, even if every rate holds.${judge}`
}
