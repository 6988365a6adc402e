import { BigDecimal } from "effect"
import type { RiskFlag } from "./Assessment.ts"
import { threshold } from "./Assessment.ts"
import type { Assumptions } from "./Assumptions.ts"
import * as Benchmarks from "./Benchmarks.ts"
import {
  compare,
  quotient,
  quotientUp,
  round,
  type Rounded,
  roundDown,
  roundVisibly,
  show,
  showExact,
  times
} from "./Decimal.ts"
import { type Funnel, funnel } from "./Funnel.ts"

type Decimal = BigDecimal.BigDecimal

const zero = BigDecimal.make(0n, 0)
const hundred = BigDecimal.make(100n, 0)
const thousand = BigDecimal.make(1000n, 0)

/** A number with its noun, `1 client` or `3.75 clients`. */
const plural = (count: Rounded, noun: string) =>
  `${show(count)} ${noun}${count.exact && show(count) === "1" ? "" : "s"}`

const clientCount = (count: Decimal) => roundVisibly(count, 4)
const people = (count: Decimal) => plural(clientCount(count), "client")
const emails = ({ emails_sent }: Assumptions) => plural(round(emails_sent, 0), "email")
const money = (value: Decimal) => show(round(value, 2))
const percent = (rate: Decimal) => `${showExact(rate)} %`

/** Expected clients of the same campaign with other rates. */
const clientsWith = (assumptions: Assumptions, change: Partial<Assumptions>): Decimal =>
  funnel({ ...assumptions, ...change }).clients

type Sentence = (assumptions: Assumptions, funnel: Funnel) => string

/** The greatest amount and number of emails of a request, an amount in hundredths: advice beyond them helps nobody. */
const greatestAmount = 100_000_000_000n
const mostEmails = 100_000_000n

const rateName = {
  reply_rate: "reply rate",
  positive_reply_rate: "positive reply rate",
  meeting_booking_rate: "meeting booking rate",
  close_rate: "close rate"
} as const
type Rate = keyof typeof rateName

const raise =
  (rate: Rate, floor: Decimal): Sentence =>
  (assumptions, { clients }) => {
    const raised = clientsWith(assumptions, { [rate]: floor })
    const step = `Raise the ${rateName[rate]} from ${percent(assumptions[rate])} to at least ${percent(floor)}`
    return raised.value === 0n
      ? `${step}; it brings clients once no other rate is 0 %.`
      : `${step}: the same ${emails(assumptions)} would then bring ${people(raised)} instead of ${show(clientCount(clients))}.`
  }

const doubt =
  (rate: Rate, ceiling: Decimal, because: string): Sentence =>
  (assumptions, { clients }) => {
    const step = `Check the ${rateName[rate]} of ${percent(assumptions[rate])}, as ${because}`
    return clients.value === 0n
      ? `${step}.`
      : `${step}: at ${percent(ceiling)} this forecast is ${people(clientsWith(assumptions, { [rate]: ceiling }))}, not ` +
          `${show(clientCount(clients))}.`
  }

/** The reply rate, in percent, at which revenue covers the cost; none where no rate up to 100 % is enough. */
const breakEvenReplyRate = (assumptions: Assumptions, { revenue }: Funnel): Rounded | undefined => {
  const { campaign_cost: cost, reply_rate } = assumptions
  if (cost === undefined || cost.value === 0n || revenue === undefined || revenue.value === 0n) return undefined
  const needed = quotientUp(times(cost, reply_rate), revenue, 2)
  return needed.units <= 10_000n ? needed : undefined
}

/** How each input alone would have to change for the revenue to cover the cost. */
const breakEven: Sentence = (assumptions, funnel) => {
  const { clients, revenue } = funnel
  const cost = assumptions.campaign_cost ?? zero
  if (clients.value === 0n) {
    return `Raise the rates that are 0 %: with 0 clients, no deal value covers the cost of ${money(cost)}.`
  }
  const replyRate = breakEvenReplyRate(assumptions, funnel)
  const payable = revenue === undefined ? undefined : roundDown(revenue, 2)
  const dealValue = quotientUp(cost, clients, 2)
  const ways = [
    ...(replyRate === undefined ? [] : [`a reply rate of ${show(replyRate)} %`]),
    ...(payable === undefined || payable.units === 0n ? [] : [`a campaign cost of ${show(payable)}`]),
    ...(dealValue.units > greatestAmount ? [] : [`a deal value of ${show(dealValue)}`])
  ]
  return ways.length === 0
    ? `Change more than one thing, as neither a reply rate of 100 % nor a deal value of 1,000,000,000 covers the cost of ${money(cost)}.`
    : `Change one thing at least, as break-even needs ${ways.join(" or ")}.`
}

