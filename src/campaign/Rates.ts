import { BigDecimal, Struct } from "effect"
import { type FieldName, fields, type RateField } from "./Fields.ts"
import type { FieldError } from "../input/InvalidInput.ts"

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

/** The counts of a campaign, none of which is above the one before it. */
export const countNames = ["emails_sent", ...rateNames.map((name) => fields[name].passed.name)] as const
export type CountName = (typeof countNames)[number]

/** The rate that leads to a count. */
export const rateTo = (count: PassedName): RateName | undefined =>
  rateNames.find((name) => fields[name].passed.name === count)

/** The rate before another one in the funnel of a campaign, which may lack some. */
export const rateBefore = (campaign: { readonly [Rate in RateName]?: unknown }, name: RateName): RateName | undefined =>
  rateNames.slice(0, rateNames.indexOf(name)).findLast((before) => campaign[before] !== undefined)

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

/** How much rates vary between campaigns: as published, which is the default, or not at all. */
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

const hundred = BigDecimal.make(100n, 0)

/** More replies than contacts: not an optimistic rate but an impossible one. The page checks it too, without a decoder. */
export const checkContacts = (assumptions: {
  readonly emails_per_contact?: BigDecimal.BigDecimal | undefined
  readonly reply_rate: BigDecimal.BigDecimal
}): ReadonlyArray<FieldError> => {
  const { emails_per_contact: perContact, reply_rate } = assumptions
  return perContact === undefined ||
    BigDecimal.isLessThanOrEqualTo(BigDecimal.multiply(reply_rate, perContact), hundred)
    ? []
    : [
        {
          pointer: "/reply_rate",
          code: "out_of_range",
          message:
            `would mean more replies than contacts: with ${BigDecimal.format(perContact)} emails to each contact it must be at most ` +
            String(Math.floor(1_000_000 / BigDecimal.toNumberUnsafe(perContact)) / 10_000)
        }
      ]
}
