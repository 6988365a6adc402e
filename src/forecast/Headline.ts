import type { BigDecimal } from "effect"
import { quotient, round, toNumber } from "./Decimal.ts"
import type { Funnel } from "./Funnel.ts"
import { profitOf } from "./outlook/BreakEven.ts"
import type { Campaign } from "./outlook/Campaign.ts"

/** The headline figures of a forecast, rounded once. A figure that cannot be computed is null. */
export type Headline = ReturnType<typeof headline>

const count = (stage: BigDecimal.BigDecimal): number => toNumber(round(stage, 4))

const costPer = (cost: BigDecimal.BigDecimal | undefined, people: BigDecimal.BigDecimal): number | null =>
  cost === undefined || people.value === 0n ? null : toNumber(quotient(cost, people, 2))

/** The counts of a campaign's exact funnel, with their costs and revenue. */
export const headline = (campaign: Campaign, funnel: Funnel) => {
  const { clients, meetings, passed, replies, revenue } = funnel
  const { delivery_rate: delivered, positive_reply_rate: positive, show_rate: held } = passed
  const cost = campaign.campaign_cost
  const profit = profitOf(campaign, funnel)
  return {
    estimated_replies: count(replies),
    estimated_positive_replies: count(positive),
    estimated_meetings: count(meetings),
    estimated_clients: count(clients),
    estimated_revenue: revenue === undefined ? null : toNumber(round(revenue, 2)),
    roi_multiple:
      revenue === undefined || cost === undefined || cost.value === 0n ? null : toNumber(quotient(revenue, cost, 1)),
    cost_per_reply: costPer(cost, replies),
    cost_per_meeting: costPer(cost, meetings),
    cost_per_client: costPer(cost, clients),
    estimated_profit: profit.estimated,
    roi_percent: profit.percent,
    estimated_delivered: delivered === undefined ? null : count(delivered),
    estimated_meetings_held: held === undefined ? null : count(held)
  }
}
