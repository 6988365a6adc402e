import { historyField } from "../tables/Fragment.ts"
import type { Unit } from "../tables/readNumber.ts"
import { type Aim, aims } from "../goals/GoalTarget.ts"
import { type FieldName, fields, optionalNames, refinements, usualNames } from "../../campaign/Fields.ts"
import {
  countLabel,
  type CountName,
  countNames,
  openAt,
  type OpenName,
  openNames,
  type OptionalRate,
  optionalRates,
  rates,
  type spreads
} from "../../campaign/Rates.ts"
import {
  emailsLeftBounds,
  moneyAimBounds,
  multipleAimBounds,
  type NumberBounds,
  pastCountBounds,
  peopleAimBounds
} from "../../campaign/NumberBounds.ts"
import type { FormValues } from "../../site/form.ts"

/** A number of the form. */
export interface FormNumber {
  readonly name: string
  /** Its place in a request to the API, as a JSON Pointer. */
  readonly pointer: string
  readonly label: string
  /** The explanation after the number. */
  readonly help: string
  readonly unit: Unit
  readonly bounds: NumberBounds
  /** An example number in the recommended notation. */
  readonly example: string
}

/** The field for a number of a request: `so_far_replies` for `/so_far/replies`. */
const number = (pointer: string, bounds: NumberBounds, label: string, help: string, example: string): FormNumber => ({
  name: pointer.slice(1).replaceAll("/", "_"),
  pointer,
  label,
  help,
  unit: "",
  bounds,
  example
})

const units = { percent: "%", money: "money", count: "" } as const

const field = <Name extends FieldName>(name: Name): FormNumber & { readonly name: Name } => {
  const { bounds, form, unit } = fields[name]
  return { name, pointer: `/${name}`, bounds, unit: units[unit], ...form }
}

/** The seven main fields of a campaign; the last two may be left empty. */
export const campaignFields = usualNames.map(field)

/** The refinements, which may be left empty. */
export const moreFields = refinements.map(field)

/** The labels of the refinements; of rates one after another, only the last is called one. */
export const moreSummary = moreFields
  .map(({ label }, i) => (moreFields[i + 1]?.label.endsWith(" rate") === true ? label.replace(/ rate$/, "") : label))
  .map((label, i) => (i === 0 ? label : label.toLowerCase()))
  .join(", ")

/** The fields that may be left empty. */
export const optionalFields: ReadonlySet<string> = new Set(optionalNames)

/** A count of a campaign in flight. */
export interface FlightField extends FormNumber {
  /** The name of the count among the other counts of its kind. */
  readonly heading: string
  /** The rate without which a campaign does not have the count. */
  readonly neededRate: OptionalRate | undefined
}

const neededRate = (count: string): OptionalRate | undefined =>
  optionalRates.find((rate) => rates[rate].passed.name === count)

/** The results of a campaign so far, in the order of its funnel. */
export const soFarFields = countNames.map((count): FlightField & { readonly count: CountName } => {
  const heading = countLabel(count)
  const example = count === "emails_sent" ? "2000" : "12"
  return {
    count,
    heading,
    neededRate: neededRate(count),
    ...number(`/so_far/${count}`, pastCountBounds, `${heading} so far`, "", example)
  }
})

/** The undecided part of these counts. */
export const openFields = openNames.map((open): FlightField & { readonly open: OpenName } => {
  const heading = open === "emails" ? "Emails" : countLabel(open)
  const label = `Open ${heading.toLowerCase()}`
  return {
    open,
    heading,
    neededRate: neededRate(open),
    ...number(`/open/${open}`, emailsLeftBounds, label, openAt(open).help, "7")
  }
})

/** The number of emails still to be sent. */
export const emailsLeftField: FlightField = {
  heading: "Emails still to send",
  neededRate: undefined,
  ...number(
    "/emails_left",
    emailsLeftBounds,
    "Emails still to send",
    "if empty, those of the plan that are not sent",
    "3000"
  )
}

