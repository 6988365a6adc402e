import { Predicate, Result, Schema } from "effect"
import { CampaignList, listFrom } from "../forecast/list/CampaignList.ts"
import { bodyLimit, historyLimit } from "../http/RequestBody.ts"
import { PayloadTooLarge } from "../http/problems/HttpFailures.ts"
import { decodeFields } from "../input/decodeFields.ts"
import { InvalidInput, maxErrors } from "../input/InvalidInput.ts"
import { decodeParsed, type ParsedJson } from "../input/parseJson.ts"
import { decodeMetered, MeteredRequest } from "../metering/MeteredRequest.ts"
import { Detail } from "./CampaignsBrief.ts"

/** The largest arguments of each tool that costs credits, in KiB. */
const limits = {
  forecast: historyLimit,
  compare_campaigns: 1024,
  reach_goal: historyLimit,
  campaign_progress: historyLimit
}

/** A tool that costs credits. */
export type ChargedTool = keyof typeof limits

const kinds = { forecast: "forecast", reach_goal: "goal", campaign_progress: "progress" } as const

/** A list of campaigns to compare; `detail` if the whole forecast of each is wanted. */
const Comparison = Schema.Struct({ ...CampaignList.fields, detail: Schema.Boolean })
export type Comparison = typeof Comparison.Type

const errorsIn = (decoded: Result.Result<unknown, InvalidInput>) =>
  Result.isFailure(decoded) ? decoded.failure.errors : []

const decodeDetail = decodeFields(Detail)

/** Reads the arguments of `compare_campaigns`: the body of its endpoint, and `detail`. */
const readComparison = (json: unknown): Result.Result<Comparison, InvalidInput> => {
  const { detail: given, ...body } = Predicate.isObject(json) ? { ...json } : {}
  const detail = decodeDetail(given === undefined ? {} : { detail: given })
  const list = listFrom(Predicate.isObject(json) ? body : json)
  if (Result.isSuccess(detail) && Result.isSuccess(list)) {
    return Result.succeed({ ...list.success, detail: detail.success.detail ?? false })
  }
  return Result.fail(new InvalidInput({ errors: [...errorsIn(detail), ...errorsIn(list)].slice(0, maxErrors) }))
}

/** Reads the arguments of a tool. Fails with InvalidInput, which lists every error. */
export const readArguments = (
  tool: ChargedTool,
  given: ParsedJson
): Result.Result<MeteredRequest | Comparison, InvalidInput> =>
  decodeParsed(given, (json): ReturnType<typeof readArguments> =>
    tool === "compare_campaigns" ? readComparison(json) : decodeMetered(kinds[tool], json)
  )

/** The arguments of a tool in a long message, as a worker has read them. */
export const LongArguments = Schema.Struct({
  read: Schema.Result(Schema.Union([MeteredRequest, Comparison]), Schema.Union([InvalidInput, PayloadTooLarge]))
})

const isCharged = (tool: unknown): tool is ChargedTool => Predicate.isString(tool) && Object.hasOwn(limits, tool)

/** Reads arguments of a size in bytes. Fails with PayloadTooLarge, or with InvalidInput, which lists every error. */
export const readLong = (tool: unknown, given: ParsedJson, size: number): (typeof LongArguments.Type)["read"] => {
  const limit = isCharged(tool) ? limits[tool] : bodyLimit
  if (!isCharged(tool) || size > limit * 1024) return Result.fail(new PayloadTooLarge({ limit }))
  return readArguments(tool, given)
}
