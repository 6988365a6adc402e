import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, OpenApi } from "effect/http-api"
import { documentedAt } from "./Api.ts"
import { RoutedApi } from "./RoutedApi.ts"
import * as AccessHandlers from "./keys/AccessHttp.ts"
import * as AssetHandlers from "./site/AssetsHttp.ts"
import * as AccountHandlers from "./account/AccountHttp.ts"
import * as BenchmarkHandlers from "./metering/BenchmarksHttp.ts"
import * as CalculatorHandlers from "./calculator/CalculatorHttp.ts"
import * as CampaignHandlers from "./metering/CampaignsHttp.ts"
import * as ClientPackageHandlers from "./site/ClientPackagesHttp.ts"
import * as GuideHandlers from "./site/GuideHttp.ts"
import * as HealthHandlers from "./operation/HealthHttp.ts"
import * as KeyHandlers from "./keys/KeysHttp.ts"
import * as OrderHandlers from "./orders/OrdersHttp.ts"
import { makePublicly } from "./http/PublicAnswer.ts"
import * as PageHandlers from "./keys/LinksHttp.ts"
import * as WebhookHandlers from "./orders/WebhookHttp.ts"
import * as McpRoute from "./mcp/McpHttp.ts"
import { ProblemAnswers } from "./http/problems/ProblemAnswers.ts"
import { PublicUrl } from "./http/PublicUrl.ts"
import { CurrentRequest } from "./http/RequestState.ts"
import { makeRouteTable, recordRoutes } from "./http/server/RouteTable.ts"

const endpoints = HttpApiBuilder.layer(RoutedApi).pipe(
  Layer.provide([
    BenchmarkHandlers.layer,
    CampaignHandlers.layer,
    AccessHandlers.layer,
    KeyHandlers.layer,
    OrderHandlers.layer,
    HealthHandlers.layer
  ]),
  Layer.provide(ProblemAnswers.layer)
)

/** The OpenAPI document of the whole API, made when it is first asked for. */
const document = (api: ReturnType<typeof documentedAt>) =>
  HttpRouter.use(
    Effect.fnUntraced(function* (router) {
      const publicly = yield* makePublicly
      const made = yield* Effect.cached(Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(api))))
      yield* router.add("GET", "/openapi.json", publicly(made))
    })
  )

/** The document names the address that callers use. */
const documented = Layer.unwrap(Effect.map(PublicUrl, (publicUrl) => document(documentedAt(publicUrl))))

/** Notes which route answers the request, by its template. */
const noteRoute = HttpRouter.middleware((route) =>
  Effect.flatMap(HttpRouter.RouteContext, (context) =>
    Effect.flatMap(CurrentRequest, (request) => {
      request.route = context.route.path
      return route
    })
  )
)

/** Every route of the service. */
const layer = Layer.mergeAll(
  endpoints,
  documented,
  AssetHandlers.layer,
  ClientPackageHandlers.layer,
  GuideHandlers.layer,
  CalculatorHandlers.layer,
  PageHandlers.layer,
  OrderHandlers.pageLayer,
  AccountHandlers.layer,
  WebhookHandlers.layer,
  McpRoute.layer
).pipe(Layer.provide(noteRoute.layer))

/** Makes the application that answers every route, and the table of their methods. */
export const make = Effect.suspend(() => {
  const table = makeRouteTable()
  const routes = Layer.provide(layer, recordRoutes(table))
  return Effect.map(HttpRouter.toHttpEffect(routes), (app) => ({ app, table }))
})
