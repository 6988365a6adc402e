import { BigDecimal, Predicate, Result, Schema, Struct } from "effect"
import { decodeFields } from "../../input/decodeFields.ts"
import { type FieldError, type InvalidInput, invalidInput, maxErrors } from "../../input/InvalidInput.ts"
import { optional } from "../../input/Schemas.ts"
import { summariesAmong } from "../../campaign/Summaries.ts"
import { aliases, Assumptions, contactsCheck } from "../../campaign/Assumptions.ts"
import { rateNames } from "../../campaign/Rates.ts"
import { exampleRequest } from "../../campaign/Fields.ts"
import type { Campaign as Forecastable } from "../../forecast/Campaign.ts"
import { PastCampaigns } from "../../campaign/PastCampaigns.ts"
import { namingAdvice, unknownFieldAdvice } from "../../campaign/UnknownFields.ts"
import { integer } from "../../text/Figures.ts"

/** The most campaigns that one request may have. */
export const maxCampaigns = 1000

const CampaignName = Schema.String.check(
  Schema.isMinLength(1, { code: "invalid_format", message: "must not be empty; leave it out or send a name" }),
  Schema.isMaxCodePoints(200, { code: "invalid_format", message: "must have at most 200 characters" }),
  // oxlint-disable-next-line no-control-regex -- Postgres cannot store NUL, and a CSV record must stay on one line.
  Schema.isPattern(/^[^\u0000-\u001f\u007f-\u009f]*$/u, {
    code: "invalid_format",
    message: "must not contain line breaks, tabs or other control characters"
  })
).annotate({
  description: "The name of the campaign in the answer, 1 to 200 characters. No two campaigns may have the same name.",
  examples: ["Agencies"]
})

/** The fields of a campaign among many: a history belongs to all of them. */
export const campaignFields = Struct.omit(Assumptions.fields, ["history"])

const exampleCampaigns = [
  { name: "Agencies", ...exampleRequest },
  { name: "Shops", ...exampleRequest, emails_sent: 500 }
] as const

const Campaign = Schema.Struct({ name: optional(CampaignName), ...campaignFields })
  .check(contactsCheck)
  .pipe(
    Schema.annotateEncoded({
      identifier: "Campaign",
      description: "The assumptions of a campaign, as POST /api/v1/forecast takes them, and a name.",
      examples: [exampleCampaigns[0]]
    })
  )

/** One campaign among many, with its name if it has one. */
export type ListedCampaign = typeof Campaign.Type & Pick<Forecastable, "learned">

/** The same, decoded, so that the answer to the example request can be computed. */
export const exampleListedCampaign = Schema.decodeSync(Schema.Array(Campaign))(exampleCampaigns)

/** The fields of a request besides its campaigns. */
export const CampaignsContext = Schema.Struct({
  history: optional(PastCampaigns),
  independent: optional(
    Schema.Boolean.annotate({
      description:
        "true for the campaigns of different clients, which have nothing in common. By default they are one sender's: if " +
        "the reply rate of one is lower than planned, so are those of the others, as far as reply rates vary as published. " +
        "It changes totals and ranking only. Not with a history, which is one sender's.",
      examples: [true]
    })
  )
})

/** The campaigns of a request, and the history that the rates of all of them are learned from. */
export const CampaignsRequest = Schema.Struct({
  campaigns: Schema.Array(Campaign)
    .check(Schema.isMinLength(1), Schema.isMaxLength(maxCampaigns))
    .pipe(Schema.annotateEncoded({ description: "The campaigns, 1 to 1,000.", examples: [exampleCampaigns] })),
  ...CampaignsContext.fields
}).pipe(
  Schema.annotateEncoded({
    identifier: "CampaignsRequest",
    description:
      "Campaigns to be forecast together, with or without names, and the history that their rates are learned from, if you " +
      "have one. With a history, the campaigns may have at most 20 distinct sets of rates, and each set is learned once. A " +
      "field that is not listed here is an error.",
    examples: [{ campaigns: exampleCampaigns }]
  })
)
export type ReadCampaigns = typeof CampaignsRequest.Type

/** Decodes one campaign among many. Fails with InvalidInput, which lists every error. */
const decodeCampaign = decodeFields(Campaign, {
  aliases,
  unknown: (name, within, value) => {
    if (name === "history") return "a history is for the whole request: send JSON and put it next to campaigns"
    if (name === "independent") return "it is for the whole request: send JSON and put it next to campaigns"
    return namingAdvice(name) ?? unknownFieldAdvice(name, within, value)
  }
})

