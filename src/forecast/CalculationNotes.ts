import type { BigDecimal } from "effect"
import type { PerformanceGrade } from "./Assessment.ts"
import type { Assumptions } from "./Assumptions.ts"
import { quotient, round, type Rounded, roundVisibly, show, showExact } from "./Decimal.ts"
import type { Funnel } from "./Funnel.ts"

/** `= 9,375`, or `≈ 9,375` where the result or an operand is shown rounded. */
const equals = (result: Rounded, ...operands: ReadonlyArray<Rounded>) =>
  `${result.exact && operands.every(({ exact }) => exact) ? "=" : "≈"} ${show(result)}`

const gradeReason: { readonly [grade in PerformanceGrade]: string } = {
  strong: "the exact ROI is 10 or more",
  healthy: "the exact ROI is at least 3 and below 10",
  break_even_or_unclear: "the exact ROI is at least 1 and below 3",
  weak: "the exact ROI is below 1"
}

/** Why there is no ROI, or nothing where there is one. */
const noRoi = ({ average_deal_value: dealValue, campaign_cost: cost }: Assumptions): string | undefined => {
  if (dealValue === undefined) return "average_deal_value is missing"
  if (cost === undefined) return "campaign_cost is missing"
  return cost.value === 0n ? "campaign_cost is 0, and nothing can be divided by 0" : undefined
}

/**
 * Sentences that show how each figure came about, with this request's numbers (`≈` where a figure shown is rounded), why
 * a figure is null, and the limits of it all.
 */
export const calculationNotes = (
  assumptions: Assumptions,
  funnel: Funnel,
  grade: PerformanceGrade
): ReadonlyArray<string> => {
  const { average_deal_value: dealValue, campaign_cost: cost } = assumptions
  const { clients, meetings, positiveReplies, replies, revenue } = funnel
  const emails = showExact(assumptions.emails_sent)
  const repliesShown = roundVisibly(replies, 4)
  const positiveRepliesShown = roundVisibly(positiveReplies, 4)
  const meetingsShown = roundVisibly(meetings, 4)
  const clientsShown = roundVisibly(clients, 4)
  const notes = [
    `Replies: ${emails} sent × ${showExact(assumptions.reply_rate)} % ${equals(repliesShown)}.`,
    `Positive replies: ${show(repliesShown)} × ${showExact(assumptions.positive_reply_rate)} % ${equals(positiveRepliesShown, repliesShown)}.`,
    `Meetings: ${show(positiveRepliesShown)} × ${showExact(assumptions.meeting_booking_rate)} % ${equals(meetingsShown, positiveRepliesShown)}.`,
    `Clients: ${show(meetingsShown)} × ${showExact(assumptions.close_rate)} % ${equals(clientsShown, meetingsShown)}.`
  ]
  if (revenue === undefined || dealValue === undefined) {
    notes.push("Revenue is null because average_deal_value is missing.")
  } else {
    const times = `${show(clientsShown)} expected clients × ${showExact(dealValue)}`
    notes.push(`Revenue: ${times} ${equals(round(revenue, 2), clientsShown)}.`)
  }
  const missing = noRoi(assumptions)
  if (missing !== undefined || revenue === undefined || cost === undefined) {
    notes.push(`ROI multiple is null because ${missing}.`, `Grade ${grade}: the ROI is not known.`)
  } else {
    const revenueShown = roundVisibly(revenue, 2)
    notes.push(
      `ROI multiple: ${show(revenueShown)} ÷ ${showExact(cost)} ${equals(quotient(revenue, cost, 1), revenueShown)}.`,
      `Grade ${grade}: ${gradeReason[grade]}.`
    )
  }
  if (cost === undefined) {
    notes.push("The costs per reply, meeting and client are null because campaign_cost is missing.")
  } else {
    notes.push(
      costNote("reply", cost, replies, repliesShown),
      costNote("meeting", cost, meetings, meetingsShown),
      costNote("client", cost, clients, clientsShown)
    )
  }
  notes.push(
    "Every figure is computed from exact values and rounded once, half away from zero: counts to 4 decimals, money to 2, the ROI multiple to 1.",
    "These are estimates, not guarantees: they hold if your assumptions hold, and the forecast knows nothing of your list, offer, deliverability or timing."
  )
  return notes
}

const costNote = (stage: string, cost: BigDecimal.BigDecimal, count: BigDecimal.BigDecimal, shown: Rounded) =>
  count.value === 0n
    ? `Cost per ${stage} is null because the expected count is 0.`
    : `Cost per ${stage}: ${showExact(cost)} ÷ ${show(shown)} ${equals(quotient(cost, count, 2), shown)}.`
