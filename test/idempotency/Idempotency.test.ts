import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { AnswerStore } from "../../src/idempotency/AnswerStore.ts"
import { Idempotency, purging } from "../../src/idempotency/Idempotency.ts"
import { application, storesWith } from "../support/Application.ts"

const request = (key: string) => ({ scope: "key_a", operation: "POST /", key, fingerprint: "f" })
const hour = 3_600_000

describe("Idempotency", () => {
  it.effect("answers for 24 hours, after which the answer is deleted within a minute", () =>
    Effect.gen(function* () {
      const answers = yield* AnswerStore
      const { once } = yield* Idempotency
      let performed = 0
      const ask = (key: string) =>
        once(request(key), (keep) => Effect.tap(Effect.succeed(`answer ${++performed}`), keep))
      assert.deepStrictEqual(yield* ask("old"), { answer: "answer 1", isReplay: false })
      yield* TestClock.adjust(23 * hour)
      yield* ask("new")
      assert.deepStrictEqual(yield* ask("old"), { answer: "answer 1", isReplay: true })
      yield* Layer.build(purging)
      yield* TestClock.adjust(hour)
      const [old, recent] = yield* answers.find([request("old"), request("new")], -1)
      assert.isUndefined(old)
      assert.strictEqual(recent?.answer, "answer 2")
      assert.deepStrictEqual(yield* ask("old"), { answer: "answer 3", isReplay: false })
    }).pipe(Effect.provide(application()))
  )

  it.effect("neither recalls nor keeps anything without a request, and lets such requests run side by side", () =>
    Effect.gen(function* () {
      const { once } = yield* Idempotency
      const ask = <E>(answer: string, meanwhile: Effect.Effect<unknown, E>) =>
        once(undefined, (keep) => meanwhile.pipe(Effect.andThen(keep(answer)), Effect.as(answer)))
      const within = ask("inner", Effect.void)
      assert.deepStrictEqual(yield* within, { answer: "inner", isReplay: false })
      assert.deepStrictEqual(yield* ask("outer", within), { answer: "outer", isReplay: false })
    }).pipe(Effect.provide(application({ stores: storesWith(AnswerStore, { put: () => Effect.die("kept") }) })))
  )

  it.effect("deletes expired answers until none is left, however many a store deletes at once", () => {
    const left = [500, 500, 1, 0, 500]
    const purge = (since: number, now: number) =>
      Effect.sync(() => (now - since === 24 * hour ? (left.shift() ?? 0) : 0))
    return Effect.gen(function* () {
      yield* (yield* Idempotency).purge
      assert.deepStrictEqual(left, [500])
    }).pipe(Effect.provide(application({ stores: storesWith(AnswerStore, { purge }) })))
  })
})
