import { Schema } from "effect"
import { type Decimal, one, type Ratio, times, zero, plus, minus, isZero } from "../../forecast/Decimal.ts"
import { type Campaign, type StageName, valueOfClient } from "../../forecast/Campaign.ts"

/** The possible aims of a goal. */
export const aims = ["replies", "meetings", "clients", "revenue", "profit", "roi_multiple"] as const
export type Aim = (typeof aims)[number]

/**
 * A goal: at least `target` people, or this revenue or profit in the campaign's currency, or this multiple of the cost;
 * in expectation, or with a `chance` from 0.5 to 0.999.
 */
export const Goal = Schema.Struct({
  aim: Schema.Literals(aims),
  target: Schema.BigDecimal,
  chance: Schema.optional(Schema.BigDecimal)
})
export type Goal = typeof Goal.Type

/** The stage that decides whether an aim is reached. */
export const stageOf = (aim: Aim): StageName => (aim === "replies" || aim === "meetings" ? aim : "clients")

/** True if an aim is an amount of money, or a multiple of one. */
export const isMoney = (aim: Aim): aim is "revenue" | "profit" | "roi_multiple" =>
  aim === "revenue" || aim === "profit" || aim === "roi_multiple"

/** The revenue that reaches an aim in money; undefined if it depends on a missing cost, or is a multiple of 0. */
export const revenueNeeded = ({ aim, target }: Goal, cost: Decimal | undefined): Decimal | undefined => {
  if (aim === "revenue") return target
  if (cost === undefined) return undefined
  if (aim === "roi_multiple") return isZero(cost) ? undefined : times(target, cost)
  const needed = plus(target, cost)
  return needed.value < 0 ? zero : needed
}

/**
 * The number of people that an aim takes, as an exact quotient that may be fractional; undefined if no number is
 * enough.
 */
export const peopleNeeded = (goal: Goal, campaign: Campaign): Ratio | undefined => {
  if (!isMoney(goal.aim)) return { numerator: goal.target, denominator: one }
  const revenue = revenueNeeded(goal, campaign.campaign_cost)
  const each = valueOfClient(campaign)
  if (revenue === undefined || each === undefined) return undefined
  if (isZero(revenue)) return { numerator: zero, denominator: one }
  return isZero(each) ? undefined : { numerator: revenue, denominator: each }
}

/** The revenue that a goal takes with more emails at the campaign's cost per email: `fixed` + `perEmail` × n. */
export interface RevenueByEmails {
  readonly fixed: Decimal
  /** Exactly this over the emails of the campaign. */
  readonly perEmail: Ratio
}

/** The revenue that a goal of profit or ROI takes, by emails; undefined for others, without a deal value or a cost. */
export const revenueByEmails = ({ aim, target }: Goal, campaign: Campaign): RevenueByEmails | undefined => {
  const { campaign_cost: cost, emails_sent } = campaign
  if (valueOfClient(campaign) === undefined || cost === undefined || isZero(cost)) return undefined
  if (aim === "profit") return { fixed: target, perEmail: { numerator: cost, denominator: emails_sent } }
  if (aim !== "roi_multiple") return undefined
  return { fixed: zero, perEmail: { numerator: times(target, cost), denominator: emails_sent } }
}

/** The highest cost at which a revenue reaches an aim in profit or ROI: below 0, or 0 for an ROI, if no cost does. */
export const costAllowed = ({ aim, target }: Goal, revenue: Ratio): Ratio =>
  aim === "profit"
    ? {
        numerator: minus(revenue.numerator, times(target, revenue.denominator)),
        denominator: revenue.denominator
      }
    : { numerator: revenue.numerator, denominator: times(revenue.denominator, target) }
