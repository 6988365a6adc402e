import { Context, Effect, Layer, Option, Random, References } from "effect"
import { FetchHttpClient } from "effect/http"
import * as Otlp from "effect/observability/Otlp"
import { Settings } from "../Settings.ts"

/** The share of batches and requests with spans, from 0 to 1; 0 if there is no collector. */
export const SampledShare = Context.Reference<number>("outreach-forecast/observability/SampledShare", {
  defaultValue: () => 0
})

/** Creates a root span for a share of the runs of an effect; the others have no spans at all, not even nested ones. */
export const sampled =
  (name: string, attributes: Readonly<Record<string, string | number>>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(SampledShare, (share) =>
      share === 0
        ? effect
        : Effect.flatMap(Random.next, (drawn) =>
            drawn < share
              ? Effect.withSpan(effect, name, { attributes, root: true })
              : Effect.provideService(effect, References.TracerEnabled, false)
          )
    )

const untraced = Layer.succeed(References.TracerEnabled, false)

/**
 * Sends metrics, logs and traces to an OpenTelemetry collector if one is configured; otherwise no spans are created. The log
 * still goes to standard error; request lines are written only there.
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
