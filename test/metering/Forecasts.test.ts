import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Result } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { Forecasts } from "../../src/metering/Forecasts.ts"
import { operations } from "../../src/metering/Operations.ts"
import { application } from "../support/Application.ts"
import { issueKey } from "../support/Http.ts"
import { sample } from "../support/Samples.ts"

describe("equal calls at the same time", () => {
  for (const [name, key, outcomes] of [
    ["wait for the first without an Idempotency-Key, and get its answer", undefined, ["charged", "replayed"]],
    ["are refused with one while the first is being answered", "once", ["IdempotencyInProgress", "charged"]]
  ] as const) {
    it.effect(`${name}; one is charged`, () =>
      Effect.gen(function* () {
        const { forecast } = yield* Forecasts
        const { id } = yield* issueKey(10)
        const call = forecast({
          keyId: id,
          idempotency: { operation: "POST /", key },
          request: Result.getOrThrow(operations.forecast.read(sample))
        }).pipe(
          Effect.match({
            onFailure: ({ _tag }) => _tag,
            onSuccess: ({ reference }) => (reference === undefined ? "replayed" : "charged")
          })
        )
        assert.sameMembers(yield* Effect.all([call, call], { concurrency: 2 }), [...outcomes])
        assert.strictEqual((yield* (yield* Credits).balance(id)).remaining, 9)
      }).pipe(Effect.provide(Forecasts.layer.pipe(Layer.provideMerge(application()))))
    )
  }
})
