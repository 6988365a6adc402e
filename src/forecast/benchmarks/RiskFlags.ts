import { Schema, Struct } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { fields, membersOf } from "../../campaign/Fields.ts"
import { boundRates, hasMeetings, isCompared, rateIn } from "./PublishedRates.ts"
import {
  type Bound,
  type BoundRate,
  chanceError,
  highVolume,
  minDelivery,
  leastMeetingCost,
  type RateBound,
  rateBounds,
  smallSample
} from "./Thresholds.ts"
import { type Campaign, type Funnel, type RateName, revenueFrom } from "../Campaign.ts"
import type { UnlikeCampaign } from "../outlook/Learning.ts"
import type { Outlook, TestFirst } from "../outlook/Outlook.ts"
import { type Decimal, compare, one, showExact, times, isZero, whole } from "../Decimal.ts"

/** A campaign with its results, how certain they are, and its risks: what notes and advice are about. */
export interface AssessedCampaign {
  /** The campaign at the rates of the request; only these can look like fractions. */
  readonly plan: Campaign
  /** The same at the means of its learned rates; everything else is computed from these. */
  readonly campaign: Campaign
  readonly funnel: Funnel
  readonly outlook: Outlook
  /** The chance of no client, before rounding. */
  readonly chanceOfNoClient: number
  /** The past campaign that is unlike the others, if there is one. */
  readonly unlike?: UnlikeCampaign | undefined
  /** The rates learned from counts of past campaigns that may be wrong: nothing else is advised about them. */
  readonly inDoubt?: ReadonlyArray<RateName>
  /** The gain of a test of a few lists. */
  readonly testFirst: TestFirst
  /** The risk flags, in the order of their table. */
  readonly flags: ReadonlyArray<RiskFlag>
  readonly grade: PerformanceGrade
}

/** A campaign whose risks are to be assessed. */
type Unassessed = Omit<AssessedCampaign, "flags" | "grade">

/** A number beyond which a flag is raised. */
export interface Threshold {
  readonly raised: "below" | "above"
  /** The figure of a forecast that it is compared with, and its unit. */
  readonly of: string
  readonly unit: "%" | "USD" | "emails"
  readonly per: string
  readonly bound: Omit<Bound, "exact" | "from"> & { readonly from: string | null }
}

interface Risk {
  /** The condition for the flag, and the reason, as the guide says them. */
  readonly when: string
  readonly because: string
  readonly isRaised: (campaign: Unassessed) => boolean
  readonly thresholds?: ReadonlyArray<Threshold>
  /** The reason why a campaign with this flag is not graded healthy or strong. */
  readonly unclears?: string
  /**
   * The doubt about a number of the plan: a rate is below or above what is published, or a number is hardly meant. The
   * first recommendation, which is about it, is said with the forecast; and no more emails are advised before a low rate
   * is raised.
   */
  readonly kind?: "low" | "high" | "doubt"
  /** Stops advice to send a larger campaign: it would harm, or its chance rests on rates that few campaigns have. */
  readonly stopsVolume?: true
  /**
   * Stops advice to test lists first: something else comes first, or its gain is in doubt. Set it unless the campaign is
   * as worth sending with the flag as without, as with a reply rate that is merely optimistic.
   */
  readonly stopsTest?: true
  /**
   * The risk level of the legacy endpoint: that it counts towards it, or makes it high by itself. `counts` for a doubt
   * about an input or the result, `high` if the campaign loses money or its numbers are hardly meant; left out for what
   * is no risk, such as a rounded number.
   */
  readonly legacyRisk?: "counts" | "high"
}

const isBelow = (a: Decimal, b: Decimal) => compare(a, b) < 0
const isAbove = (a: Decimal, b: Decimal) => compare(a, b) > 0

const reason = ({ because, from }: Bound) => `${because} (${from})`

const rateRisk = (rate: BoundRate, side: "low" | "high"): Risk => {
  const bounds: ReadonlyArray<RateBound> = rateBounds[rate][side]
  const [raised, isBeyond] = side === "low" ? (["below", isBelow] as const) : (["above", isAbove] as const)
  const limits = bounds.map(({ per, value }) => `${value}% per ${per}`)
  return {
    when: `${fields[rate].form.label.toLowerCase()} ${raised} ${limits.join(", or ")}`,
    because: bounds.map(reason).join("; "),
    isRaised: ({ campaign }) => {
      if (!isCompared(campaign, rate)) return false
      for (const { exact, per } of bounds) {
        const value = rateIn(per, campaign, rate)
        if (value !== undefined && isBeyond(value, exact)) return true
      }
      return false
    },
    thresholds: bounds.map((bound) => ({ raised, of: rate, unit: "%", per: bound.per, bound })),
    kind: side
  }
}

