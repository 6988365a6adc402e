import { BigDecimal } from "effect"
import { refinements, usualNames } from "../campaign/Fields.ts"
import { amountBounds } from "../campaign/NumberBounds.ts"
import * as Sources from "../forecast/benchmarks/Publications.ts"
import { showExact, times, toDouble } from "../forecast/Decimal.ts"
import { flightFields, spreadField } from "./Fields.ts"
import { historyField, shortened } from "./history/PastRows.ts"
import { type CalculatorInput, exampleValues, type FormValues } from "./readForm.ts"

/** A campaign to start with, at published figures. */
export interface Preset {
  readonly name: string
  readonly values: FormValues
  /** The published figures, with their publishers. */
  readonly sources: ReadonlyArray<{ readonly text: string; readonly source: Sources.Source }>
}

const reply = {
  lower: { rate: "1.05", text: "Replies: lower quartile of 556 campaigns", source: Sources.clientiumCampaigns },
  median: { rate: "1.71", text: "Replies: median of 556 campaigns", source: Sources.clientiumCampaigns },
  upper: { rate: "2.59", text: "Replies: upper quartile of 556 campaigns", source: Sources.clientiumCampaigns },
  mean: { rate: "1.92", text: "Replies: mean of 723 campaigns", source: Sources.clientiumTotals }
}

const deals = {
  small: { value: "2500", rate: "25", text: "Clients: middle of 20–30% for deals below 5,000 USD" },
  middle: { value: "8000", rate: "20", text: "Clients: middle of 15–25% for deals of 5,000–20,000 USD" },
  large: { value: "50000", rate: "15", text: "Clients: middle of 10–20% for deals of 20,000–100,000 USD" }
}

/** The cost of a campaign that one's own staff sends: their hours, and tools. */
const ownCost = (hours: number, tools: number) => ({
  total: String(hours * 40 + tools),
  text: `Cost: ${hours} hours at 40 USD, tools ${tools} USD`,
  source: Sources.rangelead
})

const preset = (
  name: string,
  emails: string,
  replies: (typeof reply)[keyof typeof reply],
  deal: (typeof deals)[keyof typeof deals],
  cost: ReturnType<typeof ownCost>
): Preset => ({
  name,
  values: {
    emails_sent: emails,
    reply_rate: replies.rate,
    positive_reply_rate: "14.1",
    meeting_booking_rate: "45",
    close_rate: deal.rate,
    average_deal_value: deal.value,
    campaign_cost: cost.total
  },
  sources: [
    replies,
    { text: "Positive: measured mean", source: Sources.prospeo },
    { text: "Meetings: average plan", source: Sources.alchemail },
    { text: deal.text, source: Sources.importantEmails },
    cost
  ]
})

export const presets: ReadonlyArray<Preset> = [
  preset("One mailbox, one month", "600", reply.median, deals.middle, ownCost(10, 80)),
  preset("Median replies", "5000", reply.median, deals.middle, ownCost(30, 300)),
  preset("Few replies", "5000", reply.lower, deals.middle, ownCost(30, 300)),
  preset("Small deals", "5000", reply.median, deals.small, ownCost(30, 300)),
  preset("Large deals", "2000", reply.upper, deals.large, ownCost(60, 680)),
  preset("Agency, one month", "10000", reply.mean, deals.middle, {
    total: "5500",
    text: "Cost: middle of 3,000–8,000 USD a month",
    source: Sources.growtoro
  })
]

const replaced = [...usualNames, ...refinements, ...flightFields.map(({ name }) => name)]

/**
 * The form as a preset fills it: another campaign, of which nothing has been sent; fields that do not describe a
 * campaign stay.
 */
export const withPreset = (values: FormValues, preset: FormValues): FormValues => ({
  ...Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== "" && !replaced.some((other) => other === name))
  ),
  ...preset
})

/** True if the form has exactly these values of a campaign. */
const holds = (values: FormValues, campaign: FormValues): boolean =>
  replaced.every((name) => (values[name] ?? "") === (campaign[name] ?? ""))

/** The preset that the form is filled with, if it is one. */
export const presetOf = (values: FormValues): Preset | undefined =>
  presets.find((preset) => holds(values, preset.values))

/** True if the form is filled with the example that it has at first. */
export const isExample = (values: FormValues): boolean => holds(values, exampleValues)

/**
 * A second campaign to begin with, if the first has a deal value: for the same cost, more profit on average and more
 * often nothing at all.
 */
export const withSecond = ({ first: { assumptions }, values }: CalculatorInput): FormValues | undefined => {
  const { average_deal_value: deal, close_rate: closed } = assumptions
  const larger = deal === undefined ? undefined : times(deal, BigDecimal.make(3n, 0))
  if (larger === undefined || toDouble(larger) > amountBounds.maximum) return undefined
  return {
    ...values,
    b_name: "Larger deals, fewer closed",
    b_average_deal_value: showExact(larger),
    b_close_rate: showExact(times(closed, BigDecimal.make(4n, 1)))
  }
}

/** The address of the calculator with these numbers, or of another page about them. */
export const addressOf = (values: FormValues, page: "/" | "/report" = "/"): string => {
  const given = Object.entries(values).flatMap(([name, value]) => {
    if (value === "" || (name === spreadField.name && value === "published")) return []
    return [[name, name === historyField ? shortened(value) : value] as const]
  })
  return `${page}?${new URLSearchParams(Object.fromEntries(given)).toString()}`
}
