import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { type Context, Effect, Layer, Predicate, Record, Redacted, Result, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { MissingKey } from "../keys/KeyFailures.ts"
import { KeyLimits } from "../keys/KeyLimits.ts"
import { Settings } from "../Settings.ts"
import { Forecaster } from "../forecast/Forecaster.ts"
import { makeLookUp } from "../keys/AuthenticationHttp.ts"
import { bodyLimit, isLong, makeReceiveLarge, readBody } from "../http/RequestBody.ts"
import { ClientAddress } from "../http/ClientAddress.ts"
import { Limits } from "../Limits.ts"
import { senderOf } from "../http/RequestHeaders.ts"
import { CrossSite } from "../http/problems/HttpFailures.ts"
import { objectText } from "../metering/Forecasts.ts"
import { PublicUrl } from "../http/RequestState.ts"
import type { makeAnswerRequest, McpResponse } from "./AnswerRequest.ts"
import { hasLists, isList, type McpMessage, messageReading, readMessage, readMessages } from "./McpMessage.ts"
import { CurrentToolCall, newToolCall, type ToolCall } from "./ToolCall.ts"

/** The largest message, in KiB: the largest arguments with an envelope. Only tools with a key take as much. */
const limitOf = (key: ToolCall["key"]) => (Result.isSuccess(key) ? 1088 : bodyLimit)

const accepted = HttpServerResponse.empty({ status: 202 })

const asRecord = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))

/** The text of an answer. That of a tool becomes its structured content, byte for byte. */
const textOf = (id: string | number, { answer }: McpResponse, { answer: structured }: ToolCall) => {
  if (structured === undefined || "error" in answer) return JSON.stringify({ jsonrpc: "2.0", id, ...answer })
  const members = Record.map(asRecord(answer.result), (member) => JSON.stringify(member))
  const result = objectText({ ...members, structuredContent: structured })
  return objectText({ jsonrpc: '"2.0"', id: JSON.stringify(id), result })
}

const respond = (text: string, status: number) =>
  HttpServerResponse.text(text, { status, contentType: "application/json" })

/**
 * The implementation of the protocol, loaded with the first message, but not in the context of that: loading it takes a
 * tenth of the start of the service and of each command.
 */
const makeProtocol = Effect.gen(function* () {
  const context = yield* Effect.context<Effect.Services<typeof makeAnswerRequest>>()
  const load = Effect.promise(() => import("./AnswerRequest.ts"))
  const made = Effect.flatMap(load, ({ makeAnswerRequest }) => makeAnswerRequest)
  const instead: (ofMessage: Context.Context<never>) => typeof context = () => context
  return yield* Effect.cached(Effect.updateContext(made, instead))
})

const makeAnswer = Effect.gen(function* () {
  const lookUp = yield* makeLookUp
  const publicUrl = yield* PublicUrl
  const protocol = yield* makeProtocol
  const clients = yield* ClientAddress
  const forecaster = yield* Forecaster
  const { limits } = yield* Settings
  const keyLimits = yield* KeyLimits
  const { buckets } = yield* Limits
  const keyless = buckets({ size: limits.keylessMessagesPerMinute, refill: 60_000 })
  const receiveLarge = yield* makeReceiveLarge

  /** The key of a request. Problems with it are reported by the tools that need one. */
  const keyOf = (request: HttpServerRequest.HttpServerRequest) => {
    const secret = request.headers["x-api-key"] ?? ""
    if (secret === "") return Effect.succeed(Result.fail(new MissingKey()))
    const received = NodeHttpServerRequest.toIncomingMessage(request)
    return Effect.map(lookUp(received, Redacted.make(secret)), Result.succeed).pipe(
      Effect.catchTags({
        MissingKey: (failure) => Effect.succeed(Result.fail(failure)),
        InvalidKey: (failure) => Effect.succeed(Result.fail(failure)),
        KeyRevoked: (failure) => Effect.succeed(Result.fail(failure)),
        PlanInactive: (failure) => Effect.succeed(Result.fail(failure))
      })
    )
  }

  /** Limits messages of clients without a usable key, so that strangers cost little. */
  const countKeyless = (request: HttpServerRequest.HttpServerRequest, messages: number) =>
    keyless.count(clients.of(NodeHttpServerRequest.toIncomingMessage(request)), messages)

  /** Reads a message, or a list of them where `takesLists`; a long message in a worker. */
  const read = Effect.fnUntraced(function* (text: string, key: ToolCall["key"], takesLists: boolean) {
    if (takesLists && isList(text)) return { isList: true, messages: yield* Effect.fromResult(readMessages(text)) }
    const message = yield* Result.isSuccess(key) && isLong(text)
      ? forecaster.compute(messageReading, text, { of: key.success.id, admit: Effect.void })
      : Effect.fromResult(readMessage(text))
    return { isList: false, messages: message === undefined ? [] : [message] }
  })

  /** Answers a message; undefined if it needs no answer. */
  const answerMessage = Effect.fnUntraced(function* (
    message: McpMessage,
    key: ToolCall["key"],
    headers: HttpServerRequest.HttpServerRequest["headers"]
  ) {
    if (message.id === undefined) return undefined
    const call = newToolCall(message.toolArguments, key)
    const answerRequest = yield* protocol
    const answered = yield* Effect.provideService(answerRequest(message.id, message, headers), CurrentToolCall, call)
    return { text: textOf(message.id, answered, call), status: answered.status }
  })

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers } = request
    // Agents are programs. Pages are answered only under the host name of our links: others may get here by DNS
    // rebinding.
    const sender = senderOf(request, publicUrl)
    if (sender !== "program" && sender !== "here") return yield* new CrossSite()
    const key: ToolCall["key"] = yield* keyOf(request)
    if (Result.isFailure(key)) yield* countKeyless(request, 1)
    const accepts = { limit: limitOf(key), types: ["application/json"] }
    const received = yield* receiveLarge(request, Result.isSuccess(key) ? key.success.id : undefined, (count) =>
      Effect.flatMap(readBody(request, accepts, count), (text) => read(text, key, hasLists(headers)))
    )
    const { length } = received.messages
    // The first message is counted with the request.
    if (length > 1) {
      yield* Result.isSuccess(key) ? keyLimits.admitMore(key.success.id, length - 1) : countKeyless(request, length - 1)
    }
    // One after another, so that the second of two equal calls is a replay.
    const answers = yield* Effect.forEach(received.messages, (message) => answerMessage(message, key, headers))
    const [first, ...others] = answers.filter(Predicate.isNotUndefined)
    if (first === undefined) return accepted
    return received.isList
      ? respond(`[${[first, ...others].map(({ text }) => text).join(",")}]`, 200)
      : respond(first.text, first.status)
  })
})

/** The Model Context Protocol at `POST /mcp`, for agents: Streamable HTTP, without streams and without state. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const answer = yield* makeAnswer
    yield* router.add("POST", "/mcp", answer)
  })
).pipe(Layer.provide([ClientAddress.layer, Limits.layer]))
