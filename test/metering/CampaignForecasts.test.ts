import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { CampaignForecasts, type AuthenticatedList } from "../../src/metering/CampaignForecasts.ts"
import { WorkerPool } from "../../src/workers/WorkerPool.ts"
import { application } from "../support/Application.ts"
import { campaigns } from "../support/CampaignRequests.ts"
import { issueKey } from "../support/Http.ts"

describe("CampaignForecasts", () => {
  it.live("computes one of two equal concurrent lists, and returns its response to both", () =>
    Effect.gen(function* () {
      const { forecast } = yield* CampaignForecasts
      const { id: keyId } = yield* issueKey(1000)
      const callOf = (key: string): AuthenticatedList => ({
        keyId,
        body: { text: JSON.stringify({ campaigns: campaigns(200) }), format: "json" },
        format: "json",
        idempotency: { operation: "POST /api/v1/forecasts", key }
      })
      const request = Effect.result(forecast(callOf("once")))
      const other = Effect.result(forecast(callOf("other")))
      const [first, again, another] = yield* Effect.all([request, request, other], { concurrency: "unbounded" })
      const tagOf = (result: typeof first) => (Result.isFailure(result) ? result.failure._tag : result._tag)
      // Either of the two may come first.
      assert.deepStrictEqual([first, again].map(tagOf).toSorted(), ["IdempotencyInProgress", "Success"])
      assert.strictEqual(tagOf(another), "Success")
      const computed = Result.isSuccess(first) ? first : again
      const later = yield* request
      assert.deepStrictEqual(
        Result.map(later, ({ answer: response, balance, reference }) => [response, balance.remaining, reference]),
        Result.map(computed, ({ answer: response }) => [response, 600, undefined])
      )
    }).pipe(
      Effect.provide(CampaignForecasts.layer.pipe(Layer.provideMerge(application({ workers: WorkerPool.layer }))))
    )
  )
})
