import { Predicate, Result } from "effect"
import {
  type FieldError,
  type InvalidInput,
  invalidInput,
  type MalformedJson,
  maxErrors,
  pointerTo
} from "../../input/InvalidInput.ts"
import { decodeFields, wrongKind } from "../../input/decodeFields.ts"
import { decodeParsed, parseJson } from "../../input/parseJson.ts"
import { learnsFrom } from "../../campaign/PastCampaigns.ts"
import { aliases, nothingToLearn } from "../../campaign/Assumptions.ts"
import { unknownFieldAdvice } from "../../campaign/UnknownFields.ts"
import {
  campaignFields,
  CampaignsContext,
  decodeCampaigns,
  distinctRates,
  type ReadCampaigns,
  wrongCount
} from "./Campaigns.ts"

const isOfCampaign = (name: string) => name === "name" || Object.hasOwn(campaignFields, name) || aliases.has(name)

const unknownField = (name: string): FieldError => ({
  pointer: pointerTo(name),
  code: "unknown_field",
  message: isOfCampaign(name)
    ? "is a field of a campaign: put it into an item of campaigns"
    : "is not a known field; the fields are campaigns and history, both arrays, and independent, true or false"
})

const decodeContext = decodeFields(CampaignsContext, { unknown: unknownFieldAdvice })

/** The most distinct sets of rates that can be learned from a history in one request. */
const maxLessons = 20

/** Checks a history against the campaigns whose rates are learned from it. */
const checkLessons = ({ campaigns, history, independent }: ReadCampaigns): FieldError | undefined => {
  if (history === undefined) return undefined
  if (independent === true) {
    return {
      pointer: "/independent",
      code: "invalid_format",
      message:
        "cannot be true with a history, which is one sender's; leave it out, or send the campaigns of each client in a request " +
        "of their own, with that client's history"
    }
  }
  const { firsts } = distinctRates(campaigns)
  if (firsts.length > maxLessons) {
    return {
      pointer: "/history",
      code: "out_of_range",
      message:
        `may be used with at most ${maxLessons} distinct sets of rates, but these campaigns have ` +
        `${firsts.length}; send them in several requests`
    }
  }
  return firsts.some((campaign) => learnsFrom(campaign, history).length > 0)
    ? undefined
    : nothingToLearn(firsts[0] ?? {})
}

/** Decodes campaigns from a JSON object. Fails with InvalidInput, listing every error. */
const decodeList = (body: unknown): Result.Result<ReadCampaigns, InvalidInput> => {
  let more = 0
  const fail = (...errors: ReadonlyArray<FieldError>) => Result.fail(invalidInput(errors, more))
  if (!Predicate.isObject(body)) {
    const message = 'must be a JSON object, like {"campaigns": [{"emails_sent": 5000, …}]}'
    return fail({ pointer: "", code: "wrong_type", message })
  }
  const { campaigns = null, history, independent, ...others } = body
  const context = decodeContext({
    ...(history !== undefined && { history }),
    ...(independent !== undefined && { independent })
  })
  const unknown = Object.keys(others)
  more += Math.max(0, unknown.length - maxErrors) + (Result.isFailure(context) ? (context.failure.more ?? 0) : 0)
  const errors = [
    ...unknown.slice(0, maxErrors).map(unknownField),
    ...(Result.isFailure(context) ? context.failure.errors : [])
  ]
  if (campaigns === null) return fail({ pointer: "/campaigns", code: "required", message: "is required" }, ...errors)
  if (!Array.isArray(campaigns)) {
    return fail(
      { pointer: "/campaigns", code: "wrong_type", message: wrongKind("an array of campaigns", campaigns) },
      ...errors
    )
  }
  const tooFewOrMany = wrongCount(campaigns.length)
  if (tooFewOrMany !== undefined) return fail(tooFewOrMany, ...errors)
  return Result.gen(function* () {
    const listed = yield* decodeCampaigns({ campaigns, errors, more })
    const { history, independent } = yield* context
    // What is the default is left out, so that it is the same request.
    const read = {
      campaigns: listed,
      ...(history !== undefined && { history }),
      ...(independent === true && { independent })
    }
    const wrong = checkLessons(read)
    return wrong === undefined ? read : yield* fail(wrong)
  })
}

/**
 * Reads campaigns from a JSON text, `{"campaigns": […], "history": […], "independent": true}`. Fails with MalformedJson if it is not JSON,
 * and with InvalidInput, which lists every error, after those that are known already.
 */
export const readCampaignsJson = (
  text: string,
  known: ReadonlyArray<FieldError> = []
): Result.Result<ReadCampaigns, InvalidInput | MalformedJson> =>
  Result.flatMap(parseJson(text), (parsed) =>
    decodeParsed({ ...parsed, errors: [...known, ...parsed.errors] }, decodeList)
  )
