import { Predicate, Result } from "effect"
import { NumberLiteral, parseBody } from "../input/ExactJson.ts"
import { type FieldError, InvalidInput, type MalformedJson } from "../input/InvalidInput.ts"
import { aliases } from "./Assumptions.ts"
import { campaignFields, decodeCampaigns, type NamedAssumptions, wrongCount } from "./Campaigns.ts"

const isOfCampaign = (name: string) => name === "name" || Object.hasOwn(campaignFields, name) || aliases.has(name)

const unknownField = (name: string): FieldError => ({
  pointer: `/${name.slice(0, 100)}`,
  code: "unknown_field",
  message: isOfCampaign(name)
    ? "belongs to a campaign: put it into one of campaigns"
    : "is not a known field; the only one is campaigns, an array"
})

/** Decodes the object with the campaigns. */
const decode = (body: unknown): Result.Result<ReadonlyArray<NamedAssumptions>, InvalidInput> => {
  const fail = (...errors: ReadonlyArray<FieldError>) => Result.fail(new InvalidInput({ errors }))
  if (!Predicate.isObject(body) || body instanceof NumberLiteral) {
    const message = 'must be a JSON object, like {"campaigns": [{"emails_sent": 5000, …}]}'
    return fail({ pointer: "", code: "wrong_type", message })
  }
  const { campaigns = null, ...others } = body
  const errors = Object.keys(others).slice(0, 50).map(unknownField)
  if (campaigns === null) return fail({ pointer: "/campaigns", code: "required", message: "is required" }, ...errors)
  if (!Array.isArray(campaigns)) {
    return fail({ pointer: "/campaigns", code: "wrong_type", message: "must be an array of campaigns" }, ...errors)
  }
  const tooFewOrMany = wrongCount(campaigns.length)
  return tooFewOrMany === undefined ? decodeCampaigns({ campaigns, errors }) : fail(...tooFewOrMany.errors, ...errors)
}

/**
 * Reads campaigns from a JSON text, `{"campaigns": […]}`. Fails with MalformedJson where it is not JSON, and with
 * InvalidInput, listing every error.
 */
export const readCampaignsJson = (
  text: string
): Result.Result<ReadonlyArray<NamedAssumptions>, InvalidInput | MalformedJson> =>
  Result.flatMap(parseBody(text), decode)
