import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Forecaster } from "../../src/forecast/Forecaster.ts"
import { Forecasts } from "../../src/metering/Forecasts.ts"
import { application } from "../support/Application.ts"
import { body, campaigns } from "../support/CampaignRequests.ts"
import { issueKey } from "../support/Http.ts"

describe("Forecasts of a list", () => {
  it.live("computes one of two equal concurrent lists, and returns its response to both", () =>
    Effect.gen(function* () {
      const forecaster = yield* Forecaster
      const { list } = yield* Forecasts
      const { id: keyId } = yield* issueKey(1000)
      const call = (key: string) =>
        Effect.result(
          list({
            keyId,
            decode: forecaster.list({ text: body(campaigns(100)), type: "json", answer: "json" }, keyId),
            answer: "json",
            idempotency: { operation: "POST /api/v1/forecasts", key }
          })
        )
      const request = call("once")
      const other = call("other")
      const [first, again, another] = yield* Effect.all([request, request, other], { concurrency: "unbounded" })
      const tagOf = (result: typeof first) => (Result.isFailure(result) ? result.failure._tag : result._tag)
      // Either of the two may come first.
      assert.deepStrictEqual([first, again].map(tagOf).toSorted(), ["IdempotencyInProgress", "Success"])
      assert.strictEqual(tagOf(another), "Success")
      const computed = Result.isSuccess(first) ? first : again
      const later = yield* request
      assert.deepStrictEqual(
        Result.map(later, ({ answer: response, balance, reference }) => [response, balance.remaining, reference]),
        Result.map(computed, ({ answer: response }) => [response, 800, undefined])
      )
    }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(application()))))
  )
})
