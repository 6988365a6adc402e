import { clientRange, integer } from "../../text/Figures.ts"
import { expectedAt, clientsToBreakEven } from "../../forecast/Campaign.ts"
import { showExact, toDouble, isZero } from "../../forecast/Decimal.ts"
import { clientsText, countOf, listed, ofHundred } from "../../forecast/Words.ts"
import { strongest } from "../../forecast/outlook/CampaignOutlook.ts"
import { breakEvenNote, estimatesNote, ofRates } from "../../forecast/outlook/OutlookNotes.ts"
import { type Compared } from "./InFlight.ts"
import { unlikely } from "./DecidedCases.ts"
import { type AssessedFlight, moreEmails } from "./ProgressAdvice.ts"
import type { ProgressAnswer } from "./ProgressAnswer.ts"

/** The counts taken as decided. */
const decidedNote = ({ compared }: AssessedFlight): string => {
  const decided = Object.values<Compared>(compared).filter(({ cases }) => cases > 0)
  return decided.length === 0
    ? "Nothing is decided yet: all rates are those of the plan."
    : `Decided: ${listed(decided.map(({ cases, from, passed, to }) => `${countOf(passed, to)} of ${countOf(cases, from)}`))}.`
}

/** The counts taken as open. */
const openNote = ({ compared, flight }: AssessedFlight): ReadonlyArray<string> => {
  if (flight.soFar.emails_sent === 0) return []
  const open = Object.values<Compared>(compared).filter((each) => each.open > 0)
  const recent =
    flight.open.emails === 0
      ? [
          "All emails sent so far count as decided. If recent ones may still be answered, give their number as open.emails."
        ]
      : []
  const passes = open.reduce((sum, each) => sum + each.open, 0) === 1 ? "it passes" : "they pass"
  return open.length === 0
    ? [...recent, "Nothing else was given as open, so every case that has not reached the next count is taken as lost."]
    : [
        `Open: ${listed(open.map((each) => countOf(each.open, each.from)))}; ${passes} with the same rates as new ones.`,
        ...recent
      ]
}

/** The assumption of the verdict on positive replies. */
const positiveNote = ({
  compared: { positive_reply_rate: positive },
  flight: { plan }
}: AssessedFlight): ReadonlyArray<string> =>
  positive.as_campaigns_vary === null || plan.learned?.positive_reply_rate !== undefined
    ? []
    : [
        "Nobody has published how much positive_reply_rate varies: for its verdict alone, it is taken to vary as much as reply_rate does."
      ]

/** The cost that money is computed with, where other emails are sent than it was planned for. */
const costNote = ({ emailsLeft, flight: { plan, soFar } }: AssessedFlight): ReadonlyArray<string> => {
  const emails = soFar.emails_sent + emailsLeft
  const cost = plan.campaign_cost
  return cost === undefined || isZero(cost) || emails === toDouble(plan.emails_sent)
    ? []
    : [
        `campaign_cost does not change with the emails: it is that of the plan, for ${showExact(plan.emails_sent)}, and ${integer(emails)} are sent in all.`
      ]
}

/** Notes on what was taken as decided, how the answer was computed, and its limits. */
export const progressNotes = (
  assessed: AssessedFlight,
  { end, plan, rates }: Pick<ProgressAnswer, "end" | "plan" | "rates">
): ReadonlyArray<string> => {
  const { emailsLeft, flight } = assessed
  const { soFar } = flight
  const needed = clientsToBreakEven(flight.plan)
  const { chance_within } = end.clients
  return [
    decidedNote(assessed),
    ...openNote(assessed),
    `End: with ${emailsLeft === 0 ? "no further email" : moreEmails(emailsLeft)}, in ${ofHundred(chance_within)} such campaigns: ${clientRange(end.clients, integer)}${soFar.clients === 0 ? "" : ", including those already won"}.`,
    `Plan: ${clientsText(expectedAt(flight.plan, "clients"))} on average; ${plan.clients} or more are reached in ${ofHundred(plan.chance_of_at_least)} such campaigns.`,
    breakEvenNote(flight.plan, {
      chance_to_break_even: end.chance_to_break_even,
      clients_to_break_even: needed === undefined || needed === Infinity ? null : needed
    }),
    ...costNote(assessed),
    ...ofRates(flight.plan, { basis: strongest(rates), rates }),
    `A rate is below or above the plan if a result this far from it is seen in fewer than ${100 * unlikely.varying} of 100 campaigns as they vary or, where the variation is unknown, in fewer than ${100 * unlikely.exact} of 100 by chance alone.`,
    ...positiveNote(assessed),
    "The remaining emails are taken to be like those already sent.",
    estimatesNote
  ]
}
