import {
  assess,
  type AssessedCampaign,
  gradedRevenue,
  gradeFrom,
  type PerformanceGrade,
  restsOnFew,
  riskOf
} from "./benchmarks/RiskFlags.ts"
import { type Campaign, type Funnel, funnel, moneyFigures, roiPercent, type RateName, breakEven } from "./Campaign.ts"
import { computeOutlook } from "./outlook/CampaignOutlook.ts"
import { type Learning, withLearning } from "./outlook/Learning.ts"
import { takeAllSteps } from "../workers/Steps.ts"
import { atLearnedRates } from "./outlook/Posterior.ts"
import type { Forecast, OptionalCounts } from "./ForecastAnswer.ts"
import { modelVersion } from "./modelVersion.ts"
import { outlookNotes } from "./outlook/OutlookNotes.ts"
import { recommendations } from "./Recommendations.ts"
import { ofForecast } from "./Spoken.ts"
import {
  quotient,
  round,
  toDouble,
  compare,
  whole,
  type Rounded,
  roundVisibly,
  show,
  showExact,
  times,
  quotientToDouble,
  roundToDouble,
  isZero,
  type Decimal
} from "./Decimal.ts"
import { testFirst } from "./outlook/TestFirst.ts"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { eachRate, type OptionalRate, rateNames, rates } from "../campaign/Rates.ts"
import { figure, integer, noun, range } from "../text/Figures.ts"
import { listed, ofTenThousand } from "./Words.ts"

/** A figure as written, formatted once for several sentences, and whether it is exact. */
interface Shown {
  readonly text: string
  readonly exact: boolean
}

const written = (figure: Rounded): Shown => ({ text: show(figure), exact: figure.exact })

const people = (count: Decimal): Shown => written(roundVisibly(count, 4))

/** A rate in percent; a learned one has more digits than anybody reads. */
const rateShown = ({ learned }: Pick<Campaign, "learned">, name: RateName, rate: Decimal): Shown =>
  learned?.[name] === undefined ? { text: showExact(rate), exact: true } : written(roundVisibly(rate, 4))

/** `= 9,375`, with `, rounded` if the result or an operand is shown rounded. */
const equals = (result: Shown, operand: Shown, other = operand) =>
  `= ${result.text}${result.exact && operand.exact && other.exact ? "" : ", rounded"}`

const gradeReason: { readonly [grade in PerformanceGrade]: string } = {
  strong: "10 or more",
  healthy: "at least 3 and below 10",
  break_even_or_unclear: "at least 1 and below 3",
  weak: "below 1"
}

/** The reason for a grade; an ROI that would be healthy may be unclear for other reasons. */
const gradeBecause = (assessed: AssessedCampaign, cost: Decimal): string => {
  const { flags, grade } = assessed
  const revenue = gradedRevenue(assessed)
  const isHealthy = revenue !== undefined && compare(revenue, times(cost, gradeFrom.healthy)) >= 0
  if (grade !== "break_even_or_unclear" || !isHealthy) return gradeReason[grade]
  const reasons = flags.map((flag) => riskOf(flag).unclears).filter((reason) => reason !== undefined)
  return `3 or more, but ${reasons.join(", and ")}`
}

/** The reason why a grade is that of the median and not of the average; none for other grades. */
const gradeNotes = (assessed: AssessedCampaign, cost: Decimal): ReadonlyArray<string> => {
  const { grade, outlook } = assessed
  if (!restsOnFew(outlook)) return []
  const { expected, high, low } = outlook.replies
  return [
    `Grade ${grade}: the ROI of the median, ${outlook.roi_multiple?.median ?? 0}, is ${gradeBecause(assessed, cost)}. The ${figure(expected)} replies on average are above ` +
      `their range, ${range(low, high, integer)}, as few campaigns with many replies make up most of the average.`
  ]
}

/** The reason why there is no ROI; undefined if there is one. */
const noRoi = ({ average_deal_value: dealValue, campaign_cost: cost }: Assumptions): string | undefined => {
  if (dealValue === undefined) return "average_deal_value is missing"
  if (cost === undefined) return "campaign_cost is missing"
  return isZero(cost) ? "campaign_cost is 0, and nothing can be divided by 0" : undefined
}

