import { Effect, Layer, Option, References } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Otlp from "effect/observability/Otlp"
import { Settings } from "../Settings.ts"
import { SampledShare } from "./Telemetry.ts"

const untraced = Layer.succeed(References.TracerEnabled, false)

/**
 * Sends metrics, logs and traces to an OpenTelemetry collector if one is configured; otherwise no spans are created.
 * The log still goes to standard error; request lines are written only there.
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
