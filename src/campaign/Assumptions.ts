import { BigDecimal, Option, type Result, Schema, SchemaGetter } from "effect"
import { decodeFields } from "../input/decodeFields.ts"
import { count, decimal, optional } from "../input/Schemas.ts"
import type { FieldError, InvalidInput } from "../input/InvalidInput.ts"
import { learnsFrom, PastCampaigns } from "./PastCampaigns.ts"
import {
  exampleRequest,
  type FieldName,
  fields,
  membersOf,
  type NumberField,
  optionalNames,
  requiredNames
} from "./Fields.ts"
import { countsOfRate, spreads } from "./Rates.ts"
import { unknownFieldAdvice } from "./UnknownFields.ts"

const number = (name: FieldName) => {
  const { bounds, description, example, unit }: NumberField = fields[name]
  const meaning = {
    ...bounds,
    example,
    description: unit === "percent" ? `${description} 5 means 5 percent.` : description
  }
  return unit === "count" ? count(meaning) : decimal(meaning)
}

const spread = Schema.Literals(spreads)
  .annotate({
    title: "Spread",
    description:
      "How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 " +
      "published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case.",
    examples: ["published"]
  })
  .pipe(
    // A request that spells out the default is the same as one without it.
    Schema.decodeTo(Schema.optionalKey(Schema.Literals(spreads)), {
      decode: SchemaGetter.transformOptional(Option.filter((value) => value !== "published")),
      encode: SchemaGetter.passthrough()
    })
  )

const members = {
  ...membersOf(requiredNames, number),
  ...membersOf(optionalNames, (name) => optional(number(name))),
  spread: optional(spread),
  history: optional(PastCampaigns)
}

const Members = Schema.Struct(members)

const hundred = BigDecimal.make(100n, 0)

/** The check that no reply rate means more replies than contacts: it is not optimistic but impossible. */
export const contactsCheck = Schema.makeFilter(
  ({ emails_per_contact: each, reply_rate }: Pick<typeof Members.Type, "emails_per_contact" | "reply_rate">) =>
    each === undefined ||
    BigDecimal.isLessThanOrEqualTo(BigDecimal.multiply(reply_rate, each), hundred) || {
      path: ["reply_rate"],
      issue:
        `would mean more replies than contacts: with ${BigDecimal.format(each)} emails to each contact it must be at most ` +
        String(Math.floor(1_000_000 / BigDecimal.toNumberUnsafe(each)) / 10_000)
    },
  { code: "out_of_range", message: "would mean more replies than contacts" }
)

/** The error of a history that no rate of a campaign can be learned from. */
export const nothingToLearn = (campaign: Parameters<typeof countsOfRate>[0]): FieldError => {
  const { successes, trials } = countsOfRate(campaign, "reply_rate")
  const message = `has nothing to learn from: a rate between 0 and 100 needs a past campaign with both of its counts, such as ${trials} and ${successes}`
  return { pointer: "/history", code: "required", message }
}

const historyCheck = Schema.makeFilter(
  (campaign: typeof Members.Type) =>
    campaign.history === undefined ||
    learnsFrom(campaign, campaign.history).length > 0 || {
      path: ["history"],
      issue: nothingToLearn(campaign).message
    },
  nothingToLearn({})
)

/** The checks of a campaign's fields against each other. */
export const campaignChecks = [contactsCheck, historyCheck] as const

/**
 * The assumptions of a campaign as exact decimals: counts of emails, percentages from 0 to 100, amounts of one
 * currency. Encoded, they are the JSON object of a request.
 */
export const Assumptions = Members.check(...campaignChecks).pipe(
  Schema.annotateEncoded({
    identifier: "ForecastRequest",
    description:
      "The assumptions of a campaign. Rates are percentages from 0 to 100, not fractions. The camelCase spellings of the " +
      "first seven fields (emailsSent, replyRate, …) are accepted too; a field that is not listed here is an error. A number " +
      "has at most 40 decimal places.",
    examples: [exampleRequest]
  })
)
export type Assumptions = typeof Assumptions.Type

/** The example of the pages and the reference, decoded so that its answer can be computed. */
export const exampleAssumptions = Schema.decodeSync(Assumptions)(exampleRequest)

const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The alternative spellings of fields, each with the canonical name. */
export const aliases = new Map(Object.keys(exampleRequest).map((name) => [camelCase(name), name]))

/**
 * Decodes assumptions, in snake_case or camelCase, from a JSON object. Fails with InvalidInput, which lists every
 * error.
 */
export const decodeAssumptions: (json: unknown) => Result.Result<Assumptions, InvalidInput> = decodeFields(
  Assumptions,
  { aliases, unknown: unknownFieldAdvice }
)
