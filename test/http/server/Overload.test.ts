import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import { LedgerAudit } from "../../../src/credits/audit/LedgerAudit.ts"
import * as Server from "../../../src/http/server/Server.ts"
import { Commits, memoryCommits } from "../../support/Commits.ts"
import { type Answer, issueKey, post } from "../../support/Http.ts"
import { until } from "../../support/Process.ts"

const application = Server.layer.pipe(Layer.provideMerge(memoryCommits))

describe("Overload", () => {
  it.effect("503 with Retry-After for whoever comes while 1,000 debits wait; it costs nothing", () =>
    Effect.gen(function* () {
      const credits = yield* Credits
      const commits = yield* Commits
      const { verify } = yield* LedgerAudit
      const { id, secret } = yield* issueKey(2000)
      const forecast = post("/api/v1/forecast", { key: secret })
      assert.strictEqual((yield* forecast).status, 200)
      const isHeld = yield* Latch.make()
      const hold = yield* Latch.make()
      commits.before.push(Effect.andThen(isHeld.open, hold.await))
      const answers: Array<Answer> = []
      const noted = Effect.map(forecast, (answer) => answers.push(answer))
      const first = yield* Effect.forkChild(noted)
      yield* isHeld.await
      const others = yield* Effect.forkChild(
        Effect.replicateEffect(noted, 1100, { concurrency: "unbounded", discard: true })
      )
      yield* until(() => answers.length === 100)
      for (const { headers, problem, status } of answers) {
        assert.strictEqual(status, 503)
        assert.strictEqual(headers.get("retry-after"), "1")
        assert.include(problem, { code: "unavailable", retryable: true })
      }
      yield* hold.open
      yield* Fiber.join(first)
      yield* Fiber.join(others)
      assert.lengthOf(
        answers.filter(({ status }) => status === 200),
        1001
      )
      assert.deepStrictEqual(yield* credits.balance(id), { remaining: 998, granted: 2000 })
      assert.deepInclude(yield* verify(Effect.yieldNow), { entries: 1003, faults: [] })
    }).pipe(Effect.provide(application))
  )
})
