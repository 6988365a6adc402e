import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Logger, References, Scope } from "effect"
import { TestClock } from "effect/testing"
import * as BackgroundJob from "../../src/observability/BackgroundJob.ts"

/** Logs into `lines`: the message and the job. */
const recorder = (lines: Array<string>) =>
  Logger.layer([
    Logger.make<unknown, void>(({ fiber, message }) => {
      const event = Array.isArray(message) ? String(message[0]) : String(message)
      lines.push(`${event} ${String(fiber.getRef(References.CurrentLogAnnotations)["job"])}`)
    })
  ])

describe("a background job", () => {
  it.effect("runs at its interval until the scope closes, and survives failures and defects", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      let runs = 0
      const run = Effect.suspend(() => {
        runs++
        if (runs === 1) return Effect.fail("failure")
        return runs === 2 ? Effect.die("defect") : Effect.void
      })
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(BackgroundJob.layer({ name: "sweep", run, every: "1 minute" }), scope).pipe(
        Effect.provide(recorder(lines))
      )
      yield* TestClock.adjust(0)
      assert.strictEqual(runs, 1)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(runs, 3)
      assert.deepStrictEqual(lines, ["background job failed sweep", "background job failed sweep"])
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("2 minutes")
      assert.strictEqual(runs, 3)
      assert.lengthOf(lines, 2)
    })
  )
})
