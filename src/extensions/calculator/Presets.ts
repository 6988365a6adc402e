import { BigDecimal } from "effect"
import { exampleRequest, refinements, usualNames } from "../../campaign/Fields.ts"
import { amountBounds } from "../../campaign/NumberBounds.ts"
import * as Sources from "../../forecast/benchmarks/Publications.ts"
import { showExact, times, toDouble } from "../../forecast/Decimal.ts"
import { withoutSigns } from "./Amounts.ts"
import { currencyField, fieldNames, flightFields, spreadField } from "./FormFields.ts"
import { cutLink, ends, historyField, marks, unreadHistory } from "../tables/Fragment.ts"
import { shortened } from "../tables/PastRows.ts"
import type { CalculatorInput } from "./readForm.ts"
import type { CitedFigure } from "./Sources.ts"
import type { FormValues } from "../../site/form.ts"

/** A campaign to start with. */
export interface Preset {
  readonly name: string
  readonly values: FormValues
  /** The published figures, with their publishers; none for the sample. */
  readonly sources: ReadonlyArray<CitedFigure>
}

const reply = {
  lower: { rate: "1.05", text: "Replies: lower quartile of 556 campaigns", source: Sources.clientiumCampaigns },
  median: { rate: "1.71", text: "Replies: median of 556 campaigns", source: Sources.clientiumCampaigns },
  upper: { rate: "2.59", text: "Replies: upper quartile of 556 campaigns", source: Sources.clientiumCampaigns },
  mean: { rate: "1.92", text: "Replies: mean of 723 campaigns", source: Sources.clientiumTotals }
}

