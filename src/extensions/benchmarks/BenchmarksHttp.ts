import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { currentBenchmarks } from "./CurrentBenchmarks.ts"
import { apiOf } from "../../http/problems/ProblemResponses.ts"
import { BenchmarkGroup } from "./BenchmarksApi.ts"
import { publicCacheControl } from "../../http/ResponseHeaders.ts"

const api = apiOf(BenchmarkGroup)

const handlers = HttpApiBuilder.group(api, "benchmarks", (handlers) => {
  // The response is the same for everyone.
  const answer = HttpServerResponse.setHeaders(
    HttpServerResponse.jsonUnsafe(currentBenchmarks),
    publicCacheControl.of()
  )
  return Effect.succeed(handlers.handleRaw("benchmarks", () => Effect.succeed(answer)))
})

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
