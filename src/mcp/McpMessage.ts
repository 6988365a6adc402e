import { Predicate, Result, Schema } from "effect"
import { FieldError, InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { type ParsedJson, parseJson } from "../input/parseJson.ts"
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
  /** The arguments of a tool: as JSON, or decoded if the message is long. */
  toolArguments: Schema.Union([
    Schema.Struct({ json: Schema.Unknown, errors: Schema.Array(FieldError) }),
    LongArguments
  ])
})
export type McpMessage = typeof McpMessage.Type

/** The longest text outside the arguments of a tool, in characters. */
const maxEnvelope = 16 * 1024

const wrong = (pointer: string, message: string) =>
  Result.fail(new InvalidInput({ errors: [{ pointer, code: "invalid_format", message }] }))

const isId = (id: unknown): id is McpMessage["id"] =>
  id === undefined || Predicate.isString(id) || (Predicate.isNumber(id) && Number.isSafeInteger(id))

/** The pointer to the arguments of a tool. */
const place = "/params/arguments"

const isInArguments = ({ pointer }: FieldError) => pointer.startsWith(`${place}/`)

const encode = (envelope: object) =>
  Result.try({
    try: () => JSON.stringify(envelope),
    catch: () => new MalformedJson({ reason: "The text is nested too deeply" })
  })

/** Decodes a message; undefined for a response. */
const decodeMessage = ({ errors, json: message }: ParsedJson) =>
  Result.gen(function* () {
    if (!Predicate.isObject(message)) {
      return yield* wrong("", "must be one JSON-RPC message: a JSON object, not a list of them")
    }
    const { id, jsonrpc, method } = message
    const given = message["params"] ?? {}
    if (!Predicate.isObject(given)) return yield* wrong("/params", "must be a JSON object")
    if (jsonrpc !== "2.0") return yield* wrong("/jsonrpc", 'must be "2.0"')
    if (method === undefined) return undefined
    if (!Predicate.isString(method)) return yield* wrong("/method", "must be a string")
    if (!isId(id)) return yield* wrong("/id", "must be a string or an integer")
    const others = errors.filter((error) => !isInArguments(error))
    if (others.length > 0) return yield* Result.fail(new InvalidInput({ errors: others }))
    const { arguments: json = {}, ...params } = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== null)
    )
    const ofArguments = errors
      .filter(isInArguments)
      .map((error) => ({ ...error, pointer: error.pointer.slice(place.length) }))
    return { id, method, params, toolArguments: { json, errors: ofArguments } }
  })

/**
 * Reads a message from a JSON text. Undefined for a response, because the service never sends requests. Fails with
 * MalformedJson, or with InvalidInput if it is not a message.
 */
export const readMessage = (text: string): Result.Result<McpMessage | undefined, InvalidInput | MalformedJson> =>
  Result.gen(function* () {
    const message = yield* Result.flatMap(parseJson(text), decodeMessage)
    if (message === undefined || !isLong(text)) return message
    const { id, method, params, toolArguments } = message
    const envelope = yield* encode({ jsonrpc: "2.0", id, method, params })
    if (envelope.length > maxEnvelope) {
      return yield* wrong("", "must have at most 16 KiB besides the arguments of a tool")
    }
    const size = Buffer.byteLength(text) - Buffer.byteLength(envelope)
    return { id, method, params, toolArguments: { read: readLong(params["name"], toolArguments, size) } }
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
