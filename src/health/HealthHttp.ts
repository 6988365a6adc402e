import { Effect, Layer } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { HealthGroup } from "./HealthApi.ts"
import { DatabaseHealth } from "../database/DatabaseHealth.ts"
import { Unavailable } from "../http/problems/HttpFailures.ts"
import { apiOf } from "../http/problems/ProblemResponses.ts"
import { Draining } from "../http/server/Draining.ts"

const api = apiOf(HealthGroup)

const handlers = HttpApiBuilder.group(
  api,
  "health",
  Effect.fnUntraced(function* (handlers) {
    const database = yield* DatabaseHealth
    const draining = yield* Draining
    return handlers.handleAll({
      live: () => Effect.succeed({ status: "ok" } as const),
      ready: () =>
        Effect.suspend(() =>
          draining.isDraining() ? new Unavailable() : Effect.as(database.check, { status: "ok" } as const)
        )
    })
  })
)

export const layer = HttpApiBuilder.layer(api).pipe(Layer.provide(handlers))
