import { boundRates, isCompared, strictest } from "../../forecast/benchmarks/PublishedRates.ts"
import { lookLikeFractions } from "../../forecast/benchmarks/RiskFlags.ts"
import {
  compare,
  type Decimal,
  hundred,
  isZero,
  quotient,
  quotientToDouble,
  showExact,
  times,
  toDouble,
  whole,
  wholePeople
} from "../../forecast/Decimal.ts"
import { type Campaign, givenRates, isLearned, revenueFrom } from "../../forecast/Campaign.ts"
import { beliefsOf, type RateBelief } from "../../forecast/outlook/Posterior.ts"
import { type Goal, isMoney, peopleNeeded, revenueByEmails, stageOf } from "./GoalTarget.ts"
import { Struct } from "effect"
import type { FieldName } from "../../campaign/Fields.ts"
import { chanceOfNone } from "../../forecast/counts/Counts.ts"
import { countsOf, stagesOf } from "../../forecast/outlook/CampaignOutlook.ts"
import { countNouns } from "../../campaign/Rates.ts"
import { countOf, listed, ofHundred, rateText } from "../../forecast/Words.ts"
import { figure, integer, money, noun } from "../../text/Figures.ts"
import { askAboutUnits } from "../../forecast/advice/Units.ts"
import { questionAboutPast } from "../../forecast/advice/History.ts"
import type { UnlikeCampaign } from "../../forecast/outlook/Learning.ts"

const aimText = ({ aim, target }: Goal): string => {
  const amount = toDouble(target) < 0 ? String(toDouble(target)) : showExact(target)
  if (aim === "roi_multiple") return `an ROI multiple of ${amount}`
  if (isMoney(aim)) return `a ${aim} of ${amount}`
  return `${amount} ${noun(toDouble(target), ...countNouns[aim])}`
}

const clientsNote = (goal: Goal, campaign: Campaign): ReadonlyArray<string> => {
  const people = isMoney(goal.aim) ? peopleNeeded(goal, campaign) : undefined
  if (people === undefined || goal.chance === undefined) return []
  return [`At this deal value ${aimText(goal)} takes ${countOf(wholePeople(people), "clients")}.`]
}

/** The needed emails of a goal, with their cost at the cost per email of the plan, and their average revenue, exactly. */
export interface EmailsAtCost {
  readonly emails: Decimal
  /** The same as a multiple of the planned emails. */
  readonly times: number
  readonly cost: Decimal
  /** Undefined where the revenue is unknown. */
  readonly revenue: Decimal | undefined
  readonly isLoss: boolean
}

/**
 * The cost and the revenue of the needed emails, if they are more than planned and their cost is known: a goal in profit
 * or ROI includes it.
 */
export const emailsAtCost = (
  { aim }: Goal,
  campaign: Campaign,
  needed: number | null,
  clients: Decimal | undefined
): EmailsAtCost | undefined => {
  const { campaign_cost, emails_sent: planned } = campaign
  if (needed === null || aim === "profit" || aim === "roi_multiple") return undefined
  const emails = whole(needed)
  if (campaign_cost === undefined || isZero(campaign_cost) || compare(emails, planned) <= 0) return undefined
  const atNeeded = (amount: Decimal) => quotient(times(amount, emails), planned, 6)
  const revenueNow = clients === undefined ? undefined : revenueFrom(campaign, clients)
  const cost = atNeeded(campaign_cost)
  const revenue = revenueNow === undefined ? undefined : atNeeded(revenueNow)
  return {
    emails,
    times: quotientToDouble(emails, planned, 4),
    cost,
    revenue,
    isLoss: revenue !== undefined && compare(revenue, cost) < 0
  }
}

/** The needed emails and their cost, and that it is a loss if they bring less. */
export const emailsCostText = (
  { cost, emails, isLoss, revenue, times }: EmailsAtCost,
  aim: string,
  showMoney: (amount: number) => string,
  at = ""
): string => {
  const loss = isLoss && revenue !== undefined ? `, a loss: they bring ${showMoney(toDouble(revenue))} on average` : ""
  return `For ${aim} it takes ${integer(toDouble(emails))} emails, ${timesAsMany(times)} as planned, which would cost ${showMoney(toDouble(cost))}${at}${loss}.`
}

/** A multiple of the planned emails: `2.39 times as many`. */
export const timesAsMany = (times: number): string => {
  if (times === 2) return "twice as many"
  return `${figure(times < 1.01 ? times : Number(times.toPrecision(3)))} times as many`
}

const costNote = ({ aim }: Goal, { campaign_cost: cost }: Campaign): ReadonlyArray<string> => {
  if (cost === undefined) return []
  if (isZero(cost)) return ["campaign_cost is 0, so the emails are taken to cost nothing: enter what they really cost."]
  return aim === "profit" || aim === "roi_multiple"
    ? ["More emails cost as much each as those planned; break_even of a forecast keeps the cost as it is."]
    : ["campaign_cost does not change when more emails are sent: add their cost."]
}

const reachedText = (chanceNow: number | null, isReached: boolean): string => {
  if (chanceNow === null) return "whether it is reached is unknown"
  return isReached ? "it is reached, and needed says how little would be enough" : "it is not reached yet"
}

