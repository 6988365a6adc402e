import { clientRange, figure, integer } from "../../text/Figures.ts"
import {
  compare,
  hundred,
  quotientUp,
  roundVisibly,
  whole,
  show,
  showExact,
  toDouble,
  isZero,
  type Decimal
} from "../Decimal.ts"
import { type Campaign, expectedAt, type RateName, rateNames } from "../Campaign.ts"
import type { TrackRecord, Outlook, RateOutlook } from "./Outlook.ts"
import { countOf, listed, ofHundred } from "../Words.ts"

interface NamedRate {
  readonly name: RateName
  readonly rate: Decimal
}

/** The number of clients to break even, and how often it is reached. */
export const breakEvenNote = (
  { average_deal_value: dealValue, campaign_cost: cost }: Campaign,
  outlook: Pick<Outlook, "chance_to_break_even" | "clients_to_break_even">
): string => {
  if (outlook.chance_to_break_even === null) {
    const missing = dealValue === undefined ? "average_deal_value" : "campaign_cost"
    return dealValue === undefined && cost === undefined
      ? "The chance to break even is null because average_deal_value and campaign_cost are missing."
      : `The chance to break even is null because ${missing} is missing.`
  }
  if (outlook.clients_to_break_even === null)
    return "Break-even: at a deal value of 0, no number of clients covers the cost."
  if (outlook.clients_to_break_even === 0) return "Break-even: there is no cost to cover, so it takes no client."
  return `Break-even takes ${countOf(outlook.clients_to_break_even, "clients")}: reached in ${ofHundred(outlook.chance_to_break_even)} such campaigns.`
}

/** The range of the cost of a meeting, and the price of a meeting at which most campaigns cover their cost. */
const costNote = (
  { campaign_cost: cost, meeting_booking_rate: booked }: Campaign,
  outlook: Outlook
): ReadonlyArray<string> => {
  // Without a step from positive replies to meetings, nothing is known of the cost of these.
  if (cost === undefined || isZero(cost) || compare(booked, hundred) === 0) return []
  const {
    cost_per_meeting: { high, low },
    meetings
  } = outlook
  const [people, often] = meetings.low > 0 ? [meetings.low, 90] : [meetings.median, 50]
  if (low === null || people === 0) return []
  const range = high === null ? `${figure(low)} or more in 90 of 100` : `${figure(low)} to ${figure(high)} in 80 of 100`
  const price = show(quotientUp(cost, whole(people), 2))
  return [
    `Cost per meeting: ${range} such campaigns; at ${price} per meeting the cost is covered in at least ${often} of 100.`
  ]
}

/** The attribution that the licence of the published campaigns requires. */
const publisher = "Clientium, Osservatorio Cold Email Italia, clientium.it/osservatorio, CC BY 4.0"

/** The source of `published_percentile`, unless the note on the spread names it. */
const ofPublisher = ({ reply_rate: { basis } }: Outlook["rates"]): ReadonlyArray<string> =>
  basis === "published_spread"
    ? []
    : [`The percentile of the reply rate is its place among 556 published campaigns (${publisher}).`]

/** A rate that varies around the given one as published. A rate of almost 0 or 100 has no visible span. */
const ofSpread = ({ name, rate }: NamedRate, { high, low }: RateOutlook): string => {
  const span = low === high ? "" : `, from ${low} to ${high}% in 80 of 100 campaigns`
  return `The ${name} varies as in 556 published campaigns (${publisher}): around ${showExact(rate)}%${span}.`
}

/** The sources that rates are learned from. */
const learnedFrom = { history: "your past campaigns", so_far: "the decided cases" } as const

interface KnownRate extends NamedRate {
  readonly known: RateOutlook
}

/** The rates that were learned from the same source, with their ranges. */
const ofLearned = (rates: ReadonlyArray<KnownRate>, from: keyof typeof learnedFrom): ReadonlyArray<string> => {
  const shown = rates
    .filter(({ known }) => known.basis === from)
    .map(
      ({ known: { expected, high, low }, name, rate }) =>
        `${name} ${expected}%${low === high ? "" : ` (${low} to ${high}%)`}` +
        (expected === toDouble(rate) ? "" : ` instead of ${showExact(rate)}%`)
    )
  return shown.length === 0
    ? []
    : [`Learned from ${learnedFrom[from]}, on average and in 80 of 100 campaigns: ${listed(shown)}.`]
}

const ofGiven = (names: ReadonlyArray<RateName>, why: string): ReadonlyArray<string> =>
  names.length === 0 ? [] : [`${listed(names)} ${names.length === 1 ? "is" : "are"} taken as given${why}.`]