export const flightFields: ReadonlyArray<FlightField> = [...soFarFields, ...openFields, emailsLeftField]

/** The prefix of the names of the second campaign's fields. */
const second = "b_"

/** The fields of a second campaign; empty ones are as in the first. */
export const secondFields = [...campaignFields, ...moreFields].map((field) => ({
  ...field,
  of: field.name,
  name: `${second}${field.name}` as const,
  label: `Second campaign: ${field.label.toLowerCase()}`
}))

export const aimLabels: { readonly [aim in Aim]: string } = {
  clients: "clients",
  meetings: "booked meetings",
  replies: "replies",
  revenue: "of revenue",
  profit: "of profit",
  roi_multiple: "times the cost"
}

const goalLabel = "Goal"

/** The target of a goal, in the unit and the bounds of its aim. */
export const goalField = (aim = "clients"): FormNumber => {
  const target = (bounds: NumberBounds) => ({ ...number(`/goal/${aim}`, bounds, goalLabel, "", "4"), name: "goal" })
  if (aim === "revenue" || aim === "profit") return { ...target(moneyAimBounds), unit: "money" }
  return target(aim === "roi_multiple" ? multipleAimBounds : peopleAimBounds)
}

/** A chance as a number of 100 campaigns. */
export const chanceField: FormNumber = {
  ...number("/goal/chance", { minimum: 50, maximum: 99.9 }, "Goal: chance", "of 100", "80"),
  unit: "%"
}

export const isAim = (text: string): text is Aim => aims.some((aim) => aim === text)

/** The names of campaigns in a comparison. */
export const nameFields = [
  { name: "a_name", label: "Name of the first campaign", fallback: "First campaign" },
  { name: `${second}name`, label: "Name of the second campaign", fallback: "Second campaign" }
] as const

/** The longest name that is shown. */
export const longestName = 60

/** The field for how much rates vary, with the meaning of its values; empty means the first. */
export const spreadField = {
  name: "spread",
  label: "My rates",
  options: {
    published: "vary between campaigns",
    none: "are exact"
  } satisfies { readonly [spread in (typeof spreads)[number]]: string }
} as const

const numberFields: ReadonlyMap<string, FormNumber> = new Map(
  [...campaignFields, ...moreFields, ...flightFields, chanceField, ...secondFields].map((field) => [field.name, field])
)

/** The number with this name in a form, on whose aim its goal depends. */
export const numberField = (name: string, { goal_aim: aim }: FormValues): FormNumber | undefined =>
  name === "goal" ? goalField(aim) : numberFields.get(name)

/** The currency of all amounts of a form, as its ISO code; it is typed as a sign with one of them. */
export const currencyField = "currency"

/** The number of emails that each contact got, where the past campaigns were counted in contacts. */
export const contactsField = "contact_emails"

/** The names at the top of a report. */
export const preparedFields = [
  { name: "prepared_by", label: "Prepared by" },
  { name: "prepared_for", label: "for" }
] as const

/** Every name that the form sends; others in an address are ignored. */
export const fieldNames: ReadonlyArray<string> = [
  ...campaignFields.map(({ name }) => name),
  ...moreFields.map(({ name }) => name),
  currencyField,
  spreadField.name,
  historyField,
  contactsField,
  ...flightFields.map(({ name }) => name),
  "goal",
  "goal_aim",
  "goal_chance",
  ...nameFields.map(({ name }) => name),
  ...secondFields.map(({ name }) => name),
  ...preparedFields.map(({ name }) => name)
]

/** The labels of the fields in error messages, in the order of the page. */
export const fieldLabels: Readonly<Record<string, string>> = Object.fromEntries(
  [
    ...campaignFields,
    ...moreFields,
    spreadField,
    ...flightFields,
    { name: "goal", label: goalLabel },
    { name: "goal_aim", label: goalLabel },
    chanceField,
    ...secondFields,
    { name: historyField, label: "Past campaigns" }
  ].map(({ label, name }) => [name, label] as const)
)
