import { Array as Arr, Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApi, type HttpApiEndpoint, type HttpApiGroup, OpenApi } from "effect/http-api"
import { withCodeSamples } from "./http/document/CodeSamples.ts"
import { ApiDocument } from "./http/document/ApiDocument.ts"
import { withDeclarations } from "./http/document/EndpointDocument.ts"
import { nodeAt, nodesIn } from "./http/document/OpenApiDocument.ts"
import { AnyRefusal } from "./http/problems/HttpProblems.ts"
import { ProblemResponses } from "./http/problems/ProblemResponses.ts"
import type { Direct } from "./http/server/RequestPipeline.ts"
import { CurrentRequest, type RequestState } from "./http/RequestState.ts"
import { AccessGroup } from "./keys/AccessApi.ts"
import * as AccessHttp from "./keys/AccessHttp.ts"
import { UsageGroup } from "./metering/UsageApi.ts"
import * as UsageHttp from "./metering/UsageHttp.ts"
import { KeyGroup } from "./keys/KeysApi.ts"
import * as KeysHttp from "./keys/KeysHttp.ts"
import { added, inDocumentOrder } from "./Extension.ts"
import { extensions } from "./extensions.ts"
import { ForecastGroup, minimalAnswers } from "./metering/ForecastsApi.ts"
import { operations, type PaidOperation } from "./metering/Operations.ts"
import * as ForecastsHttp from "./metering/ForecastsHttp.ts"
import { HealthGroup } from "./health/HealthApi.ts"
import * as HealthHttp from "./health/HealthHttp.ts"
import { OrderGroup } from "./orders/OrdersApi.ts"
import * as OrdersHttp from "./orders/OrdersHttp.ts"
import { type Failure, isFailure, Problem, toProblem, toResponse } from "./Problems.ts"
import { errorPage } from "./site/ErrorPages.ts"
import * as SiteHttp from "./site/SiteHttp.ts"
import { addSiteLinks } from "./site/SiteLinks.ts"
import { version } from "./version.ts"

/** No licence is granted; SPDX has no identifier for that, so it needs one of our own. */
const license = { name: "Proprietary", identifier: "LicenseRef-Proprietary" }

/** Everything the service offers to programs, as shown by `/openapi.json` and `/docs`. */
class Api extends HttpApi.make("outreach-forecast")
  .add(
    ...inDocumentOrder(
      [ForecastGroup, AccessGroup, UsageGroup, KeyGroup, OrderGroup, HealthGroup],
      added(extensions, "groups").flat()
    )
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Outreach Forecast",
      version,
      description:
        "Turns the assumptions of a cold-email campaign into an ROI forecast: exact, deterministic, and clear about " +
        "what it cannot know. Estimates, not guarantees. Every API response that is not 2xx is " +
        "application/problem+json (RFC 9457). A browser gets a page instead: a request without a key whose Accept header " +
        "prefers text/html to application/json. Every response has X-Request-Id and X-Content-Type-Options: nosniff, and " +
        "Cache-Control: no-store unless it documents another; pages also have Content-Security-Policy, Referrer-Policy and, " +
        "over HTTPS, Strict-Transport-Security.",
      license,
      servers: [{ url: "/", description: "This server." }]
    })
  )
  .annotate(HttpApi.AdditionalSchemas, [AnyRefusal, ...minimalAnswers]) {}

/** Every failure that an endpoint declares: the compiler reports those that the table of problems lacks. */
type Groups = (typeof Api)["groups"]
type Declared = HttpApiEndpoint.Errors<HttpApiGroup.Endpoints<Groups[keyof Groups]>>

/** The operations with one answer for one credit. */
const paid: ReadonlyArray<PaidOperation> = [...Object.values(operations), ...added(extensions, "operations").flat()]

/** The operations that the clients have a method for. */
export const clientOperations = paid.flatMap(({ clientMethod, id, path }) =>
  clientMethod === undefined ? [] : [{ id, path, clientMethod }]
)

/** The API with its complete document, whose links and code samples use the address `publicUrl`. */
export const documentedAt = (publicUrl: string) =>
  Api.annotate(OpenApi.Transform, (spec) =>
    withCodeSamples(
      {
        ...withDeclarations(spec, Api),
        info: { ...nodeAt(spec, "info"), contact: { name: "Outreach Forecast", url: `${publicUrl}/` } },
        // The endpoints of an extension may stand under a title of the service.
        tags: Arr.dedupeWith(nodesIn(spec["tags"]), (a, b) => a["name"] === b["name"]),
        // Programs that import the document call this address; they have no other.
        servers: [{ url: publicUrl, description: "This service." }],
        externalDocs: { url: `${publicUrl}/docs/first-call`, description: "Guide" }
      },
      publicUrl,
      Object.fromEntries(clientOperations.map(({ clientMethod, id }) => [id, clientMethod]))
    )
  )

/** Records the template of the route that answers the request, and answers its failures. */
const answeredBy = (answer: (failure: Failure, request: RequestState) => HttpServerResponse.HttpServerResponse) =>
  HttpRouter.middleware<{ handles: Failure }>()((route) =>
    Effect.flatMap(HttpRouter.RouteContext, (context) =>
      Effect.flatMap(CurrentRequest, (request) => {
        request.route = context.route.path
        return Effect.catch(route, (error) =>
          isFailure(error) ? Effect.succeed(answer(error, request)) : Effect.fail(error)
        )
      })
    )
  )

/** The page for a failure of a page, whatever its client accepts. */
const toPage = (failure: Failure, request: RequestState): HttpServerResponse.HttpServerResponse => {
  request.problem = toProblem(failure, request)
  const { body, headers } = request.problem
  return HttpServerResponse.setHeaders(errorPage(body, headers), headers)
}

const document = Layer.succeed(ApiDocument, {
  at: (publicUrl) => OpenApi.fromApi(documentedAt(publicUrl)),
  problems: Problem
})

addSiteLinks(added(extensions, "links").flat())

/** The pages that people open in a browser. */
const pages = Layer.mergeAll(
  extensions.some((extension) => "hasHome" in extension) ? Layer.empty : SiteHttp.home,
  SiteHttp.openApi,
  OrdersHttp.layer,
  AccessHttp.layer,
  ...added(extensions, "pages")
).pipe(
  Layer.provide(document),
  Layer.provide(answeredBy(toPage).layer),
  Layer.provide(Layer.mergeAll(Layer.empty, ...added(extensions, "aroundPages")))
)

const endpoints = Effect.zipWith(ForecastsHttp.endpointsOf(paid), UsageHttp.endpoints, (paid, usage) => [
  ...paid,
  ...usage
])

/** The endpoints that are answered without the router. */
export const direct: Direct<Failure, Effect.Services<typeof endpoints>> = { endpoints, toProblem }

/** All routes: other endpoints, and pages. */
export const routes = Layer.mergeAll(
  pages,
  KeysHttp.layer,
  UsageHttp.layer,
  HealthHttp.layer,
  SiteHttp.assets,
  SiteHttp.security,
  ...added(extensions, "routes")
).pipe(
  Layer.provide(ProblemResponses.layer<Failure | Declared>({ isFailure, toResponse })),
  Layer.provide(answeredBy(toResponse).layer)
)
