import { randomUUIDv7 } from "node:crypto"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Clock, Context, Effect, FiberSet, Layer, Option } from "effect"
import { HttpMiddleware, HttpServer } from "effect/http"
import { connections } from "../../observability/Telemetry.ts"
import { RequestLog } from "../../observability/Logging.ts"
import { Settings } from "../../Settings.ts"
import { ClientAddress } from "../ClientAddress.ts"
import { type Direct, makeDirectRequests, type ErrorPage, makeRequestPipeline } from "./RequestPipeline.ts"
import { makeRoutedRequests, type Routed } from "./RoutedRequests.ts"
import { Draining } from "./Draining.ts"
import { makeNodeServer, type NodeServer } from "./NodeServer.ts"
import { makeWhileStarting, orPortUnusable } from "./Starting.ts"
import { PublicUrl } from "../RequestState.ts"

/** URLs of confirmations and orders are secrets, and a URL may contain a key by mistake; a span would record it. */
const untracedAddresses = Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)

/** In milliseconds of real time, even with a test clock. */
const listenerGrace = 1000

/** The routes and direct endpoints that answer requests, and the page for problems. */
interface Answering<F, E, R, R2> {
  readonly routed: Effect.Effect<Routed, E, R>
  readonly direct: Direct<F, R2>
  readonly errorPage: ErrorPage
}

/** Answers the requests of a server until the scope closes. Then it stops listening and waits up to a second for requests in flight. */
const serve = <F, E, R, R2>(nodeServer: NodeServer, { direct, errorPage, routed }: Answering<F, E, R, R2>) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl
      const { router, table } = yield* routed
      const answer = yield* makeDirectRequests(direct, table, yield* makeRoutedRequests({ router, table }))
      nodeServer.serve(yield* makeRequestPipeline({ publicUrl, newId: randomUUIDv7, answer, errorPage }))
      yield* Effect.addFinalizer(() => close(nodeServer.server))
    })
  ).pipe(Layer.provide([untracedAddresses, ClientAddress.layer]))

const close = (server: NodeServer["server"]) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), listenerGrace)
    server.close(() => resume(Effect.void))
    return Effect.sync(() => clearTimeout(timer))
  })

/** Reports a count at most once per second. */
const oncePerSecond = (report: (count: number) => void) => {
  let count = 0
  return () => {
    count++
    if (count > 1) return
    setTimeout(() => {
      report(count)
      count = 0
    }, 1000).unref()
  }
}

/** The address listened on. */
export const listeningUrl = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))

const drain = Layer.effectDiscard(Effect.flatMap(Draining, (draining) => Effect.addFinalizer(() => draining.drain)))

/** The public server. */
class Listener extends Context.Service<Listener, NodeServer>()("outreach-forecast/http/Listener") {
  /** Listens. The base of links is the configured one, otherwise the address listened on. */
  static readonly layer = (errorPage: ErrorPage) =>
    Layer.unwrap(
      Effect.gen(function* () {
        const { host, maxConnections, port, publicUrl } = yield* Settings
        const clients = yield* ClientAddress
        const clock = yield* Clock.Clock
        const log = yield* RequestLog
        const run = yield* FiberSet.makeRuntime()
        let base = Option.getOrElse(publicUrl, () => "")
        const nodeServer = makeNodeServer({
          publicUrl: () => base,
          errorPage,
          newId: randomUUIDv7,
          onRefused: ({ code, id, socket, status }) =>
            log({
              at: clock.currentTimeMillisUnsafe(),
              requestId: id,
              method: undefined,
              route: undefined,
              status,
              millis: undefined,
              key: undefined,
              isKeyFound: false,
              code,
              client: clients.logged({ headers: {}, socket }),
              charge: undefined
            }),
          onFull: oncePerSecond((count) =>
            run(Effect.annotateLogs(Effect.logWarning("connections refused"), { count }))
          ),
          maxConnections,
          clients,
          whileStarting: makeWhileStarting({ publicUrl: base, errorPage })
        })
        let open = 0
        nodeServer.server.on("connection", (socket) => {
          connections(++open)
          socket.once("close", () => connections(--open))
        })
        const options = { host, port, gracefulShutdownTimeout: "1 second" } as const
        const server = orPortUnusable("PORT")(NodeHttpServer.make(() => nodeServer.server, options))
        return Layer.effect(
          PublicUrl,
          Effect.map(listeningUrl, (url) => {
            base = Option.getOrElse(publicUrl, () => url)
            return base
          })
        ).pipe(
          Layer.provideMerge(Layer.effect(HttpServer.HttpServer, server)),
          Layer.merge(NodeHttpServer.layerHttpServices),
          Layer.merge(Layer.succeed(Listener, nodeServer))
        )
      })
    ).pipe(Layer.provide(ClientAddress.layer))
}

/** Listens. Requests that arrive before the routes are ready wait up to a second for them, then get a 503. */
export const listening = Listener.layer

/**
 * Answers until its scope closes. Then, in this order: the requests in flight finish, the listener closes, and the
 * remaining connections, which never sent a whole request, are cut.
 */
export const layer = <F, E, R, R2>(answering: Answering<F, E, R, R2>) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const nodeServer = yield* Listener
      const cut = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(nodeServer.cut)))
      return drain.pipe(Layer.provideMerge(serve(nodeServer, answering)), Layer.provideMerge(cut))
    })
  )