/** The note on emails per contact; they do not change any count. */
const contactsNote = ({ emails_sent, reply_rate }: Assumptions, perContact: Decimal): string => {
  const emails = written(round(emails_sent, 0))
  const contacts = written(quotient(emails_sent, perContact, 4))
  const each = showExact(perContact)
  return (
    `Contacts: ${emails.text} ÷ ${each} ${noun(toDouble(perContact), "email")} each ${equals(contacts, emails)}; the reply rate per contact, which is what ` +
    `published figures are about, is ${showExact(reply_rate)}% × ${each} = ${showExact(times(reply_rate, perContact))}%.`
  )
}

/** Positive replies as one number, which no automatic reply changes: `150 of 10,000 emails`. */
const ofAllEmails = ({ emails_sent }: Assumptions, { passed }: Funnel): string =>
  `${ofTenThousand(toDouble(quotient(times(passed.positive_reply_rate, whole(10_000)), emails_sent, 8)))} emails`

/**
 * Sentences that show how each figure was computed, with this request's numbers (`, rounded` if the figure shown is),
 * and why a figure is null.
 */
const calculationNotes = (assessed: AssessedCampaign): ReadonlyArray<string> => {
  const { campaign, funnel } = assessed
  const { average_deal_value: dealValue, campaign_cost: cost, emails_per_contact: perContact } = campaign
  const { clients, meetings, replies, revenue } = funnel
  const shown = eachRate(funnel.passed, people)
  const clientsShown = shown.close_rate
  const notes: Array<string> = []
  let before = written(round(campaign.emails_sent, 0))
  let after: string | undefined
  for (const name of rateNames) {
    const rate = campaign[name]
    const count = shown[name]
    if (rate === undefined || count === undefined) continue
    const { noted, passed } = rates[name]
    const kind = after ?? noted?.before
    const tried = kind === undefined ? before.text : `${before.text} ${kind}`
    const percent = rateShown(campaign, name, rate)
    const ofAll = name === "positive_reply_rate" ? `, ${ofAllEmails(campaign, funnel)}` : ""
    notes.push(`${passed.heading}: ${tried} × ${percent.text}% ${equals(count, before, percent)}${ofAll}.`)
    if (name === "reply_rate" && perContact !== undefined) notes.push(contactsNote(campaign, perContact))
    before = count
    after = noted?.after
  }
  if (revenue === undefined || dealValue === undefined) {
    notes.push("Revenue is null because average_deal_value is missing.")
  } else {
    const expected = `${clientsShown.text} ${noun(Number(clientsShown.text), "client")} × ${showExact(dealValue)}`
    notes.push(`Revenue: ${expected} ${equals(written(round(revenue, 2)), clientsShown)}.`)
  }
  const missing = noRoi(campaign)
  if (missing !== undefined || revenue === undefined || cost === undefined) {
    notes.push(`ROI multiple is null because ${missing}.`)
  } else {
    const revenueShown = written(roundVisibly(revenue, 2))
    notes.push(
      `ROI multiple: ${revenueShown.text} ÷ ${showExact(cost)} ${equals(written(quotient(revenue, cost, 1)), revenueShown)}.`,
      ...gradeNotes(assessed, cost)
    )
  }
  if (cost === undefined) {
    notes.push("The costs per reply, meeting and client are null because campaign_cost is missing.")
  } else {
    notes.push(
      costsNote(cost, [
        ["reply", replies, shown.reply_rate],
        ["meeting", meetings, shown.meeting_booking_rate],
        ["client", clients, clientsShown]
      ])
    )
  }
  return notes
}

/** The costs of a reply, a meeting and a client, and why those of stages that nobody reaches are null. */
const costsNote = (
  cost: Decimal,
  stages: ReadonlyArray<readonly [name: string, count: Decimal, shown: Shown]>
): string => {
  const reached = stages.filter(([, count]) => !isZero(count))
  const never = stages.filter(([, count]) => isZero(count)).map(([name]) => name)
  const costs = reached.map(([name, count, shown]) => {
    const { exact, text } = written(quotient(cost, count, 2))
    return `÷ ${shown.text} ${equals({ text: `${text} per ${name}`, exact }, shown)}`
  })
  const isAre = never.length === 1 ? "is null because its count is" : "are null because their counts are"
  return [
    ...(costs.length === 0 ? [] : [`Costs: ${showExact(cost)} ${costs.join("; ")}.`]),
    ...(never.length === 0 ? [] : [`Cost per ${listed(never)} ${isAre} 0.`])
  ].join(" ")
}

