import { Predicate, Result, Schema } from "effect"
import { type FieldError, InvalidInput, MalformedJson, maxErrors } from "../input/InvalidInput.ts"
import { type ParsedJson, parseJson } from "../input/parseJson.ts"
import { PayloadTooLarge } from "../http/problems/HttpFailures.ts"
import { isLong } from "../http/RequestBody.ts"
import { computation } from "../workers/Computation.ts"
import { inOneStep } from "../workers/Steps.ts"
import { longArguments, ToolArguments } from "./ToolArguments.ts"

/** A message of the protocol: a request or a notification (JSON-RPC 2.0). */
export const McpMessage = Schema.Struct({
  /** Undefined for a notification, which gets no response. */
  id: Schema.UndefinedOr(Schema.Union([Schema.String, Schema.Int])),
  method: Schema.String,
  /** The parameters except the arguments of a tool. */
  params: Schema.Record(Schema.String, Schema.Unknown),
  toolArguments: ToolArguments
})
export type McpMessage = typeof McpMessage.Type

/** The longest text outside the arguments of a tool, in characters. */
const maxEnvelope = 16 * 1024

/** The most messages in a list. */
const maxMessages = 50

/** The largest list of messages, in KiB: it is read on the event loop. */
const listLimit = 64

const invalid = (errors: ReadonlyArray<FieldError>) => Result.fail(new InvalidInput({ errors }))

const errorAt = (pointer: string, message: string): FieldError => ({ pointer, code: "invalid_format", message })

const wrong = (pointer: string, message: string) => invalid([errorAt(pointer, message)])

const isId = (id: unknown): id is McpMessage["id"] =>
  id === undefined || Predicate.isString(id) || (Predicate.isNumber(id) && Number.isSafeInteger(id))

/** The errors below a pointer, relative to it. */
const within = (errors: ReadonlyArray<FieldError>, place: string): ReadonlyArray<FieldError> =>
  errors
    .filter(({ pointer }) => pointer.startsWith(`${place}/`))
    .map((error) => ({ ...error, pointer: error.pointer.slice(place.length) }))

const argumentsAt = "/params/arguments"

const encode = (envelope: object) =>
  Result.try({
    try: () => JSON.stringify(envelope),
    catch: () => new MalformedJson({ reason: "The text is nested too deeply" })
  })

/** Decodes a message, undefined for a response. Parameters that are null are the same as parameters left out. */
const decodeMessage = ({ errors, json: message }: ParsedJson) =>
  Result.gen(function* () {
    if (!Predicate.isObject(message)) return yield* wrong("", "must be a JSON-RPC message: a JSON object")
    const { id, jsonrpc, method } = message
    const given = message["params"] ?? {}
    if (!Predicate.isObject(given)) return yield* wrong("/params", "must be a JSON object")
    if (jsonrpc !== "2.0") return yield* wrong("/jsonrpc", 'must be "2.0"')
    if (method === undefined) return undefined
    if (!Predicate.isString(method)) return yield* wrong("/method", "must be a string")
    if (!isId(id)) return yield* wrong("/id", "must be a string or an integer")
    const outside = errors.filter(({ pointer }) => !pointer.startsWith(`${argumentsAt}/`))
    if (outside.length > 0) return yield* invalid(outside)
    const { arguments: json = {}, ...params } = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== null)
    )
    return { id, method, params, toolArguments: { json, errors: within(errors, argumentsAt) } }
  })

/** The headers of a request, by their names in lower case. */
export type McpHeaders = Readonly<Record<string, string | undefined>>

/** The revision of a client that does not name one: before 2025-06-18 there was no header for it. */
const defaultRevision = "2025-03-26"

/** The revision named in the headers of a request. */
export const revisionOf = (headers: McpHeaders): string => headers["mcp-protocol-version"] ?? defaultRevision

/** True if a client may send a list of messages: its revision is the only one that has them. */
export const hasLists = (headers: McpHeaders): boolean => revisionOf(headers) === "2025-03-26"

/** True for the text of a list of messages. */
export const isList = (text: string): boolean => /^\uFEFF?\s*\[/.test(text)

/**
 * Reads a list of messages, without the responses in it. Fails with MalformedJson, with PayloadTooLarge, or with
 * InvalidInput, which lists every error.
 */
export const readMessages = (
  text: string
): Result.Result<ReadonlyArray<McpMessage>, InvalidInput | MalformedJson | PayloadTooLarge> =>
  Result.gen(function* () {
    if (Buffer.byteLength(text) > listLimit * 1024) return yield* Result.fail(new PayloadTooLarge({ limit: listLimit }))
    const { errors, json } = yield* parseJson(text)
    if (!Array.isArray(json) || json.length < 1 || json.length > maxMessages) {
      return yield* wrong("", `must have 1 to ${maxMessages} messages`)
    }
    const messages = json.map((message: unknown, index) =>
      decodeMessage({ json: message, errors: within(errors, `/${index}`) })
    )
    const found = messages.flatMap((message, index) => {
      if (Result.isFailure(message)) {
        return message.failure.errors.map((error) => ({ ...error, pointer: `/${index}${error.pointer}` }))
      }
      return message.success?.method === "initialize"
        ? [errorAt(`/${index}/method`, "must not be initialize: send that by itself, not in a list")]
        : []
    })
    if (found.length > 0) return yield* invalid(found.slice(0, maxErrors))
    return messages.flatMap((message) => Result.getOrUndefined(message) ?? [])
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
    return { id, method, params, toolArguments: longArguments(params["name"], toolArguments, size) }
  })

/** `readMessage` for a long message. */
export const messageReading = computation(
  "read a message",
  {
    input: Schema.String,
    success: Schema.UndefinedOr(McpMessage),
    error: Schema.Union([InvalidInput, MalformedJson])
  },
  inOneStep(readMessage)
)