const noClient = `more than ${smallSample * 100} of 100 such campaigns win no client`

const looksLikeFraction = (rate: Decimal) => !isZero(rate) && !isAbove(rate, one)

/** A reply rate below this, in percent, is taken for a fraction if the other rates look like percentages. */
const minReplyRate = { value: 2, scale: 1 }

/** True if the rates of a plan look like fractions: 0.05 in place of 5. */
export const lookLikeFractions = ({
  close_rate,
  meeting_booking_rate,
  positive_reply_rate,
  reply_rate
}: Assumptions): boolean => {
  const others = [positive_reply_rate, meeting_booking_rate, close_rate]
  if (!looksLikeFraction(reply_rate)) return false
  return (
    others.every(looksLikeFraction) || (isBelow(reply_rate, minReplyRate) && others.every((rate) => isAbove(rate, one)))
  )
}

/** Every risk flag in the order of the contract: its literal, its place in responses, benchmarks and the guide. */
const risks = {
  low_reply_rate: { ...rateRisk("reply_rate", "low"), stopsTest: true, legacyRisk: "counts" },
  optimistic_reply_rate: { ...rateRisk("reply_rate", "high"), stopsVolume: true, legacyRisk: "counts" },
  low_positive_reply_rate: { ...rateRisk("positive_reply_rate", "low"), stopsTest: true, legacyRisk: "counts" },
  optimistic_positive_reply_rate: {
    ...rateRisk("positive_reply_rate", "high"),
    stopsVolume: true,
    stopsTest: true,
    legacyRisk: "counts"
  },
  low_meeting_booking_rate: { ...rateRisk("meeting_booking_rate", "low"), stopsTest: true, legacyRisk: "counts" },
  optimistic_meeting_booking_rate: {
    ...rateRisk("meeting_booking_rate", "high"),
    stopsVolume: true,
    stopsTest: true,
    legacyRisk: "counts"
  },
  low_close_rate: { ...rateRisk("close_rate", "low"), stopsTest: true, legacyRisk: "counts" },
  optimistic_close_rate: {
    ...rateRisk("close_rate", "high"),
    stopsVolume: true,
    stopsTest: true,
    legacyRisk: "counts"
  },
  high_volume: {
    when: `more than ${showExact(highVolume.exact)} emails`,
    because: reason(highVolume),
    isRaised: ({ campaign: { emails_sent } }) => isAbove(emails_sent, highVolume.exact),
    thresholds: [{ raised: "above", of: "emails_sent", unit: "emails", per: "campaign", bound: highVolume }],
    stopsTest: true,
    legacyRisk: "counts"
  },
  small_sample: {
    when: `chance of no client above ${smallSample * 100}%`,
    because: noClient,
    isRaised: ({ chanceOfNoClient }) => chanceOfNoClient > smallSample + chanceError,
    thresholds: [
      {
        raised: "above",
        of: "chance_of_no_client",
        unit: "%",
        per: "campaign",
        bound: { value: smallSample * 100, because: noClient, from: null, rows: [] }
      }
    ],
    unclears: noClient,
    stopsTest: true,
    legacyRisk: "counts"
  },
  high_bounce_rate: {
    when: `delivery rate below ${minDelivery.value}% per ${minDelivery.per}`,
    because: reason(minDelivery),
    isRaised: ({ campaign: { delivery_rate: delivered } }) =>
      delivered !== undefined && isBelow(delivered, minDelivery.exact),
    thresholds: [{ raised: "below", of: "delivery_rate", unit: "%", per: minDelivery.per, bound: minDelivery }],
    kind: "low",
    stopsVolume: true,
    stopsTest: true,
    legacyRisk: "counts"
  },
  negative_roi: {
    when: "revenue below the cost",
    because: "the campaign loses money",
    isRaised: ({ campaign: { campaign_cost: cost }, funnel: { revenue } }) =>
      revenue !== undefined && cost !== undefined && isBelow(revenue, cost),
    stopsTest: true,
    legacyRisk: "high"
  },
  missing_deal_value: {
    when: "no `average_deal_value`",
    because: "there is no revenue and no ROI",
    isRaised: ({ campaign }) => campaign.average_deal_value === undefined,
    stopsTest: true,
    legacyRisk: "counts"
  },
  missing_campaign_cost: {
    when: "no `campaign_cost`",
    because: "there is no ROI and no cost per client",
    isRaised: ({ campaign }) => campaign.campaign_cost === undefined,
    stopsTest: true,
    legacyRisk: "counts"
  },
  zero_campaign_cost: {
    when: "a cost of 0",
    because: "division by 0 is impossible, so there is no ROI",
    isRaised: ({ campaign }) => campaign.campaign_cost !== undefined && isZero(campaign.campaign_cost),
    stopsTest: true,
    legacyRisk: "counts"
  },
  cost_looks_incomplete: {
    when: `a cost above 0 and below ${leastMeetingCost.value} per booked meeting`,
    because: reason(leastMeetingCost),
    isRaised: ({ campaign, funnel: { meetings } }) => {
      const { campaign_cost: cost } = campaign
      return (
        cost !== undefined &&
        !isZero(cost) &&
        hasMeetings(campaign) &&
        isBelow(cost, times(meetings, leastMeetingCost.exact))
      )
    },
    thresholds: [
      { raised: "below", of: "cost_per_meeting", unit: "USD", per: "booked meeting", bound: leastMeetingCost }
    ],
    unclears: `a cost of less than ${leastMeetingCost.value} per meeting looks incomplete`,
    kind: "doubt",
    stopsTest: true,
    legacyRisk: "counts"
  },
  rates_look_like_fractions: {
    when: "all four rates above 0 and at most 1, or the reply rate below 0.2 and the others above 1",
    because: "0.05 means 0.05%, not 5%",
    isRaised: ({ plan }) => lookLikeFractions(plan),
    kind: "doubt",
    stopsTest: true,
    legacyRisk: "high"
  }
} as const satisfies { readonly [flag: string]: Risk }

