import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { IdempotentAnswers } from "../../src/idempotency/IdempotentAnswers.ts"
import { Idempotency, IdempotencyInProgress } from "../../src/idempotency/Idempotency.ts"
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

  it.effect(
    "gives callers that wait the answer of the first as soon as there is one, or else answers one of them",
    () =>
      Effect.gen(function* () {
        const { once, untilAnswered } = yield* Idempotency
        for (const [key, isLost] of [
          ["kept", false],
          ["lost", true]
        ] as const) {
          const go = yield* Deferred.make<void>()
          let performed = 0
          const ask = once(request(key), (keep) =>
            Effect.gen(function* () {
              const answer = `answer ${++performed}`
              if (performed > 1) return yield* Effect.as(keep(answer), answer)
              yield* Deferred.await(go)
              return yield* isLost ? Effect.fail("lost") : Effect.as(keep(answer), answer)
            })
          )
          const first = yield* Effect.forkChild(Effect.result(ask), { startImmediately: true })
          const waiting = yield* Effect.forkChild(
            Effect.all([untilAnswered(request(key), ask), untilAnswered(request(key), ask)], { concurrency: 2 }),
            { startImmediately: true }
          )
          assert.instanceOf(yield* Effect.flip(ask), IdempotencyInProgress)
          yield* Deferred.succeed(go, undefined)
          // The clock stands still: nothing is polled.
          const answers = yield* Fiber.join(waiting)
          const answer = isLost ? "answer 2" : "answer 1"
          assert.sameDeepMembers(answers, [
            { answer, isReplay: !isLost },
            { answer, isReplay: true }
          ])
          assert.strictEqual((yield* Fiber.join(first))._tag, isLost ? "Failure" : "Success")
        }
      }).pipe(Effect.provide(application()))
  )

  it.effect("looks every 100 ms for the answer of another process, which says nothing when it has one", () =>
    Effect.gen(function* () {
      const { once, untilAnswered } = yield* Idempotency
      const { put } = yield* IdempotentAnswers
      let performed = 0
      const ask = once(request("theirs"), (keep) =>
        Effect.gen(function* () {
          if (++performed === 2) yield* put([{ ...request("theirs"), answer: "theirs", createdAt: 300 }])
          return yield* performed === 1 ? new IdempotencyInProgress() : Effect.as(keep("ours"), "ours")
        })
      )
      const waiting = yield* Effect.forkChild(untilAnswered(request("theirs"), ask), { startImmediately: true })
      yield* TestClock.adjust(99)
      assert.strictEqual(performed, 1)
      yield* TestClock.adjust(1)
      assert.strictEqual(performed, 2)
      yield* TestClock.adjust(100)
      assert.deepStrictEqual(yield* Fiber.join(waiting), { answer: "theirs", isReplay: true })
      assert.strictEqual(performed, 2)
    }).pipe(Effect.provide(application()))
  )

  it.effect("waits for at most 20 seconds in all, also if one after another is at work", () =>
    Effect.gen(function* () {
      const { exclusively, untilAnswered } = yield* Idempotency
      const during = (millis: number) => exclusively(request("slow"), Effect.sleep(millis))
      const since = yield* Clock.currentTimeMillis
      yield* Effect.forkChild(during(15_000), { startImmediately: true })
      const second = yield* Effect.forkChild(untilAnswered(request("slow"), during(15_000)), { startImmediately: true })
      const third = yield* Effect.forkChild(
        Effect.flatMap(Effect.flip(untilAnswered(request("slow"), during(15_000))), ({ _tag }) =>
          Effect.map(Clock.currentTimeMillis, (now) => [_tag, now - since])
        ),
        { startImmediately: true }
      )
      yield* TestClock.adjust(19_999)
      assert.isUndefined(third.pollUnsafe())
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* Fiber.join(third), ["IdempotencyInProgress", 20_000])
      yield* TestClock.adjust(10_000)
      yield* Fiber.join(second)
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
