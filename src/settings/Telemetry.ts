import { Effect, Option, Schema } from "effect"
import { decoded, orElse, parsed } from "./Variable.ts"

/** Without a password: the code that reads the URL does not treat it as a secret. */
const collectorUrl = (text: string) =>
  Option.fromNullishOr(URL.parse(text)).pipe(
    Option.filter(({ password, protocol, username }) => /^https?:$/.test(protocol) && username + password === ""),
    Option.map(({ href }) => href.replace(/\/$/, ""))
  )

const Share = Schema.FiniteFromString.check(Schema.isBetween({ minimum: 0, maximum: 1 }))

/** Where metrics, logs and traces are sent, by the variables that OpenTelemetry's own tools have for it. */
export const telemetry = Effect.gen(function* () {
  return {
    /** The base of an OTLP collector that takes JSON over HTTP, without a trailing slash; if none, nothing is sent. */
    endpoint: yield* parsed(
      "OTEL_EXPORTER_OTLP_ENDPOINT",
      collectorUrl,
      "the URL of a collector that takes OTLP over HTTP, without a user name or password, like http://127.0.0.1:4318"
    ),
    /** The share of batches and requests that are traced. */
    sampledShare: yield* decoded("OTEL_TRACES_SAMPLER_ARG", Share, "a number from 0 to 1").pipe(orElse(0.1))
  }
})