/** Notes on how the answer to a goal was computed, why a figure is null, and what the answer cannot know. */
export const goalNotes = (
  goal: Goal,
  campaign: Campaign,
  chanceNow: number | null,
  isReached: boolean,
  atCost: EmailsAtCost | undefined,
  unlike?: UnlikeCampaign
): ReadonlyArray<string> => {
  const aim = aimText(goal)
  const how = goal.chance === undefined ? "on average" : `in ${showPercent(goal.chance)} of 100 such campaigns`
  return [
    ...(chanceNow === null ? [] : doubtNotes(goal, campaign, unlike)),
    ...(atCost === undefined ? [] : [emailsCostText(atCost, aim, money, " at the plan's cost per email")]),
    chanceNow === null
      ? `What the campaign brings now is null, because ${whyUnknown(goal, campaign)}.`
      : `As it is, the campaign reaches ${aim} in ${ofHundred(chanceNow)} such campaigns.`,
    `The goal is to reach it ${how}: ${reachedText(chanceNow, isReached)}.`,
    ...clientsNote(goal, campaign),
    "Each input is changed alone while all others stay the same; inputs that do not affect the goal are left out.",
    "needed has the fewest emails, the lowest rates and deal value, and the highest cost that are enough; null means that no value within the bounds of the input is.",
    ...(atCost === undefined ? costNote(goal, campaign) : []),
    ...ratesNotes(campaign)
  ]
}

/**
 * A question about past campaigns or, without a history, about rates of the plan that may be in another unit, or a note
 * on those that few campaigns have.
 */
export const doubtNotes = (goal: Goal, campaign: Campaign, unlike?: UnlikeCampaign): ReadonlyArray<string> => {
  if (campaign.history !== undefined) {
    const past = questionAboutPast({ plan: campaign, unlike }, givenRates(campaign, stageOf(goal.aim)))
    return past === undefined ? [] : [past]
  }
  const question = stageOf(goal.aim) === "replies" ? undefined : askAboutUnits(campaign)
  if (question !== undefined) return [question]
  const { reply_rate: replies } = campaign
  if (lookLikeFractions(campaign)) {
    const percent = rateText(times(replies, hundred))
    return [
      `This counts on rates that look like fractions: check whether the reply_rate is ${rateText(replies)} or ${percent}.`
    ]
  }
  const given = givenRates(campaign, stageOf(goal.aim))
  const above = boundRates
    .filter(
      (rate) =>
        given.includes(rate) &&
        isCompared(campaign, rate) &&
        compare(campaign[rate], strictest(campaign, rate, "high").value) > 0
    )
    .map((rate) => `a ${rate} of ${rateText(campaign[rate])}`)
  if (above.length === 0) return []
  const ofContacts =
    campaign.emails_per_contact === undefined && above[0]?.startsWith("a reply_rate") === true
      ? ` If ${rateText(replies)} is of contacts, divide it by the emails that each gets, and give that number as emails_per_contact.`
      : ""
  return [`This counts on ${listed(above)}, which few campaigns have: check that first.${ofContacts}`]
}

/** The reason why each lever without a sufficient value has none. */
export const nullNotes = (
  goal: Goal,
  campaign: Campaign,
  needed: { readonly [lever in FieldName]?: { readonly needed: number | null } }
): ReadonlyArray<string> => {
  const often = goal.chance === undefined ? "on average" : "often enough"
  const reasonOf = (name: FieldName): string | undefined => {
    if (name === "emails_sent" && revenueByEmails(goal, campaign) !== undefined)
      return `at their cost, more emails never earn it ${often}`
    if (name === "campaign_cost") return `even without a cost the campaign does not reach it ${often}`
    if (name !== "average_deal_value") return undefined
    const none = chanceOfNone(countsOf(stagesOf(campaign).clients, toDouble(campaign.emails_sent)))
    return `${ofHundred(none)} such campaigns win no client, so no deal value is enough`
  }
  const nulls = Struct.keys(needed).flatMap((name) =>
    needed[name]?.needed === null ? [{ name, reason: reasonOf(name) }] : []
  )
  const atBounds = nulls.filter(({ reason }) => reason === undefined).map(({ name }) => name)
  const [are, values] = atBounds.length === 1 ? ["is", "value allowed does"] : ["are", "values allowed do"]
  return [
    ...(atBounds.length === 0 ? [] : [`${listed(atBounds)} ${are} null: the highest ${values} not reach it ${often}.`]),
    ...nulls.flatMap(({ name, reason }) => (reason === undefined ? [] : [`${name} is null: ${reason}.`]))
  ]
}

/** Notes on how the answer treats the rates. */
const ratesNotes = (campaign: Campaign): ReadonlyArray<string> => {
  if (isLearned(campaign)) {
    return [
      "The expectation and the chances allow for how uncertain the rates are, and for how they vary; with a history, only emails and cost are solved."
    ]
  }
  const varying = Object.values<RateBelief>(beliefsOf(campaign)).flatMap(({ belief, name }) =>
    "alpha" in belief ? [name] : []
  )
  const [name] = varying
  return name === undefined
    ? [
        "The rates are taken as exact, so the chances are a floor on uncertainty: lists differ, and rates vary between campaigns."
      ]
    : [
        `The ${name} varies between campaigns as published (Clientium, CC BY 4.0), around any other value as around the given one; the other rates are as given.`
      ]
}

const showPercent = (chance: Goal["target"]): string => String(Math.round(toDouble(chance) * 1000) / 10)

const whyUnknown = ({ aim }: Goal, { average_deal_value: dealValue, campaign_cost: cost }: Campaign): string => {
  if (dealValue === undefined) return "average_deal_value is missing"
  if (cost === undefined) return "campaign_cost is missing"
  return `campaign_cost is 0, and ${aim} is a multiple of it`
}
