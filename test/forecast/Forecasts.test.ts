import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Assumptions } from "../../src/forecast/Assumptions.ts"
import { Forecasts } from "../../src/forecast/Forecasts.ts"
import { application } from "../support/Application.ts"
import { issueKey } from "../support/Http.ts"
import { assumptionsOf } from "../support/Samples.ts"

/** Assumptions that count how often a forecast looks at one of them. */
const counted = (assumptions: Assumptions) => {
  let reads = 0
  const watched: Assumptions = {
    ...assumptions,
    get reply_rate() {
      reads++
      return assumptions.reply_rate
    }
  }
  return { watched, reads: () => reads }
}

describe("Forecasts", () => {
  it.effect("computes once what is asked for again and again, and charges each time", () =>
    Effect.gen(function* () {
      const forecasts = yield* Forecasts
      const { id: keyId } = yield* issueKey(10)
      const { reads, watched } = counted(yield* assumptionsOf())
      const ask = (kind: "forecast" | "legacy", isRepeated = true) =>
        Effect.map(
          forecasts.forecast({ kind, keyId, assumptions: watched, idempotency: undefined, isRepeated }),
          ({ answer, balance }) => ({ texts: answer.split(',"usage":'), remaining: balance.remaining })
        )
      yield* ask("forecast", false)
      const once = reads()
      assert.isAbove(once, 0)
      const first = yield* ask("forecast")
      const computed = reads()
      assert.strictEqual(computed, 2 * once)
      const second = yield* ask("forecast")
      assert.strictEqual(reads(), computed)
      assert.strictEqual(second.texts[0], first.texts[0])
      assert.deepStrictEqual([first.remaining, second.remaining], [8, 7])
      assert.include(first.texts[1], '"requests":2,')
      assert.include(second.texts[1], '"requests":3,')
      // Another kind of answer to the same is another answer.
      const legacy = yield* ask("legacy")
      assert.isAbove(reads(), computed)
      assert.include(legacy.texts[0], '"campaign_score":')
      assert.notInclude(first.texts[0], '"campaign_score":')
    }).pipe(Effect.provide(application()))
  )
})
