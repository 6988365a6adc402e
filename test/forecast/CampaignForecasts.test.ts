import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import { CampaignForecasts, type CampaignsCall } from "../../src/forecast/CampaignForecasts.ts"
import { application } from "../support/Application.ts"
import { issueKey } from "../support/Http.ts"
import { assumptionsOf } from "../support/Samples.ts"

describe("CampaignForecasts", () => {
  it.live("computes campaigns once where they are sent again meanwhile, and then gives the same answer", () =>
    Effect.gen(function* () {
      const { forecast } = yield* CampaignForecasts
      const { id: keyId } = yield* issueKey(1000)
      const assumptions = yield* assumptionsOf()
      const callOf = (key: string): CampaignsCall => ({
        keyId,
        campaigns: Array.from({ length: 200 }, (_, i) => ({ name: `Campaign ${i}`, ...assumptions })),
        format: "json",
        idempotency: { operation: "POST /api/v1/forecasts", key }
      })
      const ask = Effect.result(forecast(callOf("once")))
      const other = Effect.result(forecast(callOf("other")))
      const [first, again, another] = yield* Effect.all([ask, ask, other], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        [first, again, another].map((result) => (Result.isFailure(result) ? result.failure._tag : result._tag)),
        ["Success", "IdempotencyInProgress", "Success"]
      )
      const later = yield* ask
      assert.deepStrictEqual(
        Result.map(later, ({ answer, balance, reference }) => [answer, balance.remaining, reference]),
        Result.map(first, ({ answer }) => [answer, 600, undefined])
      )
    }).pipe(Effect.provide(application()))
  )
})
