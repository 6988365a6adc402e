import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiBuilder, OpenApi } from "effect/http-api"
import { documentedAt } from "../api/Api.ts"
import { RoutedApi } from "../api/RoutedApi.ts"
import * as AccessHandlers from "../handlers/AccessHandlers.ts"
import * as AssetHandlers from "../handlers/AssetHandlers.ts"
import * as AccountHandlers from "../handlers/AccountHandlers.ts"
import * as BenchmarkHandlers from "../handlers/BenchmarkHandlers.ts"
import * as CalculatorHandlers from "../handlers/CalculatorHandlers.ts"
import * as CampaignHandlers from "../handlers/CampaignHandlers.ts"
import * as ClientPackageHandlers from "../handlers/ClientPackageHandlers.ts"
import * as GuideHandlers from "../handlers/GuideHandlers.ts"
import * as HealthHandlers from "../handlers/HealthHandlers.ts"
import * as KeyHandlers from "../handlers/KeyHandlers.ts"
import * as OrderHandlers from "../handlers/OrderHandlers.ts"
import { makePublicly } from "../handlers/PublicAnswer.ts"
import * as PageHandlers from "../handlers/PageHandlers.ts"
import * as WebhookHandlers from "../handlers/WebhookHandlers.ts"
import * as McpRoute from "../mcp/McpRoute.ts"
import { ProblemAnswers } from "../problems/ProblemAnswers.ts"
import { PublicUrl } from "../PublicUrl.ts"
import { CurrentRequest } from "../RequestState.ts"
import { makeRouteTable, recordRoutes } from "./RouteTable.ts"

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
