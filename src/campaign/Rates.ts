import { Array, BigDecimal, Option, Struct } from "effect"
import { type FieldName, fields, membersOf, type OpenCount, type RateField } from "./Fields.ts"

export type RateName = {
  [Name in FieldName]: (typeof fields)[Name] extends RateField ? Name : never
}[FieldName]
type WithPresence<P extends RateField["presence"]> = {
  [Rate in RateName]: (typeof fields)[Rate]["presence"] extends P ? Rate : never
}[RateName]
/** A rate that a campaign may leave out. */
export type OptionalRate = WithPresence<"refinement">
export type RequiredRate = WithPresence<"required">

/** The rates of a campaign in the order of its funnel. */
export const rateNames: ReadonlyArray<RateName> = Struct.keys(fields).filter(
  (name): name is RateName => "passed" in fields[name]
)

/** True if a campaign may leave the rate out. */
export const isOptional = (name: RateName): name is OptionalRate => fields[name].presence === "refinement"

/** The rates that a campaign may leave out, and those that it has, in the order of the funnel. */
export const optionalRates = rateNames.filter(isOptional)
export const requiredRates = rateNames.filter((name): name is RequiredRate => fields[name].presence === "required")

/** The entry of each rate in the table of fields. */
export const rates: { readonly [Rate in RateName]: RateField } = fields

/** A value for each rate that a campaign has. */
export type PerRate<A> = { readonly [Rate in RequiredRate]: A } & { readonly [Rate in OptionalRate]?: A }

/** Maps each rate that is present, in the order of the funnel. */
export function eachRate<A, B>(values: PerRate<A>, of: (value: A, name: RateName) => B): PerRate<B>
// A required rate has a value before and after: only the overload above can express that.
export function eachRate<A, B>(
  values: { readonly [Rate in RateName]?: A },
  of: (value: A, name: RateName) => B
): { readonly [Rate in RateName]?: B } {
  const result: { [Rate in RateName]?: B } = {}
  for (const name of rateNames) {
    const value = values[name]
    if (value !== undefined) result[name] = of(value, name)
  }
  return result
}

/** The name of the people counted after a rate. */
export type PassedName<Rate extends RateName = RateName> = (typeof fields)[Rate]["passed"]["name"]

/** The counts after the rates, and those after the optional ones. */
export const passedNames = rateNames.map((name): PassedName => fields[name].passed.name)
export const optionalPassed = optionalRates.map((name) => fields[name].passed.name)

/** The counts of a campaign, none of which is above the one before it. */
export const countNames = ["emails_sent", ...passedNames] as const
export type CountName = (typeof countNames)[number]

/** The rate that leads to a count, with the entry of the count in the table of fields. */
export const passedAt = (count: PassedName): RateField["passed"] & { readonly rate: RateName } => {
  const rate = Option.getOrThrow(Array.findFirst(rateNames, (name) => fields[name].passed.name === count))
  return { rate, ...rates[rate].passed }
}

type WithOpen = {
  [Rate in RateName]: (typeof fields)[Rate]["passed"] extends { readonly open: object } ? PassedName<Rate> : never
}[RateName]

/** The counts that can have undecided cases, in the order of the funnel. */
export const openNames = [
  "emails",
  ...passedNames.filter((name): name is WithOpen => passedAt(name).open !== undefined)
] as const
export type OpenName = (typeof openNames)[number]

const unanswered: OpenCount = {
  description: "Emails that are too recent to have been answered.",
  example: 0,
  help: "too recent to have been answered: those of the last few days"
}

/** The entry of a count of undecided cases. */
export const openAt = (name: OpenName): OpenCount =>
  name === "emails" ? unanswered : (passedAt(name).open ?? unanswered)

/** The label of a count on pages. */
export const countLabel = (name: CountName): string => {
  if (name === "emails_sent") return fields.emails_sent.form.label
  const { heading, pageHeading = heading } = passedAt(name)
  return pageHeading
}

/** The singular and the plural of each count. */
export const countNouns: { readonly [count in CountName]: readonly [one: string, many: string] } = {
  emails_sent: ["email", "emails"],
  ...membersOf(passedNames, (name) => passedAt(name).noun)
}

type PassedUnit<Passed> = Passed extends { readonly unit: infer Unit }
  ? Unit
  : Passed extends { readonly noun: readonly [infer One, string] }
    ? One
    : never

/** A unit that published figures are per: one of those at a stage. */
export type StageUnit = "email" | PassedUnit<(typeof fields)[RateName]["passed"]>

/** The rate that leads to those that a figure is per; undefined for emails, which all others come from. */
export const rateTo = (unit: StageUnit): RateName | undefined =>
  rateNames.find((name) => {
    const { noun, unit: own = noun[0] } = rates[name].passed
    return own === unit
  })

/** Other names for each count, separated by spaces. */
export const countSynonyms: { readonly [count in CountName]: string } = {
  emails_sent: "emails sent emails_total emails_so_far",
  ...membersOf(passedNames, (name) => passedAt(name).synonyms)
}

/** Finds the canonical name for a synonym, ignoring case. */
export const lookUpSynonym = (words: Readonly<Record<string, string>>): ((word: string) => string | undefined) => {
  const meant = new Map(
    Object.entries(words).flatMap(([name, others]) => others.split(" ").map((word) => [word, name] as const))
  )
  return (word) => meant.get(word.toLowerCase())
}

/** The rates before another one in the funnel. */
export const ratesBefore = (name: RateName): ReadonlyArray<RateName> => rateNames.slice(0, rateNames.indexOf(name))

/** The rate before another one in the funnel of a campaign, which may lack some. */
export const rateBefore = (campaign: { readonly [Rate in RateName]?: unknown }, name: RateName): RateName | undefined =>
  ratesBefore(name).findLast((before) => campaign[before] !== undefined)

/** The counts whose quotient is a rate of a campaign. */
export const countsOfRate = (
  campaign: { readonly [Rate in RateName]?: unknown },
  name: RateName
): { readonly successes: PassedName; readonly trials: CountName } => {
  const before = rateBefore(campaign, name)
  return {
    successes: fields[name].passed.name,
    trials: before === undefined ? "emails_sent" : fields[before].passed.name
  }
}

/** The variation of rates between campaigns: as published, which is the default, or none at all. */
export const spreads = ["published", "none"] as const

/**
 * The upper bound of a rate of a campaign, in hundredths of a percent: there are at most as many replies as contacts.
 */
export const greatestRate = (
  { emails_per_contact: perContact }: { readonly emails_per_contact?: BigDecimal.BigDecimal | undefined },
  name: RateName
): number =>
  name === "reply_rate" && perContact !== undefined
    ? Math.floor(10_000 / BigDecimal.toNumberUnsafe(perContact))
    : 10_000
