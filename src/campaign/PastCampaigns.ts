import { BigDecimal, Schema } from "effect"
import { described, optional } from "../input/Schemas.ts"
import { summariesAmong } from "./Summaries.ts"
import { membersOf } from "./Fields.ts"
import { type NumberBounds, pastCountBounds, pastEmailsBounds } from "./NumberBounds.ts"
import {
  type CountName,
  countNames,
  countsOfRate,
  isOptional,
  passedAt,
  type PassedName,
  passedNames,
  type RateName,
  rateNames
} from "./Rates.ts"

/** The most past campaigns that a request may have. */
export const maxPastCampaigns = 100

/** A count, a whole number within bounds. */
export const boundedCount = ({ maximum, minimum }: NumberBounds, description: string, example: number) =>
  Schema.Number.check(
    // Huge numbers are out of range: doubles do not say whether they are whole.
    Schema.isBetween(
      { minimum, maximum },
      { code: "out_of_range", message: `must be from ${minimum} to ${maximum}` }
    ).abort(),
    Schema.isInt({ code: "not_an_integer", message: "must be a whole number" })
  ).annotate({ description, examples: [example] })

const count = (name: PassedName) => {
  const { description, examples, rate } = passedAt(name)
  const condition = isOptional(rate) ? `; for requests with ${rate}` : ""
  return optional(boundedCount(pastCountBounds, `${description}${condition}.`, examples.past))
}

const exampleRow = { name: "March", emails_sent: 3200, replies: 61, positive_replies: 19, meetings: 5, clients: 1 }

/** The counts of a campaign that are above the previous count, each with that count. */
export const risingCounts = (row: { readonly [name in CountName]?: number }): ReadonlyArray<{
  readonly name: CountName
  readonly before: CountName
}> => {
  let before: CountName = "emails_sent"
  return countNames.flatMap((name) => {
    const value = row[name]
    if (value === undefined) return []
    const limit = row[before] ?? Infinity
    const above = before
    before = name
    return value > limit ? [{ name, before: above }] : []
  })
}

const rising = (row: { readonly [name in CountName]?: number }) =>
  risingCounts(row).map(({ before, name }) => ({ path: [name], issue: `must be at most ${before}` }))

/** The counts of a completed campaign. */
const PastCampaign = Schema.Struct({
  name: optional(
    described(
      Schema.String.check(
        Schema.isMaxCodePoints(100, { code: "invalid_format", message: "must have at most 100 characters" })
      ),
      "Your name for it, at most 100 characters. It does not affect the forecast.",
      "March"
    )
  ),
  emails_sent: boundedCount(pastEmailsBounds, "Emails that were sent.", 3200),
  ...membersOf(passedNames, count)
})
  .annotate({
    identifier: "PastCampaign",
    description:
      "The counts of a completed campaign: whole numbers, none above the one before it. An unknown count may be left out.",
    examples: [exampleRow]
  })
  .check(Schema.makeFilter(rising, { code: "out_of_range", message: "must be at most the count before it" }))

export type PastCampaign = typeof PastCampaign.Type

const summaries = (rows: ReadonlyArray<PastCampaign>) =>
  summariesAmong(rows.map(({ emails_sent, name }) => ({ name, emails: emails_sent }))).flatMap((summary, index) =>
    summary === undefined
      ? []
      : [{ path: [index, "emails_sent"], issue: `is the ${summary} of the others; leave this campaign out` }]
  )

/** Past campaigns of the sender, from which the rates of the next one are learned. */
export const PastCampaigns = Schema.Array(PastCampaign)
  .check(
    Schema.makeFilter(summaries, { code: "invalid_format", message: "must not have the total of the others" }),
    Schema.isMinLength(1, { code: "out_of_range", message: "must have 1 to 100 campaigns, or be left out" }),
    Schema.isMaxLength(maxPastCampaigns, { code: "out_of_range", message: "must have at most 100 campaigns" })
  )
  .annotate({
    description: "All your past campaigns, 1 to 100, also those that failed; this one goes to POST /api/v1/progress.",
    examples: [[exampleRow]]
  })
export type PastCampaigns = typeof PastCampaigns.Type

/** The rates of a campaign in percent. */
type Rates = { readonly [rate in RateName]?: BigDecimal.BigDecimal }

/**
 * The past campaigns that a rate learns from, by their places in the history: those that have its two counts, with
 * trials above 0. Rates of 0 and 100 do not learn.
 */
export const talliesOf = (
  campaign: Rates,
  name: RateName,
  history: ReadonlyArray<PastCampaign>
): ReadonlyArray<{ readonly place: number; readonly successes: number; readonly trials: number }> => {
  const rate = campaign[name]
  const percent = rate === undefined ? 0 : BigDecimal.toNumberUnsafe(rate)
  if (percent <= 0 || percent >= 100) return []
  const counts = countsOfRate(campaign, name)
  return history.flatMap((past, place) => {
    const successes = past[counts.successes]
    const trials = past[counts.trials]
    return successes === undefined || trials === undefined || trials === 0 ? [] : [{ place, successes, trials }]
  })
}

/** The number of past campaigns that each rate of a campaign learns from; rates that learn from none are left out. */
export const learnsFrom = (
  campaign: Rates,
  history: ReadonlyArray<PastCampaign>
): ReadonlyArray<{ readonly name: RateName; readonly campaigns: number }> =>
  rateNames.flatMap((name) => {
    const campaigns = talliesOf(campaign, name, history).length
    return campaigns === 0 ? [] : [{ name, campaigns }]
  })
