import { Predicate, Result, Schema } from "effect"
import { bodyLimit } from "../http/RequestBody.ts"
import { PayloadTooLarge } from "../http/problems/HttpFailures.ts"
import { decodeFields } from "../input/decodeFields.ts"
import { FieldError, type InvalidInput } from "../input/InvalidInput.ts"
import { decodeParsed, type ParsedJson } from "../input/parseJson.ts"
import { listOperation, operations } from "../metering/Operations.ts"
import { Detail } from "./CampaignsBrief.ts"

const listTool = listOperation.tool.name

/** The largest arguments of a tool, in KiB. */
const limitOf = (name: unknown): number =>
  [listOperation, ...Object.values(operations)].find(({ tool }) => tool?.name === name)?.limit ?? bodyLimit

/** Arguments with a list: the text of the body of its endpoint, and `detail`. */
const ListArguments = Schema.Struct({
  text: Schema.String,
  detail: Schema.Unknown,
  errors: Schema.Array(FieldError)
})

const tooDeep: FieldError = { pointer: "", code: "invalid_format", message: "is nested too deeply" }

const listArguments = ({ errors, json }: ParsedJson): typeof ListArguments.Type => {
  const { detail, ...body } = Predicate.isObject(json) ? { ...json } : {}
  return Result.match(
    Result.try(() => JSON.stringify(Predicate.isObject(json) ? body : json)),
    {
      onSuccess: (text) => ({ text, detail, errors }),
      onFailure: () => ({ text: "{}", detail, errors: [...errors, tooDeep] })
    }
  )
}

/** The arguments of a tool: parsed, a list as text, or larger than so many KiB. */
export const ToolArguments = Schema.Union([
  Schema.Struct({ json: Schema.Unknown, errors: Schema.Array(FieldError) }),
  ListArguments,
  Schema.Struct({ limit: Schema.Int })
])
export type ToolArguments = typeof ToolArguments.Type

/** Prepares the arguments of a long message, of a size in bytes, for the event loop. */
export const longArguments = (tool: unknown, given: ParsedJson, size: number): ToolArguments => {
  const limit = limitOf(tool)
  if (size > limit * 1024) return { limit }
  return tool === listTool ? listArguments(given) : given
}

/** Decodes arguments that are not a list. Fails with PayloadTooLarge, or with InvalidInput, which lists every error. */
export const readArguments = <A>(
  given: ToolArguments,
  decode: (json: unknown) => Result.Result<A, InvalidInput>
): Result.Result<A, InvalidInput | PayloadTooLarge> =>
  "json" in given
    ? decodeParsed(given, decode)
    : Result.fail(new PayloadTooLarge({ limit: "limit" in given ? given.limit : bodyLimit }))

/** A list of campaigns to compare, as text; `detail` if the whole forecast of each is wanted. */
interface Comparison {
  readonly text: string
  readonly detail: boolean
  /** The errors of the arguments that the text does not have. */
  readonly errors: ReadonlyArray<FieldError>
}

const decodeDetail = decodeFields(Detail)

/** Reads the arguments of `compare_campaigns`. Fails with PayloadTooLarge. */
export const readComparison = (given: ToolArguments): Result.Result<Comparison, PayloadTooLarge> => {
  if ("limit" in given) return Result.fail(new PayloadTooLarge(given))
  const { detail: wanted, errors, text } = "json" in given ? listArguments(given) : given
  const detail = decodeDetail(wanted === undefined ? {} : { detail: wanted })
  return Result.succeed(
    Result.isSuccess(detail)
      ? { text, errors, detail: detail.success.detail ?? false }
      : { text, errors: [...errors, ...detail.failure.errors], detail: false }
  )
}
