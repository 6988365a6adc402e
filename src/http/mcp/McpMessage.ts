import { Predicate, Result, Schema } from "effect"
import { InvalidInput, MalformedJson } from "../../input/InvalidInput.ts"
import { jsonMembers } from "../../input/JsonMembers.ts"

/** A message of the protocol: a request or a notification (JSON-RPC 2.0). */
export const McpMessage = Schema.Struct({
  /** Undefined for a notification, which gets no answer. */
  id: Schema.UndefinedOr(Schema.Union([Schema.String, Schema.Int])),
  method: Schema.String,
  /** The parameters except the arguments of a tool. */
  params: Schema.Record(Schema.String, Schema.Unknown),
  /** The text of the arguments of a tool: a JSON value, exact to the last digit, and not parsed yet. */
  toolArguments: Schema.String
})
export type McpMessage = typeof McpMessage.Type

/** The longest text outside the arguments of a tool, in characters. */
export const longestText = 16 * 1024

const wrong = (pointer: string, message: string) =>
  Result.fail(new InvalidInput({ errors: [{ pointer, code: "invalid_format", message }] }))

const parse = (text: string): Result.Result<unknown, MalformedJson> =>
  Result.try({
    try: (): unknown => JSON.parse(text),
    catch: (error) => new MalformedJson({ reason: String(error).slice(0, 200) })
  })

const parseAll = (members: ReadonlyMap<string, string>) =>
  Result.map(
    Result.all([...members].map(([name, text]) => Result.map(parse(text), (value) => [name, value] as const))),
    (values) => Object.fromEntries<unknown>(values)
  )

const isId = (id: unknown): id is McpMessage["id"] =>
  id === undefined || Predicate.isString(id) || (Predicate.isNumber(id) && Number.isSafeInteger(id))

/**
 * Reads a message from a JSON text. Undefined for an answer to a request, which the service never sends. Fails with
 * MalformedJson, or with InvalidInput where it is no message.
 */
export const readMessage = (text: string): Result.Result<McpMessage | undefined, InvalidInput | MalformedJson> =>
  Result.gen(function* () {
    const outer = jsonMembers(text)
    if (outer === undefined) {
      if (text.length <= longestText) yield* parse(text)
      return yield* wrong("", "must be one JSON-RPC message: a JSON object, not a list of them")
    }
    const { params = "{}", ...rest } = Object.fromEntries(outer)
    const parameters = new Map(jsonMembers(params))
    const toolArguments = parameters.get("arguments") ?? "{}"
    parameters.delete("arguments")
    if (text.length - toolArguments.length > longestText) {
      return yield* wrong("", "must have at most 16 KiB besides the arguments of a tool")
    }
    if (jsonMembers(params) === undefined) return yield* wrong("/params", "must be a JSON object")
    const { id, jsonrpc, method } = yield* parseAll(new Map(Object.entries(rest)))
    if (jsonrpc !== "2.0") return yield* wrong("/jsonrpc", 'must be "2.0"')
    if (method === undefined) return undefined
    if (!Predicate.isString(method)) return yield* wrong("/method", "must be a string")
    if (!isId(id)) return yield* wrong("/id", "must be a string or an integer")
    return { id, method, params: yield* parseAll(parameters), toolArguments }
  })
