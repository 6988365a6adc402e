import { Predicate, Result, Schema } from "effect"
import { exactText, NumberLiteral, parseExactJson } from "../input/ExactJson.ts"
import { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { isLong } from "../http/RequestBody.ts"
import { computation } from "../workers/Computation.ts"
import { LongArguments, readLong } from "./ToolArguments.ts"

/** A message of the protocol: a request or a notification (JSON-RPC 2.0). */
export const McpMessage = Schema.Struct({
  /** Undefined for a notification, which gets no response. */
  id: Schema.UndefinedOr(Schema.Union([Schema.String, Schema.Int])),
  method: Schema.String,
  /** The parameters except the arguments of a tool. */
  params: Schema.Record(Schema.String, Schema.Unknown),
  /** The arguments of a tool, exact to the last digit: as JSON, or decoded if the message is long. */
  toolArguments: Schema.Union([Schema.Struct({ json: Schema.Unknown }), LongArguments])
})
export type McpMessage = typeof McpMessage.Type

/** The longest text outside the arguments of a tool, in characters. */
const longestEnvelope = 16 * 1024

const unknown = Schema.optionalKey(Schema.Unknown)
const params = Schema.Record(Schema.String, Schema.Unknown)
const decodeEnvelope = Schema.decodeSync(
  Schema.fromJsonString(Schema.Struct({ id: unknown, jsonrpc: unknown, method: unknown, params }))
)

const wrong = (pointer: string, message: string) =>
  Result.fail(new InvalidInput({ errors: [{ pointer, code: "invalid_format", message }] }))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !(value instanceof NumberLiteral)

const isId = (id: unknown): id is McpMessage["id"] =>
  id === undefined || Predicate.isString(id) || (Predicate.isNumber(id) && Number.isSafeInteger(id))

/**
 * Reads a message from a JSON text. Undefined for a response, because the service never sends requests. Fails with
 * MalformedJson, or with InvalidInput if it is not a message.
 */
export const readMessage = (text: string): Result.Result<McpMessage | undefined, InvalidInput | MalformedJson> =>
  Result.gen(function* () {
    const message = yield* parseExactJson(text)
    if (!isObject(message)) return yield* wrong("", "must be one JSON-RPC message: a JSON object, not a list of them")
    const { params: given = {}, ...outer } = message
    if (!isObject(given)) return yield* wrong("/params", "must be a JSON object")
    const { arguments: json = {}, ...parameters } = given
    const envelope = yield* exactText({ ...outer, params: parameters })
    if (envelope.length > longestEnvelope) {
      return yield* wrong("", "must have at most 16 KiB besides the arguments of a tool")
    }
    // Only the arguments need more digits than a double has.
    const { id, jsonrpc, method, params } = decodeEnvelope(envelope)
    if (jsonrpc !== "2.0") return yield* wrong("/jsonrpc", 'must be "2.0"')
    if (method === undefined) return undefined
    if (!Predicate.isString(method)) return yield* wrong("/method", "must be a string")
    if (!isId(id)) return yield* wrong("/id", "must be a string or an integer")
    if (!isLong(text)) return { id, method, params, toolArguments: { json } }
    const size = Buffer.byteLength(text) - Buffer.byteLength(envelope)
    return { id, method, params, toolArguments: { read: readLong(params["name"], json, size) } }
  })

/** `readMessage` for a long message. */
export const messageReading = computation(
  "read a message",
  {
    input: Schema.String,
    success: Schema.UndefinedOr(McpMessage),
    error: Schema.Union([InvalidInput, MalformedJson])
  },
  readMessage
)
