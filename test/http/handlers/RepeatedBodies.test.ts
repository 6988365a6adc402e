import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { httpApplication, issueKey, post } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"

describe("a body that is sent again", () => {
  layer(httpApplication())((it) => {
    it.effect("gets the same answer, for the key that sends it and the endpoint that it is sent to", () =>
      Effect.gen(function* () {
        const [ada, bob] = [yield* issueKey(10), yield* issueKey(5)]
        const ask = (path: string, key: string, body: string) =>
          Effect.map(post(path, { key, body }), ({ json: { usage, ...answer }, status }) => ({ status, usage, answer }))
        const body = JSON.stringify(sample)
        const first = yield* ask("/api/v1/forecast", ada.secret, body)
        const again = yield* ask("/api/v1/forecast", bob.secret, body)
        for (let i = 2; i <= 5; i++) {
          const repeated = yield* ask("/api/v1/forecast", ada.secret, body)
          assert.deepStrictEqual(repeated.answer, first.answer)
          assert.deepInclude(repeated.usage, { requests: i, credits_remaining: 10 - i })
        }
        const legacy = yield* ask("/api/v1/service/roi", bob.secret, body)
        assert.deepStrictEqual(again.answer, first.answer)
        assert.deepInclude(first.usage, { requests: 1, credits_remaining: 9 })
        assert.deepInclude(again.usage, { requests: 1, credits_remaining: 4 })
        assert.deepInclude(legacy.usage, { requests: 2, credits_remaining: 3 })
        assert.containsAllKeys(legacy.answer, ["campaign_score", "risk_level"])
        assert.doesNotHaveAnyKeys(again.answer, ["campaign_score", "risk_level"])
        const other = yield* ask("/api/v1/forecast", bob.secret, body.replace('"reply_rate":5', '"reply_rate":6'))
        assert.notDeepEqual(other.answer, first.answer)
      })
    )

    it.effect("is refused each time where it was refused, and costs nothing", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(10)
        const body = JSON.stringify({ ...sample, reply_rate: 500 })
        for (let i = 0; i < 3; i++) {
          const { problem, status } = yield* post("/api/v1/forecast", { key: secret, body })
          assert.deepStrictEqual(
            [status, problem.code, problem.errors?.[0]?.pointer],
            [400, "invalid_input", "/reply_rate"]
          )
        }
        const { json } = yield* post("/api/v1/forecast", { key: secret, body: JSON.stringify(sample) })
        assert.deepInclude(json["usage"], { requests: 1, credits_remaining: 9 })
      })
    )
  })
})
