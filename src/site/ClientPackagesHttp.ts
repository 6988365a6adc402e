import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { readClientPackages } from "./ClientPackages.ts"
import { clientsPage } from "./ClientPackagesPages.ts"
import { PublicUrl } from "../http/PublicUrl.ts"
import { makePublicResponder } from "../http/PublicResponse.ts"

/** The packages of the clients, and the page that lists them. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const publicUrl = yield* PublicUrl
    const respondPublicly = yield* makePublicResponder
    const packages = yield* readClientPackages
    const listed = yield* Effect.cached(Effect.sync(() => clientsPage(packages, publicUrl)))
    yield* router.add("GET", "/clients/", respondPublicly(listed))
    for (const { bytes, file } of packages) {
      const made = HttpServerResponse.uint8Array(bytes, { contentType: "application/octet-stream" })
      yield* router.add("GET", `/clients/${file}`, respondPublicly(Effect.succeed(made)))
    }
  })
)
