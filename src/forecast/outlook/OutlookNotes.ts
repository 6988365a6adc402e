import type { BigDecimal } from "effect"
import { figure } from "../../text/Figures.ts"
import { compare, showExact, toDouble } from "../Decimal.ts"
import { type Campaign, expectedAt, isMeasured, type Observation, type RateName, rateNames } from "../Campaign.ts"
import type { TrackRecord } from "./Learning.ts"
import { listed, ofHundred } from "../Words.ts"
import type { Outlook } from "./Outlook.ts"
import { priorBasisOf, type RateBasis } from "./Posterior.ts"
import { nextToMeasure } from "./CampaignOutlook.ts"

type RateOutlook = Outlook["rates"]["reply_rate"]

interface NamedRate {
  readonly name: RateName
  readonly rate: BigDecimal.BigDecimal
}

const clients = (count: number): string => `${count} client${count === 1 ? "" : "s"}`

export const clientRange = (low: number, high: number): string =>
  low === high ? clients(low) : `${low} to ${clients(high)}`

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
  return `Break-even takes ${clients(outlook.clients_to_break_even)}: reached in ${ofHundred(outlook.chance_to_break_even)} such campaigns.`
}

const priorWords: { readonly [basis in RateBasis]: (at: string) => string } = {
  as_given: (at) => `with the ${at} of the request as a prior worth one success`,
  published_spread: (at) => `with published reply rates around ${at} as a prior`,
  history: () => "with your past campaigns as a prior",
  evidence: () => ""
}

/** How the evidence of a rate was used. */
const ofEvidence = (campaign: Campaign, { name, rate }: NamedRate, observation: Observation, known: RateOutlook) => {
  const seen = `${showExact(observation.observed)} of ${showExact(observation.out_of)} observed`
  const at = `${showExact(rate)}%`
  if (known.basis === "as_given") {
    return `Evidence for ${name} changes nothing: a rate of ${at} leaves no doubt; enter a lower rate to make it count.`
  }
  const mean = `${figure(known.expected)}% on average`
  if (rate.value !== 0n) {
    return `Evidence for ${name}: ${seen}, ${priorWords[priorBasisOf(campaign, name, rate)](at)}: ${mean}.`
  }
  return observation.observed.value === 0n || compare(observation.observed, observation.out_of) === 0
    ? `Evidence for ${name}: ${seen}. A rate of ${at} says nothing about how certain it is, so only these count: ${figure(known.expected)}%.`
    : `Evidence for ${name}: ${seen}. With a rate of 0% only these count: ${mean}.`
}

/** How a rate that varies or was measured was used; undefined if it is as given. */
const ofRate = (campaign: Campaign, named: NamedRate, known: RateOutlook): string | undefined => {
  const { name, rate } = named
  const observation = campaign.evidence?.[name]
  if (observation !== undefined) return ofEvidence(campaign, named, observation, known)
  const { high, low } = known
  // A rate of almost 0 or 100 has no visible span.
  const span = low === high ? "" : `, from ${figure(low)} to ${figure(high)}% in 80 of 100 campaigns`
  if (known.basis === "history") {
    return `History: your past campaigns have a ${name} of ${figure(known.expected)}% on average${span}; ${showExact(rate)}% was given.`
  }
  return known.basis === "published_spread"
    ? `The ${name} varies between campaigns as in ${publishedBy}: around ${showExact(rate)}%${span}.`
    : undefined
}

/** The source of the published spread, with the attribution that its licence requires. */
const publishedBy =
  "556 published ones (Clientium, Osservatorio Cold Email Italia, clientium.it/osservatorio, CC BY 4.0)"

/** The assumptions of the ranges about each rate. */
export const ofRates = (campaign: Campaign, outlook: Pick<Outlook, "basis" | "rates">): ReadonlyArray<string> => {
  const notes: Array<string> = []
  const given: Array<string> = []
  for (const name of rateNames) {
    const rate = campaign[name]
    const known = outlook.rates[name]
    if (rate === undefined || known === undefined) continue
    const note = ofRate(campaign, { name, rate }, known)
    if (note === undefined) given.push(name)
    else notes.push(note)
  }
  if (outlook.basis === "as_given" || given.length === 0) return notes
  const [are, they] = given.length === 1 ? ["is", "it varies"] : ["are", "they vary"]
  const why = campaign.spread === "none" ? "" : `: there are no published figures on how much ${they} between campaigns`
  return [...notes, `${listed(given)} ${are} taken as given${why}.`]
}