const count = (stage: Decimal): number => roundToDouble(stage, 4)

const costPer = (cost: Decimal | undefined, people: Decimal): number | null =>
  cost === undefined || isZero(people) ? null : quotientToDouble(cost, people, 2)

/** The counts of a campaign's exact funnel, with their costs and revenue. */
const headline = (campaign: Campaign, funnel: Funnel) => {
  const { clients, meetings, passed, replies, revenue } = funnel
  const countAfter = (rate: OptionalRate) => {
    const people = passed[rate]
    return people === undefined ? null : count(people)
  }
  const optionalCounts: OptionalCounts<number | null> = {
    estimated_delivered: countAfter("delivery_rate"),
    estimated_meetings_held: countAfter("show_rate")
  }
  const cost = campaign.campaign_cost
  const money = moneyFigures(revenue, cost)
  return {
    estimated_replies: count(replies),
    estimated_positive_replies: count(passed.positive_reply_rate),
    estimated_meetings: count(meetings),
    estimated_clients: count(clients),
    estimated_revenue: money.revenue,
    roi_multiple: money.roi_multiple,
    cost_per_reply: costPer(cost, replies),
    cost_per_meeting: costPer(cost, meetings),
    cost_per_client: costPer(cost, clients),
    estimated_profit: money.profit,
    roi_percent: roiPercent(revenue, cost),
    ...optionalCounts
  }
}

/** A forecast, with the campaign and the exact funnel on which all its figures stand. */
interface ComputedForecast extends Pick<AssessedCampaign, "campaign" | "funnel"> {
  /** The campaign of the request, with the distributions learned from its history. */
  readonly plan: Campaign
  readonly forecast: Forecast
}

/** A plan with what was learned from its history. */
type LearnedPlan = Omit<Learning, "learned"> & { readonly campaign: Campaign }

/** Forecasts a plan from the rates that it was given or has learned, and notes how well past campaigns predict each other. */
const forecastPlan = ({ campaign: plan, track_record, unlike }: LearnedPlan, isListed: boolean): ComputedForecast => {
  const campaign = atLearnedRates(plan)
  const exact = funnel(campaign)
  const { chanceOfNoClient, outlook } = computeOutlook(campaign)
  const assessed = assess({
    plan,
    campaign,
    funnel: exact,
    outlook,
    chanceOfNoClient,
    unlike,
    testFirst: testFirst(campaign)
  })
  const figures = headline(campaign, exact)
  const said = { risk_flags: assessed.flags, recommendations: recommendations(assessed, isListed) }
  return {
    plan,
    campaign,
    funnel: exact,
    forecast: {
      summary: ofForecast({ ...figures, ...said, outlook }),
      ...figures,
      outlook,
      track_record,
      break_even: breakEven(campaign, exact),
      test_first: assessed.testFirst,
      performance_grade: assessed.grade,
      ...said,
      calculation_notes: [...calculationNotes(assessed), ...outlookNotes(plan, outlook, track_record)],
      model_version: modelVersion
    }
  }
}

/**
 * Forecasts a campaign: exact decimals throughout, one rounding at the end, and how certain the result is. Every
 * campaign has a forecast, and always the same one. Takes microseconds; with a history, up to 150 ms in steps. `isListed`
 * for one of several campaigns, whose number of emails is a question about all of them.
 */
export function* forecastInSteps(assumptions: Campaign, isListed = false): Generator<void, ComputedForecast, void> {
  return forecastPlan(yield* withLearning(assumptions), isListed)
}

/** The result of `forecastInSteps`, in one step. */
export const computeForecast = (assumptions: Campaign, isListed = false): ComputedForecast =>
  takeAllSteps(forecastInSteps(assumptions, isListed))