const deals = {
  small: { value: "2500", rate: "25", text: "Clients: middle of 20–30% for deals below 5,000 USD" },
  usual: { value: "5000", rate: "25", text: "Clients: 20–30% for deals below 5,000 USD, 15–25% from there on" },
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

/** The campaign that the page opens with: half of the published campaigns get as many replies. */
const typicalQuarter = preset("A typical quarter", "10000", reply.median, deals.usual, ownCost(40, 900))

/** The campaign of the guide's first call, whose rates are higher than most published ones. */
export const sample: Preset = {
  name: "Sample of the guide",
  values: Object.fromEntries(Object.entries(exampleRequest).map(([name, value]) => [name, String(value)])),
  sources: []
}

export const presets: ReadonlyArray<Preset> = [
  typicalQuarter,
  preset("First campaign", "3000", reply.median, deals.usual, ownCost(30, 300)),
  preset("One mailbox, one month", "600", reply.median, deals.middle, ownCost(10, 80)),
  preset("Few replies", "5000", reply.lower, deals.middle, ownCost(30, 300)),
  preset("Small deals", "5000", reply.median, deals.small, ownCost(30, 300)),
  preset("Large deals", "2000", reply.upper, deals.large, ownCost(60, 680)),
  preset("Agency, one month", "10000", reply.mean, deals.middle, {
    total: "5500",
    text: "Cost: middle of 3,000–8,000 USD a month",
    source: Sources.growtoro
  }),
  sample
]

/** The initial values of the form. */
export const openingValues: FormValues = {
  ...typicalQuarter.values,
  goal: "4",
  goal_aim: "clients",
  goal_chance: "80"
}

/**
 * The parameter of a short address, with the numbers of a plan in this order. Links on paper stay: a new field is added
 * at the end.
 */
const planParameter = "plan"
const planNames: ReadonlyArray<string> = [
  "emails_sent",
  "reply_rate",
  "positive_reply_rate",
  "meeting_booking_rate",
  "close_rate",
  "average_deal_value",
  "campaign_cost",
  currencyField,
  "goal",
  "goal_chance",
  "goal_aim",
  "delivery_rate",
  "show_rate",
  "emails_per_contact",
  spreadField.name
]

/** The longest short address. */
const maxPlanAddress = 80

/**
 * The fields of the form in an address, or the initial ones if it has none and is not of a form that was sent empty.
 * Other parameters are ignored. Where `&` was written as in HTML, names begin with `amp;`.
 */
export const valuesOf = (
  parameters: Iterable<readonly [string, string]>,
  names = fieldNames,
  opening = openingValues
): FormValues => {
  const given = new Map(Array.from(parameters, ([name, value]) => [name.replace(/^(?:amp;)+/, ""), value] as const))
  const plan = new Map((given.get(planParameter)?.split("_") ?? []).map((text, index) => [planNames[index], text]))
  const values = names.flatMap((name) => {
    const value = given.get(name) ?? (plan.get(name) || undefined)
    // A table may begin with an empty cell.
    return value === undefined ? [] : [[name, name === historyField ? value : value.trim()] as const]
  })
  const isCut =
    (given.has(marks.start) || plan.size > 0) && !Object.values<unknown>(ends).includes(given.get(marks.end))
  if (values.length === 0 && !given.has(marks.start)) return opening
  const isUnread = given.get(marks.end) === ends.query && !given.has(historyField)
  return { ...Object.fromEntries(values), ...(isCut && { [cutLink]: "1" }), ...(isUnread && { [unreadHistory]: "1" }) }
}

/** The amounts that every preset has. */
const amountNames = ["average_deal_value", "campaign_cost"] as const

const replaced = [...usualNames, ...refinements, currencyField, ...flightFields.map(({ name }) => name)]

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

/** The parameter of an address that a form is sent to: the index of the preset to fill it with. */
export const presetParameter = "preset"

/** The preset whose figures the forecast is made of, if it is one; past campaigns replace its rates. */
export const presetOf = (values: FormValues): Preset | undefined =>
  values[historyField]
    ? undefined
    : presets.find((preset) => replaced.every((name) => (values[name] ?? "") === (preset.values[name] ?? "")))

/** The amounts of a form that are those of a preset, neither of which was changed. */
export const presetAmounts = (values: FormValues): ReadonlyArray<string> => {
  const areOf = ({ values: own }: Preset) => amountNames.every((name) => values[name] === own[name])
  return values[currencyField] ? [] : presets.some(areOf) ? amountNames : []
}

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

/** The pages about a campaign. */
export type NumbersPath = "/" | "/report" | "/embed" | "/list"

/** Longer addresses do not fit everywhere: in spreadsheets, in mail programs, behind proxies. */
const maxAddress = 2000

const withMarks = (values: FormValues, page: NumbersPath, end: (typeof ends)[keyof typeof ends]): string => {
  const given = Object.entries(values).filter(
    ([name, value]) =>
      value !== "" && ![cutLink, unreadHistory].includes(name) && !(name === spreadField.name && value === "published")
  )
  const marked = { [marks.start]: "1", ...Object.fromEntries(given), [marks.end]: end }
  return `${page}?${String(new URLSearchParams(marked))}`
}

/** An address, and the past campaigns for which it has no room. */
interface Address {
  readonly address: string
  readonly left: string | undefined
}

/** The address of a page about a campaign, and the past campaigns that belong into its fragment. */
export const splitAddress = (values: FormValues, page: NumbersPath = "/"): Address => {
  const { [historyField]: history = "", ...others } = withoutSigns(values)
  const short = shortened(history)
  const address = withMarks({ ...others, [historyField]: short }, page, ends.link)
  return address.length <= maxAddress || short === ""
    ? { address, left: undefined }
    : { address: withMarks(others, page, ends.query), left: short }
}

/** The address of a page with these numbers; without past campaigns if it would be too long. */
export const addressOf = (values: FormValues, page: NumbersPath = "/"): string => splitAddress(values, page).address

/** True if the address has all numbers. */
export const isWhole = (values: FormValues): boolean => {
  const { address, left } = splitAddress(values)
  return left === undefined && address.length <= maxAddress
}

/** An address to be typed from paper; undefined if the form has more than the numbers of a plan, or long ones. */
export const planAddress = (values: FormValues): string | undefined => {
  const given = withoutSigns(values)
  const others = Object.keys(given).filter((name) => given[name] !== "" && !planNames.includes(name))
  const texts = planNames.map((name) => {
    const text = given[name] ?? ""
    return name === spreadField.name && text === "published" ? "" : text
  })
  if (others.length > 0 || texts.some((text) => text.includes("_"))) return undefined
  const numbers = texts.join("_").replace(/_+$/, "")
  const address = `/?${String(new URLSearchParams({ [planParameter]: numbers, [marks.end]: ends.link }))}`
  return address.length <= maxPlanAddress ? address : undefined
}
