import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { benchmarks } from "../../forecast/benchmarks/Benchmarks.ts"
import { RoutedApi } from "../api/RoutedApi.ts"
import { cacheable } from "../ResponseHeaders.ts"

export const layer = HttpApiBuilder.group(RoutedApi, "benchmarks", (handlers) => {
  // The same for all: made once.
  const answer = HttpServerResponse.setHeaders(HttpServerResponse.jsonUnsafe(benchmarks), cacheable.of())
  return Effect.succeed(handlers.handleRaw("benchmarks", () => Effect.succeed(answer)))
})
