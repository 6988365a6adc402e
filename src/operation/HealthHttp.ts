import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { RoutedApi } from "../RoutedApi.ts"

export const layer = HttpApiBuilder.group(
  RoutedApi,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const database = yield* DatabaseHealth
    return handlers.handleAll({
      live: () => Effect.succeed({ status: "ok" } as const),
      ready: () => Effect.as(database.check, { status: "ok" } as const)
    })
  })
)