/** The assumptions of the ranges about each rate; `campaign` has the rates of the request. */
export const ofRates = (campaign: Campaign, outlook: Pick<Outlook, "basis" | "rates">): ReadonlyArray<string> => {
  const notes: Array<string> = []
  const learned: Array<KnownRate> = []
  for (const name of rateNames) {
    const rate = campaign[name]
    const known = outlook.rates[name]
    if (rate === undefined || known === undefined) continue
    if (known.basis === "published_spread") notes.push(ofSpread({ name, rate }, known))
    else if (known.basis !== "as_given") learned.push({ name, rate, known })
  }
  if (learned.length === 0) return notes
  const isFixed = (name: RateName) => {
    const rate = campaign[name]
    return rate !== undefined && (isZero(rate) || compare(rate, hundred) === 0)
  }
  const asGiven = rateNames.filter((name) => outlook.rates[name]?.basis === "as_given")
  const given = asGiven.filter((name) => !isFixed(name))
  const they = given.length === 1 ? "it varies" : "they vary"
  const unpublished =
    campaign.spread === "none" ? "" : `: there are no published figures on how much ${they} between campaigns`
  return [
    ...notes,
    ...ofLearned(learned, "history"),
    ...ofLearned(learned, "so_far"),
    ...ofGiven(given, unpublished),
    ...ofGiven(asGiven.filter(isFixed), ": a rate of 0 or 100% does not vary")
  ]
}

/** The range that would remain if rates did not vary. */
export const ofChanceAlone = ({ chance_alone: alone, chance_of_no_client: noClient }: Outlook): ReadonlyArray<string> =>
  alone === null || noClient === 1
    ? []
    : [
        `If no rate varied, chance alone would leave ${clientRange(alone.clients, integer)}${alone.chance_of_no_client === 0 ? "" : `; ${ofHundred(alone.chance_of_no_client)} such campaigns would win none`}.`
      ]

/** A note on how well the sender's own campaigns predict each other, and `under` which rates. */
export const ofTrackRecord = (record: TrackRecord | null, under = ""): ReadonlyArray<string> =>
  record === null
    ? []
    : [
        `Of your ${record.campaigns} past campaigns with replies, each forecast from the others${under}, ${record.replies_within} ended within the 80% range of replies${record.clients_of === 0 ? "" : `, and ${record.clients_within} of ${record.clients_of} within that of clients`}.`
      ]

/** The limits of every answer, and how to read its figures. */
export const estimatesNote =
  "Estimates, not guarantees: exact values of your assumptions, rounded once; low, median and high are the 10, 50 and 90% quantiles; chance_within is what low to high really covers."

/** The limits of the ranges by default. */
const onlyRepliesVary =
  " Only the reply rate varies here. If your other rates vary too, ranges are wider and more campaigns win no client: past campaigns in history show how much."

const spread = ({ basis, chance_of_no_client: noClient, clients: { chance_within, high, low } }: Outlook): string => {
  if (noClient === 1)
    return "Outlook at these rates: no client, however often such a campaign is sent, because a rate is 0%."
  const none = `in ${ofHundred(noClient)} such campaigns: no client`
  const range =
    high === 0 ? none : `in ${ofHundred(chance_within)} such campaigns: ${clientRange({ low, high }, integer)}; ${none}`
  return `Outlook at these rates: ${range}.${basis === "published_spread" ? onlyRepliesVary : ""}`
}

/** The limits of the ranges if every rate is taken as exact. */
const exactRates =
  "The outlook takes the rates as exact, so every stage is binomial. That is a floor on uncertainty: lists differ, and rates vary between campaigns."

/** The figures at the plan's own rates, where past campaigns have other ones. */
const ofPlan = (plan: Campaign, { basis, clients: { expected } }: Outlook): ReadonlyArray<string> => {
  if (basis !== "history") return []
  const planned = expectedAt(plan, "clients")
  const times = isZero(planned) ? 1 : expected / toDouble(planned)
  const off = Math.round((times - 1) * 1000) / 10
  const percents = off === 0 ? "" : `, ${figure(Math.abs(off))}% ${off < 0 ? "fewer" : "more"}`
  const difference = times < 2 ? percents : `, ${figure(Math.round(times * 10) / 10)} times as many`
  return [
    `All figures use the rates learned from your past campaigns: ${figure(expected)} clients on average${difference}. The rates of the request alone would give ${show(roundVisibly(planned, 4))}.`
  ]
}

/**
 * Notes on how certain a forecast is, in numbers of 100 campaigns, how that was computed, and its limits; `plan` has the
 * rates of the request.
 */
export const outlookNotes = (
  plan: Campaign,
  outlook: Outlook,
  record: TrackRecord | null = null
): ReadonlyArray<string> => [
  spread(outlook),
  breakEvenNote(plan, outlook),
  ...costNote(plan, outlook),
  ...ofRates(plan, outlook),
  ...ofPublisher(outlook.rates),
  ...ofChanceAlone(outlook),
  ...ofTrackRecord(record),
  ...(outlook.basis === "as_given" ? [exactRates] : []),
  ...ofPlan(plan, outlook),
  estimatesNote
]