/** The range that would remain if rates did not vary. */
export const ofChanceAlone = ({ chance_alone: alone }: Outlook): ReadonlyArray<string> =>
  alone === null
    ? []
    : [
        `If every rate were exactly as expected, chance alone would leave ${clientRange(alone.clients.low, alone.clients.high)}, and no client in ${ofHundred(alone.chance_of_no_client)} such campaigns.`
      ]

/** How well the sender's own campaigns predict each other, and `at` which rates. */
export const ofTrackRecord = (record: TrackRecord | null, at = ""): ReadonlyArray<string> =>
  record === null
    ? []
    : [
        `Of your ${record.campaigns} past campaigns with replies, each forecast from the others${at}, ${record.replies_within} ended within the 80% range of replies${record.clients_of === 0 ? "" : `, and ${record.clients_within} of ${record.clients_of} within that of clients`}.`
      ]

/** The sources of the uncertainty and, if something was measured, what to measure next. */
const ofUncertainty = (campaign: Campaign, { rates, uncertainty_from: shares }: Outlook): ReadonlyArray<string> => {
  if (shares === undefined || shares === null) return []
  const { chance, ...others } = shares
  const [largest] = rateNames.map((name) => ({ name, share: others[name] ?? 0 })).toSorted((a, b) => b.share - a.share)
  const byRate =
    largest === undefined || largest.share === 0 ? "" : `, and ${percent(largest.share)}% comes from ${largest.name}`
  const next = isMeasured(campaign) ? nextToMeasure(campaign) : undefined
  return [
    `Uncertainty: ${percent(chance)}% of the variance of clients is chance${byRate}.`,
    ...(next === undefined
      ? []
      : [
          rates[next]?.basis === "as_given"
            ? `Measure ${next} next: it was not measured, and the outlook takes it as given.`
            : `Measure ${next} next: it is the least certain of the rates.`
        ])
  ]
}

const percent = (share: number): string => String(Math.round(share * 1000) / 10)

const spread = ({ chance_of_no_client: noClient, clients: { chance_within, high, low } }: Outlook): string => {
  if (noClient === 1) return "Outlook: no client, however often such a campaign is sent, because a rate is 0%."
  const none = `in ${ofHundred(noClient)} such campaigns: no client.`
  return high === 0
    ? `Outlook: ${none}`
    : `Outlook: in ${ofHundred(chance_within)} such campaigns: ${clientRange(low, high)}; ${none}`
}

const limits: { readonly [basis in RateBasis]: ReadonlyArray<string> } = {
  as_given: [
    "The outlook takes the rates as exact, so every stage is binomial. That is a floor on uncertainty: lists differ, and rates vary between campaigns."
  ],
  published_spread: [],
  history: [],
  evidence: [
    "Evidence is for the results of this campaign so far; counts of past campaigns go into history, or the ranges get too narrow."
  ]
}

/** The difference between the headline figures, which use the rates as given, and the measured rates. */
const ofHeadline = (campaign: Campaign, { basis, clients: { expected } }: Outlook): ReadonlyArray<string> => {
  if (basis !== "history" && basis !== "evidence") return []
  const given = toDouble(expectedAt(campaign, "clients"))
  const off = given === 0 ? 0 : Math.round((expected / given - 1) * 1000) / 10
  const difference = off === 0 ? "" : ` (${Math.abs(off).toLocaleString("en-US")}% ${off < 0 ? "fewer" : "more"})`
  return [
    `The headline figures and break_even use the rates as given: ${figure(given)} expected clients. The outlook, the grade, the flags and the recommendations use measured rates, which give ${figure(expected)}${difference}.`
  ]
}

/** Notes on how certain a forecast is, in numbers of 100 campaigns, how that was computed, and its limits. */
export const outlookNotes = (
  campaign: Campaign,
  outlook: Outlook,
  record: TrackRecord | null = null
): ReadonlyArray<string> => [
  spread(outlook),
  breakEvenNote(campaign, outlook),
  "low, median and high are the 10, 50 and 90% quantiles; chance_within says how much the range from low to high really covers, because counts are whole numbers.",
  ...ofRates(campaign, outlook),
  ...ofChanceAlone(outlook),
  ...ofUncertainty(campaign, outlook),
  ...ofTrackRecord(record),
  ...limits[outlook.basis],
  ...ofHeadline(campaign, outlook)
]
