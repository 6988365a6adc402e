import { Predicate, Result } from "effect"
import { type ExactJson, NumberLiteral, parseBody, parseExactJson } from "../input/ExactJson.ts"
import { type FieldError, InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { splitList } from "../input/JsonList.ts"
import { aliases, Assumptions } from "./Assumptions.ts"
import { decodeCampaigns, mostCampaigns, type NamedAssumptions, pointerTo, wrongCount } from "./Campaigns.ts"

/** The longest text of a campaign, and of what stands outside the campaigns, in characters. */
const longestText = 16 * 1024

const isOfCampaign = (name: string) => name === "name" || Object.hasOwn(Assumptions.fields, name) || aliases.has(name)

const unknownField = (name: string): FieldError => ({
  pointer: `/${name.slice(0, 100)}`,
  code: "unknown_field",
  message: isOfCampaign(name)
    ? "belongs to a campaign: put it into one of campaigns"
    : "is not a known field; the only one is campaigns, an array"
})

const wrong = (pointer: string, code: FieldError["code"], message: string) =>
  Result.fail(new InvalidInput({ errors: [{ pointer, code, message }] }))

/** What is wrong with the object around the campaigns. */
const outerErrors = ({ duplicates }: ExactJson, fields: object): ReadonlyArray<FieldError> => [
  ...duplicates.map((pointer) => ({
    pointer,
    code: "duplicate_field" as const,
    message: "is given more than once; keep one"
  })),
  ...Object.keys(fields)
    .filter((name) => name !== "campaigns")
    .slice(0, 50)
    .map(unknownField)
]

/**
 * Reads campaigns from a JSON text, `{"campaigns": […]}`. Fails with MalformedJson where it is not JSON, and with
 * InvalidInput, listing every error.
 */
export const readCampaignsJson = (
  text: string
): Result.Result<ReadonlyArray<NamedAssumptions>, InvalidInput | MalformedJson> => {
  const { count, isOpen, items, ...split } = splitList(text, "campaigns", mostCampaigns)
  const rest = split.rest.trim()
  if (isOpen) return Result.fail(new MalformedJson({ reason: "The text ends within the list of campaigns" }))
  if (rest.length > longestText) return wrong("", "out_of_range", "must have at most 16 KiB beside its campaigns")
  const outer = parseBody(rest)
  if (Result.isFailure(outer)) return Result.fail(outer.failure)
  const { value } = outer.success
  if (!Predicate.isObject(value) || value instanceof NumberLiteral || Array.isArray(value)) {
    return wrong("", "wrong_type", 'must be a JSON object, like {"campaigns": [{"emails_sent": 5000, …}]}')
  }
  const errors = [...outerErrors(outer.success, value)]
  if (items === undefined) {
    const given = Predicate.hasProperty(value, "campaigns") ? value.campaigns : null
    errors.unshift(
      given === null
        ? { pointer: "/campaigns", code: "required", message: "is required" }
        : { pointer: "/campaigns", code: "wrong_type", message: "must be an array of campaigns" }
    )
    return Result.fail(new InvalidInput({ errors }))
  }
  const tooFewOrMany = wrongCount(count)
  if (tooFewOrMany !== undefined) {
    return Result.fail(new InvalidInput({ errors: [...tooFewOrMany.errors, ...errors] }))
  }
  const campaigns: Array<ExactJson> = []
  for (const [index, item] of items.entries()) {
    if (item.trim().length > longestText) return wrong(pointerTo(index), "out_of_range", "must have at most 16 KiB")
    const parsed = parseExactJson(item)
    if (Result.isFailure(parsed)) {
      return Result.fail(new MalformedJson({ reason: `${parsed.failure.reason} of ${pointerTo(index)}` }))
    }
    campaigns.push(parsed.success)
  }
  return decodeCampaigns({ campaigns, errors })
}
