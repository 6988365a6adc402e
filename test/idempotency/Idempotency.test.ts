import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { IdempotentAnswers } from "../../src/idempotency/IdempotentAnswers.ts"
import { Idempotency } from "../../src/idempotency/Idempotency.ts"
import { application, storesWith } from "../support/Application.ts"

const request = (key: string) => ({ scope: "key_a", operation: "POST /", key, fingerprint: "f" })
const hour = 3_600_000

describe("Idempotency", () => {
  it.effect("repeats a response for 24 hours, and then computes a new one", () =>
    Effect.gen(function* () {
      const { once } = yield* Idempotency
      let performed = 0
      const ask = (key: string) =>
        once(request(key), (keep) => Effect.tap(Effect.succeed(`answer ${++performed}`), keep))
      assert.deepStrictEqual(yield* ask("old"), { answer: "answer 1", isReplay: false })
      yield* TestClock.adjust(23 * hour)
      yield* ask("new")
      assert.deepStrictEqual(yield* ask("old"), { answer: "answer 1", isReplay: true })
      yield* TestClock.adjust(hour)
      assert.deepStrictEqual(yield* ask("new"), { answer: "answer 2", isReplay: true })
      assert.deepStrictEqual(yield* ask("old"), { answer: "answer 3", isReplay: false })
    }).pipe(Effect.provide(application()))
  )

  it.effect("runs the same key of another operation or scope at the same time", () =>
    Effect.gen(function* () {
      const { once } = yield* Idempotency
      const others = [
        { ...request("same"), operation: "POST /other" },
        { ...request("same"), scope: "key_b" }
      ]
      const within = Effect.forEach(others, (other) => once(other, () => Effect.succeed("inner")))
      yield* once(request("same"), () => Effect.as(within, "outer"))
      assert.strictEqual(
        (yield* Effect.flip(
          once(request("same"), () =>
            Effect.map(
              once(request("same"), () => Effect.succeed("")),
              ({ answer }) => answer
            )
          )
        ))._tag,
        "IdempotencyInProgress"
      )
    }).pipe(Effect.provide(application()))
  )

  it.effect("neither replays nor stores anything without a key, and runs such calls concurrently", () =>
    Effect.gen(function* () {
      const { once } = yield* Idempotency
      const ask = <E>(answer: string, meanwhile: Effect.Effect<unknown, E>) =>
        once(undefined, (keep) => meanwhile.pipe(Effect.andThen(keep(answer)), Effect.as(answer)))
      const within = ask("inner", Effect.void)
      assert.deepStrictEqual(yield* within, { answer: "inner", isReplay: false })
      assert.deepStrictEqual(yield* ask("outer", within), { answer: "outer", isReplay: false })
    }).pipe(Effect.provide(application({ stores: storesWith(IdempotentAnswers, { put: () => Effect.die("kept") }) })))
  )
})
