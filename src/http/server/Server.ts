import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, FiberSet, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpMiddleware, HttpServer } from "effect/http"
import { Settings } from "../../Settings.ts"
import { makeRequestPipeline } from "./RequestPipeline.ts"
import { Draining } from "./Draining.ts"
import { makeNodeServer } from "./NodeServer.ts"
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

const serve = Layer.unwrap(
  Effect.gen(function* () {
    const { trustedProxies } = yield* Settings
    const { app, table } = yield* Routes.make
    const boundary = yield* makeRequestPipeline({ routes: table, publicUrl: yield* PublicUrl })
    // Without a proxy that is trusted there is nothing to look for.
    const forwarded = trustedProxies.length === 0 ? app : HttpMiddleware.xForwardedHeaders({ trustedProxies })(app)
    return HttpServer.serve(boundary(forwarded))
  })
).pipe(Layer.provide(untracedSecrets))

/** The address that is listened on. */
export const listeningUrl = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))

const drain = Layer.effectDiscard(Effect.flatMap(Draining, (draining) => Effect.addFinalizer(() => draining.drain)))

/**
 * Listens and answers until its scope closes. Then, in this order: the requests in flight finish, the listener closes,
 * and the connections that are left, which never sent a whole request, are cut.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { host, port } = yield* Settings
    const run = yield* FiberSet.makeRuntime()
    let base = ""
    const server = makeNodeServer({
      publicUrl: () => base,
      newId: SecureRandom.uuidV7Unsafe,
      onRefused: (id, status) => run(Effect.annotateLogs(Effect.logInfo("request"), { request_id: id, status }))
    })
    const noteBase = Layer.effectDiscard(
      Effect.map(PublicUrl, (url) => {
        base = url
      })
    )
    const listen = NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: "1 second" })
    const cut = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))
    return drain.pipe(
      Layer.provideMerge(serve),
      Layer.provideMerge(noteBase),
      Layer.provideMerge(publicUrlLayer),
      Layer.provideMerge(cut),
      Layer.provideMerge(listen)
    )
  })
).pipe(Layer.provideMerge(Draining.layer))