/** The name and the emails of a campaign that may have errors. */
const namedEmails = (json: unknown) => {
  const { emailsSent, emails_sent = emailsSent, name } = Predicate.isObject(json) ? json : {}
  return {
    name: Predicate.isString(name) ? name : undefined,
    emails: Predicate.isNumber(emails_sent) ? emails_sent : 0
  }
}

/** The pointer to a campaign in the request. */
export const pointerTo = (index: number): string => `/campaigns/${index}`

/** Campaigns read from a request but not decoded yet, and the errors found while reading, and how many more there are. */
interface UndecodedCampaigns {
  readonly campaigns: ReadonlyArray<unknown>
  readonly errors: ReadonlyArray<FieldError>
  readonly more?: number
  /** Rewords an error in a campaign; undefined if it has been reported already. */
  readonly describe?: (error: FieldError, index: number) => FieldError | undefined
  /** The name of a campaign's position in messages to the caller: by default its pointer. */
  readonly placeOf?: (index: number) => string
}

/**
 * Decodes campaigns. Fails with InvalidInput, which lists up to 50 errors: invalid fields, the number of campaigns,
 * duplicate names, and totals and averages of the others, which would count twice. Campaigns after these errors are
 * counted, but not decoded.
 */
export const decodeCampaigns = ({
  campaigns,
  describe = (error) => error,
  placeOf = pointerTo,
  ...given
}: UndecodedCampaigns): Result.Result<ReadonlyArray<ListedCampaign>, InvalidInput> => {
  const errors = [...given.errors]
  let more = given.more ?? 0
  const decoded: Array<ListedCampaign> = []
  const indexByName = new Map<string, number>()
  const report = (error: FieldError, index: number) => {
    const pointer = `${pointerTo(index)}${error.pointer}`
    const described = describe({ ...error, pointer }, index)
    if (described !== undefined) errors.push(described)
  }
  const summaries = summariesAmong(campaigns.map(namedEmails))
  for (const [index, json] of campaigns.entries()) {
    if (errors.length >= maxErrors) {
      more += campaigns.length - index
      break
    }
    const summary = summaries[index]
    if (summary !== undefined) {
      report({ pointer: "", code: "invalid_format", message: `is the ${summary} of the others; leave it out` }, index)
    }
    const result = decodeCampaign(json)
    if (Result.isSuccess(result)) decoded.push(result.success)
    else {
      for (const error of result.failure.errors) report(error, index)
      more += result.failure.more ?? 0
    }
    const name = Predicate.hasProperty(json, "name") ? json.name : undefined
    const place = Predicate.isString(name) ? indexByName.get(name) : undefined
    if (place !== undefined) {
      const message = `is also the name of ${placeOf(place)}; give each campaign a name of its own, or none`
      report({ pointer: "/name", code: "duplicate_field", message }, index)
    } else if (Predicate.isString(name)) indexByName.set(name, index)
  }
  return errors.length > 0 ? Result.fail(invalidInput(errors, more)) : Result.succeed(decoded)
}

/** An error if there are too few or too many campaigns. */
export const wrongCount = (count: number): FieldError | undefined =>
  count >= 1 && count <= maxCampaigns
    ? undefined
    : {
        pointer: "/campaigns",
        code: "out_of_range",
        message: `must have 1 to 1,000 campaigns, not ${integer(count)}`
      }

/** Campaigns by their rates: the first one with each set of rates, and the place of each campaign's set among these. */
interface DistinctRates {
  readonly firsts: ReadonlyArray<ListedCampaign>
  readonly setOf: ReadonlyArray<number>
}

const ratesKey = (campaign: ListedCampaign): string =>
  rateNames.map((name) => BigDecimal.format(campaign[name] ?? BigDecimal.make(-1n, 0))).join(" ")

/** Groups campaigns that learn the same from a history: those with the same rates, and the same rates left out. */
export const distinctRates = (campaigns: ReadonlyArray<ListedCampaign>): DistinctRates => {
  const known = new Map<string, number>()
  const firsts: Array<ListedCampaign> = []
  const setOf = campaigns.map((campaign) => {
    const rates = ratesKey(campaign)
    const place = known.get(rates) ?? firsts.push(campaign) - 1
    known.set(rates, place)
    return place
  })
  return { firsts, setOf }
}