const advice: { readonly [flag in RiskFlag]: Sentence } = {
  low_reply_rate: raise("reply_rate", threshold.lowReplyRate),
  optimistic_reply_rate: doubt(
    "reply_rate",
    threshold.optimisticReplyRate,
    "the top decile of campaigns has 10.7 % per contact (Instantly 2026)"
  ),
  low_positive_reply_rate: raise("positive_reply_rate", threshold.lowPositiveReplyRate),
  optimistic_positive_reply_rate: doubt(
    "positive_reply_rate",
    threshold.optimisticPositiveReplyRate,
    "55–60 % of replies is what counts as good (Digital Bloom 2025)"
  ),
  low_meeting_booking_rate: raise("meeting_booking_rate", threshold.lowMeetingBookingRate),
  low_close_rate: raise("close_rate", threshold.lowCloseRate),
  optimistic_close_rate: doubt(
    "close_rate",
    threshold.optimisticCloseRate,
    "planning bands end at 30 % of opportunities (Alchemail 2025–26)"
  ),
  high_volume: ({ emails_sent }) =>
    `Spread ${show(round(emails_sent, 0))} emails over at least ` +
    `${show(quotientUp(emails_sent, Benchmarks.emailsPerMailbox, 0))} mailboxes: 50 a day from each, over 20 sending ` +
    `days, is the upper end of what is considered safe (Instantly 2025).`,
  small_sample: (assumptions, { clients }) => {
    if (clients.value === 0n) {
      return "Give every rate a value above 0 %: a stage at 0 % leaves 0 clients however many emails are sent."
    }
    const enough = quotientUp(times(threshold.smallSample, assumptions.emails_sent), clients, 0)
    return enough.units > mostEmails
      ? "Raise the rates: even 100,000,000 emails would bring fewer than 1.6 expected clients."
      : `Send at least ${show(enough)} emails instead of ${show(round(assumptions.emails_sent, 0))} before you judge ` +
          "the result: below 1.6 expected clients the chance of winning none is above 20 %."
  },
  negative_roi: breakEven,
  missing_deal_value: (assumptions, { clients }) =>
    clients.value === 0n
      ? "Add average_deal_value to see revenue; with 0 clients it is 0, whatever a client is worth."
      : assumptions.campaign_cost !== undefined
        ? `Add average_deal_value to see revenue and ROI: at this cost, break-even needs ` +
          `${show(quotientUp(assumptions.campaign_cost, clients, 2))} per client.`
        : `Add average_deal_value to see revenue: with ${people(clients)}, each 1,000 of deal value is ` +
          `${money(times(clients, thousand))} of revenue.`,
  missing_campaign_cost: (_, { replies, revenue }) =>
    revenue !== undefined
      ? `Add campaign_cost to see the ROI: the campaign breaks even at a cost of ${show(roundDown(revenue, 2))}.`
      : replies.value > 0n
        ? `Add campaign_cost to see what each stage costs: each 100 of cost is ${show(quotient(hundred, replies, 2))} per reply.`
        : `Add campaign_cost to see what the campaign risks: with 0 replies all of it is lost.`,
  rates_look_like_fractions: ({ reply_rate }) =>
    `Check the unit of the rates, all four are at most 1 %: if you meant ${percent(times(reply_rate, hundred))} replies, ` +
    `send ${showExact(times(reply_rate, hundred))}, not ${showExact(reply_rate)}.`
}

const levers: ReadonlyArray<readonly [Rate, Benchmarks.Benchmark]> = [
  ["reply_rate", Benchmarks.replyRate],
  ["positive_reply_rate", Benchmarks.positiveReplyRate],
  ["meeting_booking_rate", Benchmarks.meetingBookingRate],
  ["close_rate", Benchmarks.closeRate]
]

/**
 * The lever to work on first. Stages multiply, so bringing a rate to its reference multiplies the clients by
 * reference ÷ rate: the rate that is the smallest part of its reference gains most.
 */
const firstLever: Sentence = (assumptions, funnel) => {
  const { clients } = funnel
  const replyRate = breakEvenReplyRate(assumptions, funnel)
  const aim = replyRate === undefined ? "" : `; at this cost, break-even needs a reply rate of ${show(replyRate)} %`
  const [rate, { source, value }] = levers.reduce((least, lever) =>
    compare(times(assumptions[lever[0]], least[1].value), times(assumptions[least[0]], lever[1].value)) < 0
      ? lever
      : least
  )
  const reached = clientsWith(assumptions, { [rate]: value })
  if (compare(assumptions[rate], value) < 0 && reached.value === 0n) {
    return (
      `Work on the ${rateName[rate]} first, and on every other rate that is 0 %: it is furthest below its reference of ` +
      `${percent(value)} (${source}).`
    )
  }
  if (compare(assumptions[rate], value) >= 0 && clients.value === 0n) {
    return "Raise the delivery rate or the show rate: at 0 % it leaves 0 clients."
  }
  return compare(assumptions[rate], value) < 0
    ? `Work on the ${rateName[rate]} first: at ${percent(assumptions[rate])} it is furthest below its reference of ` +
        `${percent(value)} (${source}), and reaching that would bring ` +
        `${people(reached)} instead of ${show(clientCount(clients))}${aim}.`
    : `Work on the volume first, as all four rates reach their references: each further client takes about ` +
        `${plural(quotientUp(assumptions.emails_sent, clients, 0), "more email")}${aim}.`
}

/**
 * What to do about each flag, in their order, then the lever to work on first; each sentence has a number in it. Rates
 * that look like fractions make every other figure meaningless, so they are all there is to act on.
 */
export const recommendations = (
  assumptions: Assumptions,
  funnel: Funnel,
  riskFlags: ReadonlyArray<RiskFlag>
): ReadonlyArray<string> => {
  const flags = riskFlags.includes("rates_look_like_fractions") ? (["rates_look_like_fractions"] as const) : riskFlags
  const sentences = flags.map((flag) => advice[flag](assumptions, funnel))
  sentences.push(firstLever(assumptions, funnel))
  return sentences
}
