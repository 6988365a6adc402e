import { Predicate } from "effect"
import { integer, percent } from "../text/Figures.ts"
import { countsOfRate, countSynonyms, passedAt, passedNames, type RateName, rateNames, rates } from "./Rates.ts"

/** Advice on the counts that rates take the place of. */
const ofCounts = passedNames.map((name) => {
  const { rate, words } = passedAt(name)
  const advice =
    `send ${rate}, ${words} ÷ ${rates[rate].outOf} × 100; counts of past campaigns go into history, ` +
    "those of this one so far to POST /api/v1/progress"
  return [`${name} ${countSynonyms[name]}`, advice] as const
})

/** Names of fields that callers send instead of the name of a campaign. */
const namings = "name campaign_name campaign campaign_id id title label company company_name subject subject_line"

/** Names that callers send although there is no such field, with advice on what to do instead. */
const table: ReadonlyArray<readonly [names: string, advice: string]> = [
  ["bounce_rate bounces bounced bounce", "subtract bounces: send delivery_rate, 100 − bounce rate"],
  ...ofCounts,
  ["deliverability deliverability_rate inbox_rate", "send delivery_rate, delivered emails ÷ emails_sent × 100"],
  ["open_rate opens opened open", "leave it out: opens bring no client, and reply_rate counts per email, not per open"],
  [
    "click_rate clicks clicked ctr click_through_rate",
    "leave it out: clicks bring no client here; reply_rate is the percentage of emails that get a reply"
  ],
  [
    "unsubscribe_rate unsubscribes unsubscribed opt_out_rate opt_outs",
    "leave it out: people who unsubscribe do not reply, so reply_rate counts them already"
  ],
  [
    "spam_rate spam_complaint_rate complaint_rate complaints",
    "leave it out: emails in a spam folder get no reply, so reply_rate counts them already"
  ],
  ["no_show_rate no_shows noshow_rate", "subtract no-shows: send show_rate, 100 − no-show rate"],
  ["show_up_rate attendance_rate held_rate", "send show_rate, held meetings ÷ booked meetings × 100"],
  [
    "contacts leads prospects recipients list_size audience",
    "send emails_sent, contacts × emails to each, and that number as emails_per_contact"
  ],
  [
    "follow_ups followups follow_up_count steps sequence_length touches emails_per_lead emails_per_prospect",
    "send emails_per_contact, 1 for the first email plus the follow-ups"
  ],
  [
    "past_campaigns previous_campaigns campaign_history track_record results",
    "send them as history: a list of campaigns with their counts"
  ],
  ["response_rate", "send it as reply_rate, if it is per email and not per contact"],
  ["interest_rate interested_rate positive_rate", "send it as positive_reply_rate, positive replies ÷ replies × 100"],
  ["meeting_rate booked_rate demo_rate", "send meeting_booking_rate, booked meetings ÷ positive replies × 100"],
  ["win_rate", "send it as close_rate, if it is per meeting and not per opportunity"],
  [
    "conversion_rate conversions",
    "send the rate of each step: reply_rate, positive_reply_rate, meeting_booking_rate and close_rate"
  ],
  [
    "ltv clv cltv lifetime_value customer_lifetime_value",
    "if that is the value of one client, send it as average_deal_value"
  ],
  ["acv arpa arpu deal_size contract_value price", "send it as average_deal_value, the revenue per client"],
  ["mrr arr", "send average_deal_value, the revenue of one client over the time that you plan with"],
  ["revenue expected_revenue", "leave it out: it is computed from average_deal_value, the revenue per client"],
  [
    "margin profit_margin gross_margin",
    "leave it out, or send deal value × margin as average_deal_value to forecast gross profit in place of revenue"
  ],
  ["budget spend total_cost total_spend ad_spend", "send it as campaign_cost, the total cost of the campaign"],
  ["cost_per_email email_cost cpe", "send campaign_cost, cost per email × emails_sent plus fixed costs"],
  ["cpl cost_per_lead cost_per_meeting cost_per_client cac", "leave it out: it is computed from campaign_cost"],
  ["roi roi_multiple", "leave it out: it is computed from average_deal_value and campaign_cost"],
  ["currency", "leave it out: amounts are in your currency; send average_deal_value and campaign_cost in the same one"],
  [
    "industry sector niche vertical country region market persona segment",
    "leave it out: the forecast depends only on your rates; send rates measured there"
  ],
  [`${namings} description`, "leave it out: a forecast has no name"],
  [
    "mailboxes inboxes domains accounts senders sending_days days daily_limit emails_per_day",
    "leave it out: recommendations say how many mailboxes emails_sent needs"
  ],
  [
    "month months period duration start_date end_date date",
    "leave it out: the forecast is for the whole campaign, however long it takes"
  ],
  ["api_key apikey key x_api_key", "send the key as the header x-api-key"],
  ["idempotency_key", "send it as the header Idempotency-Key"]
]

