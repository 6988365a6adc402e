import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Effect, Layer, Predicate, Redacted, Result } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { type InvalidKey, MissingKey } from "../../keys/KeyFailures.ts"
import { KeyLimits } from "../../keys/KeyLimits.ts"
import { Settings } from "../../Settings.ts"
import { Forecaster } from "../../forecast/Forecaster.ts"
import { type AuthenticationFailure, RequestKeys } from "../../keys/RequestKeys.ts"
import type { KeyRevoked, PlanInactive } from "../../KeyStatus.ts"
import { LargeBodies } from "../../http/LargeBodies.ts"
import { bodyLimit, isLong, readBody } from "../../http/RequestBody.ts"
import { ClientAddress } from "../../http/ClientAddress.ts"
import { Limits } from "../../Limits.ts"
import { senderOf } from "../../http/RequestHeaders.ts"
import { CrossSite } from "../../http/problems/HttpFailures.ts"
import { Lists } from "../lists/Lists.ts"
import { PublicUrl } from "../../http/RequestState.ts"
import { messageReading, readMessages } from "./McpMessage.ts"
import { hasLists, makeAnswerRequest } from "./McpProtocol.ts"
import type { KeyOfCall } from "./toolCalls.ts"

/** The largest message, in KiB: the largest arguments with an envelope. Only tools with a key take as much. */
const limitOf = (key: KeyOfCall) => (Result.isSuccess(key) ? 1088 : bodyLimit)

const accepted = HttpServerResponse.empty({ status: 202 })

const respond = (text: string, status: number) =>
  HttpServerResponse.text(text, { status, contentType: "application/json" })

const report = <F extends AuthenticationFailure>(failure: F) => Effect.succeed(Result.fail(failure))

/** The problems with a key that the tools report; requests with any other are refused. */
const reported = {
  MissingKey: report<MissingKey>,
  InvalidKey: report<InvalidKey>,
  KeyRevoked: report<KeyRevoked>,
  PlanInactive: report<PlanInactive>
} satisfies { readonly [F in AuthenticationFailure as F["_tag"]]: (failure: F) => Effect.Effect<KeyOfCall> }

const makeAnswer = Effect.gen(function* () {
  const requestKeys = yield* RequestKeys
  const publicUrl = yield* PublicUrl
  const answerRequest = yield* makeAnswerRequest
  const clients = yield* ClientAddress
  const forecaster = yield* Forecaster
  const { limits } = yield* Settings
  const keyLimits = yield* KeyLimits
  const { buckets } = yield* Limits
  const keyless = buckets({ size: limits.keylessMessagesPerMinute, refill: 60_000 })
  const largeBodies = yield* LargeBodies

  /** The key of a request. Problems with it are reported by the tools that need one. */
  const keyOf = (request: HttpServerRequest.HttpServerRequest) => {
    const secret = request.headers["x-api-key"] ?? ""
    if (secret === "") return Effect.succeed(Result.fail(new MissingKey()))
    const received = NodeHttpServerRequest.toIncomingMessage(request)
    return Effect.map(requestKeys.find(received, Redacted.make(secret)), Result.succeed).pipe(
      Effect.catchTags(reported)
    )
  }

  /** Limits messages of clients without a usable key, so that strangers cost little. */
  const countKeyless = (request: HttpServerRequest.HttpServerRequest, messages: number) =>
    keyless.count(clients.of(NodeHttpServerRequest.toIncomingMessage(request)), messages)

  /** Reads messages; long ones in a worker. */
  const read = (text: string, key: KeyOfCall, headers: HttpServerRequest.HttpServerRequest["headers"]) => {
    const input = { text, hasLists: hasLists(headers) }
    return Result.isSuccess(key) && isLong(text)
      ? forecaster.compute(messageReading, input, { of: { key: key.success.id }, admit: Effect.void })
      : Effect.fromResult(readMessages(input))
  }

  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { headers } = request
    // Agents are programs. Pages are answered only under the host name of our links: others may get here by DNS
    // rebinding.
    const sender = senderOf(request, publicUrl)
    if (sender !== "program" && sender !== "here") return yield* new CrossSite()
    const key: KeyOfCall = yield* keyOf(request)
    if (Result.isFailure(key)) yield* countKeyless(request, 1)
    const accepts = { limit: limitOf(key), types: ["application/json"] }
    const { isList, messages } = yield* largeBodies.receive(
      request,
      Result.isSuccess(key) ? key.success.id : undefined,
      (count) => Effect.flatMap(readBody(request, accepts, count), (text) => read(text, key, headers))
    )
    // The first message is counted with the request.
    const more = messages.length - 1
    if (more > 0) yield* Result.isSuccess(key) ? keyLimits.admitMore(key.success.id, more) : countKeyless(request, more)
    // One after another, so that the second of two equal calls is a replay. Other requests get their turn in between.
    const answers = yield* Effect.forEach(messages, (message) =>
      message.id === undefined
        ? Effect.undefined
        : Effect.andThen(isList ? Effect.yieldNow : Effect.void, answerRequest(message.id, message, headers, key))
    )
    const [first, ...others] = answers.filter(Predicate.isNotUndefined)
    if (first === undefined) return accepted
    return isList
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
).pipe(Layer.provide([Lists.layer, ClientAddress.layer, LargeBodies.layer, Limits.layer]))
