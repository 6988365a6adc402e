import { Predicate, Result, Schema } from "effect"
import { type FieldError, InvalidInput, MalformedJson, maxErrors } from "../../input/InvalidInput.ts"
import { type ParsedJson, parseJson } from "../../input/parseJson.ts"
import { PayloadTooLarge } from "../../http/problems/HttpFailures.ts"
import { isLong } from "../../http/RequestBody.ts"
import { computation } from "../../workers/Computation.ts"
import { inOneStep } from "../../workers/Steps.ts"
import { prepareLong, ToolArguments, withoutAdded } from "./ToolArguments.ts"

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

/** The longest text outside the arguments of a tool, in bytes. */
const maxEnvelope = 16 * 1024

/** The most messages in a list. */
const maxMessages = 50

/** The largest list of messages, in KiB. */
const listLimit = 64

const invalid = (errors: ReadonlyArray<FieldError>) => Result.fail(new InvalidInput({ errors }))

const errorAt = (pointer: string, message: string): FieldError => ({ pointer, code: "invalid_format", message })

const wrong = (pointer: string, message: string) => invalid([errorAt(pointer, message)])

const isId = (id: unknown): id is McpMessage["id"] =>
  id === undefined || Predicate.isString(id) || (Predicate.isNumber(id) && Number.isSafeInteger(id))

const idError = (id: unknown): string =>
  Predicate.isNumber(id) && Math.abs(id) > Number.MAX_SAFE_INTEGER
    ? "must be at most 9007199254740991, as many programs round larger integers; send it as a string"
    : "must be a string or an integer"

/** The errors below a pointer, relative to it. */
const within = (errors: ReadonlyArray<FieldError>, place: string): ReadonlyArray<FieldError> =>
  errors
    .filter(({ pointer }) => pointer.startsWith(`${place}/`))
    .map((error) => ({ ...error, pointer: error.pointer.slice(place.length) }))

const argumentsAt = "/params/arguments"

/** The JSON text of a value, as bytes. */
const sizeOf = (value: unknown) =>
  Result.try({
    try: () => Buffer.byteLength(JSON.stringify(value)),
    catch: () => new MalformedJson({ reason: "The text is nested too deeply" })
  })

/** A message as it was sent. */
type Sent = Omit<McpMessage, "toolArguments"> & { readonly given: ParsedJson }

/** Decodes a message, undefined for a response. Parameters that are null are the same as parameters left out. */
const decodeMessage = ({ errors, json: message }: ParsedJson): Result.Result<Sent | undefined, InvalidInput> =>
  Result.gen(function* () {
    if (!Predicate.isObject(message)) return yield* wrong("", "must be a JSON-RPC message: a JSON object")
    const { id, jsonrpc, method } = message
    const given = message["params"] ?? {}
    if (!Predicate.isObject(given)) return yield* wrong("/params", "must be a JSON object")
    if (jsonrpc !== "2.0") return yield* wrong("/jsonrpc", 'must be "2.0"')
    if (method === undefined) return undefined
    if (!Predicate.isString(method)) return yield* wrong("/method", "must be a string")
    if (!isId(id)) return yield* wrong("/id", idError(id))
    const outside = errors.filter(({ pointer }) => !pointer.startsWith(`${argumentsAt}/`))
    if (outside.length > 0) return yield* invalid(outside)
    const { arguments: json = {}, ...params } = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== null)
    )
    return { id, method, params, given: withoutAdded({ json, errors: within(errors, argumentsAt) }) }
  })

/** True for the text of a list of messages. */
const isListText = (text: string): boolean => /^\uFEFF?\s*\[/.test(text)

/** A request's messages: one, or a list of them. */
const Messages = Schema.Struct({ isList: Schema.Boolean, messages: Schema.Array(McpMessage) })
type Messages = typeof Messages.Type

type Failure = InvalidInput | MalformedJson | PayloadTooLarge

const asSent = ({ given, ...message }: Sent): McpMessage => ({ ...message, toolArguments: Result.succeed(given) })

/** A message of a long text, whose arguments take a number of bytes. */
const prepared = ({ given, ...message }: Sent, size: number): McpMessage => ({
  ...message,
  toolArguments: prepareLong(message.params["name"], given, size)
})

const readList = (text: string): Result.Result<Messages, Failure> =>
  Result.gen(function* () {
    if (Buffer.byteLength(text) > listLimit * 1024) return yield* Result.fail(new PayloadTooLarge({ limit: listLimit }))
    const { errors, json } = yield* parseJson(text)
    if (!Array.isArray(json) || json.length < 1 || json.length > maxMessages) {
      return yield* wrong("", `must have 1 to ${maxMessages} messages`)
    }
    const decoded = json.map((message: unknown, index) =>
      decodeMessage({ json: message, errors: within(errors, `/${index}`) })
    )
    const found = decoded.flatMap((message, index) => {
      if (Result.isFailure(message)) {
        return message.failure.errors.map((error) => ({ ...error, pointer: `/${index}${error.pointer}` }))
      }
      return message.success?.method === "initialize"
        ? [errorAt(`/${index}/method`, "must not be initialize: send that by itself, not in a list")]
        : []
    })
    if (found.length > 0) return yield* invalid(found.slice(0, maxErrors))
    const sent = decoded.flatMap((message) => Result.getOrUndefined(message) ?? [])
    // The decoder of a tool reports arguments that are nested too deeply.
    const sizeOfArguments = ({ given }: Sent) => Result.getOrElse(sizeOf(given.json), () => 0)
    const messages = isLong(text)
      ? sent.map((message) => prepared(message, sizeOfArguments(message)))
      : sent.map(asSent)
    return { isList: true, messages }
  })

const readOne = (text: string): Result.Result<Messages, Failure> =>
  Result.gen(function* () {
    const message = yield* Result.flatMap(parseJson(text), decodeMessage)
    if (message === undefined) return { isList: false, messages: [] }
    if (!isLong(text)) return { isList: false, messages: [asSent(message)] }
    const { id, method, params } = message
    const envelope = yield* sizeOf({ jsonrpc: "2.0", id, method, params })
    if (envelope > maxEnvelope) return yield* wrong("", "must have at most 16 KiB besides the arguments of a tool")
    return { isList: false, messages: [prepared(message, Buffer.byteLength(text) - envelope)] }
  })

/**
 * Reads a message or, if `hasLists`, a list of them, from a JSON text; without responses, because the service never
 * sends requests. Fails with MalformedJson, with PayloadTooLarge, or with InvalidInput, which lists every error.
 */
export const readMessages = ({ hasLists, text }: { readonly hasLists: boolean; readonly text: string }) =>
  hasLists && isListText(text) ? readList(text) : readOne(text)

/** `readMessages` for a long text. */
export const messageReading = computation(
  "read a message",
  {
    input: Schema.Struct({ text: Schema.String, hasLists: Schema.Boolean }),
    success: Messages,
    error: Schema.Union([InvalidInput, MalformedJson, PayloadTooLarge])
  },
  inOneStep(readMessages)
)
