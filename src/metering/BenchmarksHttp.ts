import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { currentBenchmarks } from "../forecast/benchmarks/CurrentBenchmarks.ts"
import { RoutedApi } from "../RoutedApi.ts"
import { publicCacheControl } from "../http/ResponseHeaders.ts"

export const layer = HttpApiBuilder.group(RoutedApi, "benchmarks", (handlers) => {
  // The same for all: made once.
  const answer = HttpServerResponse.setHeaders(
    HttpServerResponse.jsonUnsafe(currentBenchmarks),
    publicCacheControl.of()
  )
  return Effect.succeed(handlers.handleRaw("benchmarks", () => Effect.succeed(answer)))
})
