import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, OpenApi } from "effect/http-api"
import { Usage } from "../credits/Usage.ts"
import { exampleAssumptions, ForecastRequest } from "../campaign/Assumptions.ts"
import { computeForecast, Forecast } from "../forecast/Forecast.ts"
import { computeLegacyForecast, LegacyForecast } from "../forecast/LegacyForecast.ts"
import { SubKeyAuthentication } from "../keys/AuthenticationApi.ts"
import { forecasts } from "./CampaignsApi.ts"
import { forecastFailures } from "./forecastFailures.ts"
import { withHeaders } from "../http/document/OpenApiDocument.ts"
import { exampleComputed } from "../http/document/PlainSchemas.ts"
import { headersOf } from "../http/ResponseHeaders.ts"
import { withIdempotencyKey } from "../idempotency/IdempotencyDocument.ts"

/** Marks every response of an endpoint, including refusals, as deprecated. */
export class Deprecation extends HttpApiMiddleware.Service<Deprecation>()("outreach-forecast/http/Deprecation") {}

export const ForecastAnswer = Schema.Struct({ ...Forecast.fields, usage: Usage }).annotate({
  identifier: "ForecastAnswer",
  description: "The forecast of a campaign, and the usage and remaining credits of the key.",
  examples: exampleComputed(() => ({
    ...computeForecast(exampleAssumptions).forecast,
    usage: { month: "2026-11", requests: 1, credits_remaining: 99 }
  }))
})

const LegacyForecastAnswer = Schema.Struct({ ...LegacyForecast.fields, usage: Usage }).annotate({
  identifier: "LegacyForecastAnswer",
  description: "The forecast of a campaign with a campaign score and a risk level.",
  examples: exampleComputed(() => ({
    ...computeLegacyForecast(exampleAssumptions),
    usage: { month: "2026-11", requests: 2, credits_remaining: 98 }
  }))
})

export const ForecastGroup = HttpApiGroup.make("forecasts")
  .add(
    HttpApiEndpoint.post("forecast", "/api/v1/forecast", {
      payload: ForecastRequest,
      success: ForecastAnswer,
      error: forecastFailures
    })
      .middleware(SubKeyAuthentication)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "forecast",
          summary: "Forecast a campaign",
          description:
            "Computes replies, meetings, clients, revenue, ROI and costs of a campaign in exact decimal arithmetic. A 200 " +
            "takes one credit. No other response does, with one exception: if the response was lost, or was 503 " +
            "unavailable, the credit may have been taken. With an Idempotency-Key a request takes at most one credit, " +
            "however often it is sent.",
          transform: withIdempotencyKey
        })
      ),
    HttpApiEndpoint.post("legacyForecast", "/api/v1/service/roi", {
      payload: ForecastRequest,
      success: LegacyForecastAnswer,
      error: forecastFailures
    })
      .middleware(SubKeyAuthentication)
      .middleware(Deprecation)
      .annotateMerge(
        OpenApi.annotations({
          identifier: "legacyForecast",
          summary: "Forecast a campaign (legacy)",
          description:
            "The forecast, with a campaign score and a risk level added. The endpoint stays available; new programs should " +
            "use POST /api/v1/forecast. Its errors also have the headers Deprecation and Link.",
          deprecated: true,
          transform: (operation) => withHeaders(withIdempotencyKey(operation), headersOf.deprecated)
        })
      ),
    forecasts
  )
  .annotateMerge(OpenApi.annotations({ title: "Forecasts", description: "Campaign forecasts, one credit each." }))
