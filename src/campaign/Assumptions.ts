import { type Result, Schema } from "effect"
import { decodeFields } from "../input/decodeFields.ts"
import { count, decimal } from "../input/numberSchemas.ts"
import type { FieldError, InvalidInput } from "../input/InvalidInput.ts"
import { requestSchema } from "../input/requestSchema.ts"
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
import { checkContacts, spreads } from "./Rates.ts"
import { unknownFieldAdvice } from "./UnknownFields.ts"

const number = (name: FieldName) => {
  const { bounds, description, example, unit }: NumberField = fields[name]
  const meaning = {
    ...bounds,
    example,
    description: unit === "percent" ? `${description} 5 means 5 percent.` : description
  }
  return unit === "count" ? count(meaning) : decimal(Schema.Finite, meaning)
}

const spread = Schema.Literals(spreads).annotate({
  description:
    "How much rates vary between campaigns. published, the default: the reply rate varies around its value as in 556 " +
    "published campaigns. none: every rate is exactly as given. Rates learned from history vary in either case.",
  examples: ["published"]
})

/** The assumptions of a campaign as exact decimals: counts of emails, percentages from 0 to 100, amounts of one currency. */
export const Assumptions = Schema.Struct({
  ...membersOf(requiredNames, number),
  ...membersOf(optionalNames, (name) => Schema.optionalKey(number(name))),
  spread: Schema.optionalKey(spread),
  history: Schema.optionalKey(PastCampaigns)
})
export type Assumptions = typeof Assumptions.Type

/** The example of the pages and the reference, decoded so that its answer can be computed. */
export const exampleAssumptions = Schema.decodeSync(Assumptions)(exampleRequest)

/** The JSON object with the assumptions: numbers; `null` is the same as a missing field. */
export const ForecastRequest = requestSchema(Assumptions).annotate({
  identifier: "ForecastRequest",
  description:
    "The assumptions of a campaign. Rates are percentages from 0 to 100, not fractions. The camelCase spellings of the " +
    "first seven fields (emailsSent, replyRate, …) are accepted too; a field that is not listed here is an error. A number " +
    "has at most 40 decimal places.",
  examples: [exampleRequest]
})

const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** The alternative spellings of fields, each with the canonical name. */
export const aliases = new Map(Object.keys(exampleRequest).map((name) => [camelCase(name), name]))

/** The error of a history that no rate of the request can be learned from. */
export const nothingToLearn: FieldError = {
  pointer: "/history",
  code: "required",
  message:
    "has nothing to learn from: a rate between 0 and 100 needs a past campaign with both of its counts, such as emails_sent and replies"
}

export const checkHistory = (assumptions: Assumptions): ReadonlyArray<FieldError> =>
  assumptions.history === undefined || learnsFrom(assumptions, assumptions.history).length > 0 ? [] : [nothingToLearn]

/** Checks fields against each other; each is valid by itself. */
export const checkTogether = (assumptions: Assumptions): ReadonlyArray<FieldError> => [
  ...checkContacts(assumptions),
  ...checkHistory(assumptions)
]

/**
 * Decodes assumptions, in snake_case or camelCase, from a JSON object. Fails with InvalidInput, which lists every
 * error.
 */
export const decodeAssumptions: (json: unknown) => Result.Result<Assumptions, InvalidInput> = decodeFields(
  Assumptions,
  { aliases, unknown: unknownFieldAdvice, checkTogether }
)
