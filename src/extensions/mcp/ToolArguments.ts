import { Predicate, Record, Result, Schema } from "effect"
import { decodeBenchmarksRequest } from "../benchmarks/MeasureBenchmarks.ts"
import { bodyLimit } from "../../http/RequestBody.ts"
import { PayloadTooLarge } from "../../http/problems/HttpFailures.ts"
import { decodeFields } from "../../input/decodeFields.ts"
import { FieldError, InvalidInput, maxErrors, pointerTo } from "../../input/InvalidInput.ts"
import { decodeParsed, type ParsedJson } from "../../input/parseJson.ts"
import { listOperation, operations } from "./paidOperations.ts"
import { Detail } from "./CampaignsBrief.ts"

/**
 * The arguments of a tool as they were sent, or why they are refused. Those of a long list are the text of its
 * endpoint's body, `list`, and the rest.
 */
export const ToolArguments = Schema.Result(
  Schema.Struct({
    json: Schema.Unknown,
    errors: Schema.Array(FieldError),
    list: Schema.optionalKey(Schema.String)
  }),
  Schema.Union([InvalidInput, PayloadTooLarge])
)
export type ToolArguments = typeof ToolArguments.Type

/** Names that clients add to arguments on their own. No tool has an argument with one of them. */
const addedByClients = ["toolCallId", "sessionId", "action", "chatInput", "tool", "random_string"]

/** Arguments without those that clients add on their own, and without the errors in these. */
export const withoutAdded = ({ errors, json }: ParsedJson): ParsedJson => {
  if (!Predicate.isObject(json) || !addedByClients.some((name) => Object.hasOwn(json, name))) return { errors, json }
  return {
    json: Record.filter({ ...json }, (_, name) => !addedByClients.includes(name)),
    errors: errors.filter(({ pointer }) => !addedByClients.includes(pointer.split("/")[1] ?? ""))
  }
}

// Schemas without fields accept any.
export const decodeNothing = decodeFields(Schema.Struct({}), {
  check: (fields) =>
    Object.keys(fields).map((name) => ({
      pointer: pointerTo(name),
      code: "unknown_field",
      message: "is not a known field; this tool takes no arguments"
    }))
})

/** The operations with one answer that agents can call. */
export const toolOperations = Object.values(operations).flatMap((operation) =>
  operation.tool === undefined ? [] : [{ operation, tool: operation.tool }]
)

type Decode = (json: unknown) => Result.Result<unknown, InvalidInput>

/** The largest arguments of each tool, in KiB, and their decoder; those of a list are decoded while it is forecast. */
const readings = new Map<unknown, { readonly limit: number; readonly decode?: Decode }>([
  ...toolOperations.map(({ operation, tool }) => [tool.name, operation] as const),
  [listOperation.tool.name, listOperation],
  ["benchmarks", { limit: bodyLimit, decode: decodeBenchmarksRequest }],
  ["usage", { limit: bodyLimit, decode: decodeNothing }]
])

const decodeDetail = decodeFields(Detail)

const tooDeep: FieldError = { pointer: "", code: "invalid_format", message: "is nested too deeply" }

/** Separates the body of a list from `detail`, unless that has been done. */
const separateList = ({ errors, json, list }: ParsedJson & { readonly list?: string }) => {
  if (list !== undefined) return { list, json, errors }
  const { detail, ...body } = Predicate.isObject(json) ? { ...json } : {}
  const rest = detail === undefined ? {} : { detail }
  return Result.match(
    Result.try(() => JSON.stringify(Predicate.isObject(json) ? body : json)),
    {
      onSuccess: (list) => ({ list, json: rest, errors }),
      onFailure: () => ({ list: "{}", json: rest, errors: [...errors, tooDeep] })
    }
  )
}

/** Separates a list, and decodes `detail`: it may be anything, of any size. */
const prepareList = (given: ParsedJson): Result.Result.Success<ToolArguments> => {
  const { errors, json, list } = separateList(given)
  return Result.match(decodeDetail(json), {
    onSuccess: ({ detail }) => ({ list, json: detail === undefined ? {} : { detail }, errors }),
    onFailure: (failure) => ({ list, json: {}, errors: [...errors, ...failure.errors].slice(0, maxErrors) })
  })
}

/** Prepares the arguments of a long message, of a size in bytes, for the event loop: refused, few, or text. */
export const prepareLong = (tool: unknown, given: ParsedJson, size: number): ToolArguments => {
  const reading = readings.get(tool)
  if (reading === undefined) return Result.succeed({ json: {}, errors: [] })
  const { decode, limit } = reading
  if (size > limit * 1024) return Result.fail(new PayloadTooLarge({ limit }))
  return decode === undefined
    ? Result.succeed(prepareList(given))
    : Result.map(decodeParsed(given, decode), () => given)
}

/** Decodes arguments that are not a list. Fails with PayloadTooLarge, or with InvalidInput, which lists every error. */
export const readArguments = <A>(
  given: ToolArguments,
  decode: (json: unknown) => Result.Result<A, InvalidInput>
): Result.Result<A, InvalidInput | PayloadTooLarge> => Result.flatMap(given, (parsed) => decodeParsed(parsed, decode))

/** A list of campaigns to compare, as text; `detail` if the whole forecast of each is wanted. */
interface Comparison {
  readonly text: string
  readonly detail: boolean
  /** The errors of the arguments that the text does not have. */
  readonly errors: ReadonlyArray<FieldError>
}

/** Reads the arguments of `compare_campaigns`. Fails with PayloadTooLarge. */
export const readComparison = (given: ToolArguments): Result.Result<Comparison, InvalidInput | PayloadTooLarge> =>
  Result.map(given, (parsed) => {
    const { errors, json, list: text } = separateList(parsed)
    return Result.match(decodeDetail(json), {
      onSuccess: ({ detail = false }) => ({ text, errors, detail }),
      onFailure: (failure) => ({ text, errors: [...errors, ...failure.errors], detail: false })
    })
  })
