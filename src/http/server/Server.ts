import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, FiberSet, Layer, Option } from "effect"
import { HttpMiddleware, HttpServer } from "effect/http"
import { newRequestId } from "../../Randomness.ts"
import { Settings } from "../../Settings.ts"
import { KeyLimits } from "../handlers/KeyLimits.ts"
import { AdminServer } from "./AdminServer.ts"
import { makeRequestPipeline } from "./RequestPipeline.ts"
import { makeRoutedRequests } from "./RoutedRequests.ts"
import { Draining } from "./Draining.ts"
import { makeNodeServer, type NodeServer } from "./NodeServer.ts"
import { PublicUrl } from "../PublicUrl.ts"
import * as Routes from "./Routes.ts"

/** The configured base of links, else the address that is listened on. */
const publicUrlLayer = Layer.effect(
  PublicUrl,
  Effect.gen(function* () {
    const settings = yield* Settings
    const { address } = yield* HttpServer.HttpServer
    return Option.getOrElse(settings.publicUrl, () => HttpServer.formatAddress(address))
  })
)

/** The address of a confirmation is a secret, so is a key that somebody puts into a URL; a span would have the URL. */
const untracedSecrets = Layer.succeed(
  HttpMiddleware.TracerDisabledWhen,
  ({ url }) => url.startsWith("/confirm/") || /ofk_|[?&][^=&]*(?:key|token)/i.test(url)
)

/** Real time, also where a test has a clock of its own. */
const listenerGrace = 1000

/** Answers the requests of a server until the scope closes. Then it listens no more, and waits a second at most for those that go on. */
const serve = (nodeServer: NodeServer) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const publicUrl = yield* PublicUrl
      const { app, table } = yield* Routes.make
      const answerRouted = yield* makeRoutedRequests(app)
      nodeServer.serve(yield* makeRequestPipeline({ publicUrl, routes: table, newId: newRequestId, answerRouted }))
      yield* Effect.addFinalizer(() => close(nodeServer.server))
    })
  ).pipe(Layer.provide([untracedSecrets, KeyLimits.layer]))

const close = (server: NodeServer["server"]) =>
  Effect.callback<void>((resume) => {
    const timer = setTimeout(() => resume(Effect.void), listenerGrace)
    server.close(() => resume(Effect.void))
    return Effect.sync(() => clearTimeout(timer))
  })

/** Tells how often something happened, a second after it has begun to happen. */
const oncePerSecond = (tell: (count: number) => void) => {
  let count = 0
  return () => {
    count++
    if (count > 1) return
    setTimeout(() => {
      tell(count)
      count = 0
    }, 1000).unref()
  }
}

/** The address that is listened on. */
export const listeningUrl = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))

const drain = Layer.effectDiscard(Effect.flatMap(Draining, (draining) => Effect.addFinalizer(() => draining.drain)))

/**
 * Listens and answers until its scope closes. Then, in this order: the requests in flight finish, the listener closes,
 * and the connections that are left, which never sent a whole request, are cut. The listener for the operator closes after
 * them.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { answerTimeout, host, maxConnections, port } = yield* Settings
    const run = yield* FiberSet.makeRuntime()
    let base = ""
    const nodeServer = makeNodeServer({
      publicUrl: () => base,
      newId: newRequestId,
      onRefused: (id, status) => run(Effect.annotateLogs(Effect.logInfo("request"), { request_id: id, status })),
      onFull: oncePerSecond((count) => run(Effect.annotateLogs(Effect.logWarning("connections refused"), { count }))),
      maxConnections,
      answerTimeout
    })
    const noteBase = Layer.effectDiscard(
      Effect.map(PublicUrl, (url) => {
        base = url
      })
    )
    const listen = NodeHttpServer.layer(() => nodeServer.server, { host, port, gracefulShutdownTimeout: "1 second" })
    const cut = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(nodeServer.cut)))
    return drain.pipe(
      Layer.provideMerge(serve(nodeServer)),
      Layer.provideMerge(noteBase),
      Layer.provideMerge(publicUrlLayer),
      Layer.provideMerge(cut),
      Layer.provideMerge(listen)
    )
  })
).pipe(Layer.provideMerge(AdminServer.layer), Layer.provideMerge(Draining.layer))
