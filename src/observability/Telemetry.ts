import { Effect, Layer, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Otlp from "effect/observability/Otlp"
import { Settings } from "../Settings.ts"
import { SampledShare } from "./Tracing.ts"

const untraced = Layer.succeed(References.TracerEnabled, false)

/**
 * Sends metrics, logs and traces to an OpenTelemetry collector where one is configured; else no span is ever made. The log
 * goes on on standard error; its line for each request stays there alone.
 */
export const layer = Layer.unwrap(
  Effect.map(Settings, ({ telemetry: { endpoint, sampledShare } }) =>
    Option.match(endpoint, {
      onNone: () => untraced,
      onSome: (baseUrl) =>
        Otlp.layerJson({
          baseUrl,
          resource: { serviceName: "outreach-forecast" },
          loggerMergeWithExisting: true
        }).pipe(Layer.provide(FetchHttpClient.layer), Layer.merge(Layer.succeed(SampledShare, sampledShare)))
    })
  )
)