export type RiskFlag = keyof typeof risks
export const riskFlagNames = Struct.keys(risks)
export const RiskFlag = Schema.Literals(riskFlagNames).annotate({ title: "RiskFlag" })

/** The flags of each rate that has bounds. */
export const lowFlag = membersOf(boundRates, (rate) => `low_${rate}` as const)
export const optimisticFlag = membersOf(boundRates, (rate) => `optimistic_${rate}` as const)

/** The row of a flag, with what only some rows have. */
export const riskOf = (flag: RiskFlag): Risk => risks[flag]

export const PerformanceGrade = Schema.Literals(["strong", "healthy", "break_even_or_unclear", "weak"]).annotate({
  title: "PerformanceGrade"
})
export type PerformanceGrade = typeof PerformanceGrade.Type

/** The lowest ROI of a grade. */
export const gradeFrom = { healthy: whole(3), strong: whole(10) } as const

/** True if the expected replies are above their range: few campaigns, with very many replies, make up most of the mean. */
export const restsOnFew = ({ replies: { expected, high } }: Pick<Outlook, "replies">): boolean => expected > high

/** The revenue that a grade is about: on average, or at the median where the average rests on few campaigns. */
export const gradedRevenue = ({
  campaign,
  funnel,
  outlook
}: Pick<AssessedCampaign, "campaign" | "funnel" | "outlook">): Decimal | undefined =>
  restsOnFew(outlook) ? revenueFrom(campaign, whole(outlook.clients.median)) : funnel.revenue

/**
 * The grade of an exact ROI, revenue over cost, without dividing. A campaign that may well win no client is unclear, as
 * is one that seems to leave out a cost.
 */
const gradeOf = (revenue: Decimal | undefined, cost: Decimal | undefined, isUnclear: boolean): PerformanceGrade => {
  if (revenue === undefined || cost === undefined || isZero(cost)) return "break_even_or_unclear"
  if (isBelow(revenue, cost)) return "weak"
  if (isUnclear || isBelow(revenue, times(cost, gradeFrom.healthy))) return "break_even_or_unclear"
  return isBelow(revenue, times(cost, gradeFrom.strong)) ? "healthy" : "strong"
}

/** Grades a campaign and flags its risks, by published figures in the same unit and by its chance of no client. */
export const assess = (computed: Unassessed): AssessedCampaign => {
  const flags = riskFlagNames.filter((flag) => risks[flag].isRaised(computed))
  const isUnclear = flags.some((flag) => riskOf(flag).unclears !== undefined)
  return { ...computed, flags, grade: gradeOf(gradedRevenue(computed), computed.campaign.campaign_cost, isUnclear) }
}
