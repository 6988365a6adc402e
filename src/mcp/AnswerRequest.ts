import { Context, Deferred, Effect, Layer, Option, Queue, Schema } from "effect"
import { McpServer } from "effect/ai"
import { HttpServerRequest } from "effect/http"
import { type RpcMessage, RpcSerialization, RpcServer } from "effect/rpc"
import { version } from "../version.ts"
import type { McpHeaders, McpMessage } from "./McpMessage.ts"
import { handshakeOf, type McpError, protocols, revisionNamedBy, statusOf } from "./McpProtocols.ts"
import { McpTools } from "./McpTools.ts"
import { instructions } from "./Tools.ts"

/** The answer to a request: a result, or an error of the protocol. */
export type McpAnswer = { readonly result: unknown } | { readonly error: McpError }

const readError = Schema.decodeUnknownOption(
  Schema.Struct({ code: Schema.Int, message: Schema.String, data: Schema.optionalKey(Schema.Unknown) })
)

const internal: McpError = { code: -32_603, message: "The service failed to answer. Try again." }

const toAnswer = ({ exit }: RpcMessage.ResponseExitEncoded): McpAnswer => {
  if (exit._tag === "Success") return { result: exit.value }
  const errors = exit.cause.flatMap((reason) => (reason._tag === "Fail" ? [readError(reason.error)] : []))
  return { error: Option.getOrElse(Option.firstSomeOf(errors), () => internal) }
}

/** An answer and the status of its HTTP response. */
export interface McpResponse {
  readonly status: number
  readonly answer: McpAnswer
}

/** Answers a request that has an ID, received with these headers. */
export type AnswerRequest = (
  id: string | number,
  message: McpMessage,
  headers: McpHeaders
) => Effect.Effect<McpResponse>

/** Answers a request in the revision `handshake`, or in the one that it names. */
type Exchange = (id: string | number, message: McpMessage, handshake: string | undefined) => Effect.Effect<McpAnswer>

/** The pending requests of a client, by ID. */
type PendingRequests = Map<string | number, Deferred.Deferred<McpAnswer>>

/** Hides HTTP from the server, which would otherwise keep a session for the request. */
const withoutHttp = (effect: Effect.Effect<void>): Effect.Effect<void> =>
  Effect.updateContext(effect, Context.omit(HttpServerRequest.HttpServerRequest))

const makeTransport = Effect.gen(function* () {
  const clients = new Map<number, PendingRequests>()
  const disconnects = yield* Queue.make<number>()
  const send = (clientId: number, message: RpcMessage.FromServerEncoded) =>
    Effect.sync(() => {
      const pending = clients.get(clientId)
      if (pending === undefined) return
      if (message._tag === "Exit") {
        const waiting = pending.get(message.requestId)
        if (waiting !== undefined) Deferred.doneUnsafe(waiting, Effect.succeed(toAnswer(message)))
      } else if (message._tag === "Defect") {
        for (const waiting of pending.values()) Deferred.doneUnsafe(waiting, Effect.succeed({ error: internal }))
      }
    })
  let toServer: Parameters<RpcServer.Protocol["Service"]["run"]>[0] = () => Effect.void
  const protocol = yield* RpcServer.Protocol.make((write) => {
    toServer = write
    return Effect.succeed({
      disconnects,
      send,
      end: () => Effect.void,
      clientIds: Effect.sync(() => new Set(clients.keys())),
      initialMessage: Effect.succeedNone,
      supportsAck: false,
      supportsTransferables: false,
      supportsSpanPropagation: false,
      supportsNotifications: false,
      codecFor: RpcSerialization.json.codecFor
    })
  })
  return {
    protocol,
    clients,
    toServer: (clientId: number, message: RpcMessage.FromClientEncoded) => withoutHttp(toServer(clientId, message))
  }
})

/**
 * Answers requests of the Model Context Protocol. To the server, each request is a client of its own, forgotten once it
 * is answered: there is no state between two requests, so any instance may answer the next one.
 */
export const makeAnswerRequest = Effect.gen(function* () {
  const { clients, protocol, toServer } = yield* makeTransport
  yield* Layer.build(
    McpServer.layer({
      name: "outreach-forecast",
      version,
      description: "Forecasts the results of a cold-email campaign, and how certain they are.",
      instructions,
      protocols,
      registrations: McpTools
    }).pipe(Layer.provide(Layer.succeed(RpcServer.Protocol, protocol)), Layer.orDie)
  )

  const ask = Effect.fnUntraced(function* (
    clientId: number,
    pending: PendingRequests,
    { id, method, params }: { readonly id: string | number; readonly method: string; readonly params: unknown }
  ) {
    const answer = Deferred.makeUnsafe<McpAnswer>()
    pending.set(id, answer)
    yield* toServer(clientId, { _tag: "Request", id, tag: method, payload: params, headers: [] })
    return yield* Deferred.await(answer).pipe(
      Effect.onInterrupt(() => toServer(clientId, { _tag: "Interrupt", requestId: id }))
    )
  })

  let last = 0
  const exchange: Exchange = (id, { method, params }, handshake) =>
    Effect.suspend(() => {
      const clientId = last++
      const pending: PendingRequests = new Map()
      clients.set(clientId, pending)
      const begin =
        handshake === undefined
          ? Effect.void
          : ask(clientId, pending, {
              id: "handshake",
              method: "initialize",
              params: { protocolVersion: handshake, capabilities: {}, clientInfo: { name: "unknown", version: "0" } }
            })
      return Effect.andThen(begin, ask(clientId, pending, { id, method, params })).pipe(
        Effect.ensuring(
          Effect.suspend(() => {
            clients.delete(clientId)
            return toServer(clientId, { _tag: "Eof" })
          })
        )
      )
    })

  /** The list of tools is long, and the same for every client of a revision. */
  const lists = new Map<string, McpAnswer>()
  const listTools: Exchange = (id, message, handshake) => {
    const revision = handshake ?? String(revisionNamedBy(message))
    const known = lists.get(revision)
    if (known !== undefined) return Effect.succeed(known)
    return Effect.tap(exchange(id, message, handshake), (answer) =>
      Effect.sync(() => {
        if ("result" in answer) lists.set(revision, answer)
      })
    )
  }

  const isList = ({ method, params }: McpMessage) => method === "tools/list" && params["cursor"] === undefined

  const answerRequest: AnswerRequest = (id, message, headers) =>
    Effect.fromResult(handshakeOf(message, headers)).pipe(
      Effect.flatMap((handshake) => (isList(message) ? listTools : exchange)(id, message, handshake)),
      Effect.catch((error) => Effect.succeed({ error })),
      Effect.map((answer) => ({ status: "error" in answer ? statusOf(message, answer.error) : 200, answer }))
    )
  return answerRequest
})