const advice = new Map(table.flatMap(([names, text]) => names.split(" ").map((name) => [name, text] as const)))

const snakeCase = (name: string) =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll(/[\s-]+/g, "_")
    .toLowerCase()

/** Advice on a field, in any spelling, that seems to be the name of a campaign, where campaigns have names. */
export const namingAdvice = (name: string): string | undefined =>
  namings.split(" ").includes(snakeCase(name)) ? "send it as name" : undefined

/** Advice on the counts of rates that were once sent as `evidence`: where they go, with the same numbers. */
const evidenceAdvice = (evidence: unknown): string => {
  const counts: Record<string, number> = {}
  for (const name of rateNames) {
    const of = Predicate.isObject(evidence) ? evidence[name] : undefined
    if (!Predicate.isObject(of)) continue
    const { successes, trials } = countsOfRate({}, name)
    const { observed, out_of } = of
    if (Predicate.isNumber(out_of)) counts[trials] ??= out_of
    if (Predicate.isNumber(observed)) counts[successes] ??= observed
  }
  const row = JSON.stringify(Object.keys(counts).length === 0 ? { emails_sent: 800, replies: 31 } : counts)
  return `put past campaigns into history, like [${row}]; send the results of this one to POST /api/v1/progress, like "so_far": ${row}`
}

type Fields = Readonly<Record<string, unknown>>

/** The cases of a rate in a past campaign that has rates in place of counts, and those that passed, as far as known. */
const casesOf = (row: Fields, name: RateName): { readonly cases?: number; readonly passed?: number } => {
  const { successes, trials } = countsOfRate(row, name)
  const before = passedNames.find((passed) => passed === trials)
  const given = row[trials]
  const cases = Predicate.isNumber(given)
    ? given
    : before === undefined
      ? undefined
      : casesOf(row, passedAt(before).rate).passed
  const [count, rate] = [row[successes], row[name]]
  if (cases === undefined) return Predicate.isNumber(count) ? { passed: count } : {}
  if (Predicate.isNumber(count)) return { cases, passed: count }
  return Predicate.isNumber(rate) ? { cases, passed: Math.round((cases * rate) / 100) } : { cases }
}

/** Advice on a rate of a past campaign: the count to send instead. */
const countAdvice = (name: RateName, siblings: unknown): string => {
  const given: Fields = Predicate.isObject(siblings) ? { ...siblings } : {}
  const counted = passedNames.filter((passed) => Predicate.isNumber(given[passed]))
  const row: Fields = {
    // Where a count is given, so is its step.
    ...Object.fromEntries(counted.map((passed) => [passedAt(passed).rate, null])),
    ...Object.fromEntries(Object.entries(given).map(([field, value]) => [snakeCase(field), value]))
  }
  const { successes, trials } = countsOfRate(row, name)
  if (Predicate.isNumber(row[successes])) return `leave it out: ${successes} has the count`
  const { cases, passed } = casesOf(row, name)
  const rate = row[name]
  return cases === undefined || passed === undefined || !Predicate.isNumber(rate)
    ? `give the count as ${successes}: ${trials} × ${name} ÷ 100`
    : `give the count: ${integer(cases)} × ${percent(rate)} = ${integer(passed)} ${successes}`
}

/** True for the fields of a campaign in an object of their own, as in {"plan": {"reply_rate": 5, …}}. */
const hasRates = (value: unknown): boolean =>
  Predicate.isObject(value) &&
  Object.keys(value)
    .map(snakeCase)
    .some((name) => rateNames.some((rate) => rate === name))

/**
 * Advice on a field that does not exist, in any spelling of its name, with its value and its siblings, in the object at
 * the pointer `within`; undefined if the name is not in the table. Within a history, only for names of campaigns, and
 * for rates, which it has not.
 */
export const unknownFieldAdvice = (
  name: string,
  within = "",
  value?: unknown,
  siblings?: unknown
): string | undefined => {
  if (within.startsWith("/history")) {
    const rate = rateNames.find((each) => each === snakeCase(name))
    return rate === undefined ? namingAdvice(name) : countAdvice(rate, siblings)
  }
  if (name === "evidence") return evidenceAdvice(value)
  return hasRates(value) ? "move its fields out of it, next to the others" : advice.get(snakeCase(name))
}
