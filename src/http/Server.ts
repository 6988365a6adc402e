import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { HttpRouter, HttpServer } from "effect/http"
import { Settings } from "../Settings.ts"
import { makeBoundary } from "./Boundary.ts"
import { Draining } from "./Draining.ts"
import { makeNodeServer } from "./NodeServer.ts"
import * as Routes from "./Routes.ts"

/** The base of the links that answers have: the configured one, else the address that is listened on. */
const publicUrl = Effect.gen(function* () {
  const settings = yield* Settings
  const { address } = yield* HttpServer.HttpServer
  return Option.getOrElse(settings.publicUrl, () => HttpServer.formatAddress(address))
})

const serve = Layer.unwrap(
  Effect.gen(function* () {
    const boundary = yield* makeBoundary({ routes: Routes.routeTable, publicUrl: yield* publicUrl })
    const app = yield* HttpRouter.toHttpEffect(Routes.layer)
    return HttpServer.serve(boundary(app))
  })
)

const drain = Layer.effectDiscard(Effect.flatMap(Draining, (draining) => Effect.addFinalizer(() => draining.drain)))

/**
 * Listens and answers until its scope closes. Then, in this order: the requests in flight finish, the listener closes,
 * and the connections that are left, which never sent a whole request, are cut.
 */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const { host, port, publicUrl } = yield* Settings
    const server = makeNodeServer({
      publicUrl: () => Option.getOrElse(publicUrl, () => `http://${host}:${port}`),
      newId: SecureRandom.uuidV7Unsafe
    })
    const listen = NodeHttpServer.layer(() => server, { host, port, gracefulShutdownTimeout: "1 second" })
    const cut = Layer.effectDiscard(Effect.addFinalizer(() => Effect.sync(() => server.closeAllConnections())))
    return drain.pipe(Layer.provideMerge(serve), Layer.provideMerge(cut), Layer.provideMerge(listen))
  })
).pipe(Layer.provideMerge(Draining.layer))
