import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch, Layer, Result } from "effect"
import { Lists } from "../../../src/extensions/lists/Lists.ts"
import { Forecasts } from "../../../src/metering/Forecasts.ts"
import { application } from "../../support/Application.ts"
import { body, campaigns } from "../../support/CampaignRequests.ts"
import { issueKey } from "../../support/Http.ts"

describe("Lists", () => {
  it.live("computes one of two equal concurrent lists, and returns its response to both", () =>
    Effect.gen(function* () {
      const { decode, forecast } = yield* Lists
      const { id: keyId } = yield* issueKey(1000)
      const call = (key: string) =>
        Effect.result(
          forecast({
            keyId,
            decode: decode({ text: body(campaigns(100)), type: "json", answer: "json" }, keyId),
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
    }).pipe(Effect.provide(Lists.layer.pipe(Layer.provideMerge(Forecasts.layer), Layer.provideMerge(application()))))
  )

  it.effect(
    "has one list of a key in progress and three that wait in order, and those of another key beside them",
    () =>
      Effect.gen(function* () {
        const { decode } = yield* Lists
        const order: Array<string> = []
        const request = { text: body(campaigns(1)), type: "json", answer: "json" } as const
        const hold = yield* Latch.make()
        const begin = (of: string, name: string) =>
          decode(request, of).pipe(
            Effect.tap(() => Effect.sync(() => order.push(name))),
            Effect.andThen(hold.await),
            Effect.scoped,
            Effect.forkChild({ startImmediately: true })
          )
        const lists = []
        for (const name of ["a1", "a2", "a3", "b1"]) lists.push(yield* begin(name.slice(0, 1), name))
        assert.deepStrictEqual(order, ["a1", "b1"])
        lists.push(yield* begin("a", "a4"))
        assert.strictEqual((yield* Effect.flip(Effect.scoped(decode(request, "a"))))._tag, "Overloaded")
        yield* Fiber.interrupt(yield* begin("b", "b2"))
        yield* hold.open
        yield* Effect.forEach(lists, Fiber.join)
        assert.deepStrictEqual(order, ["a1", "b1", "a2", "a3", "a4"])
      }).pipe(Effect.provide(Lists.layer.pipe(Layer.provideMerge(Forecasts.layer), Layer.provideMerge(application()))))
  )

  it.effect("has 50 lists of all keys in progress or waiting, and refuses more until one of them has ended", () =>
    Effect.gen(function* () {
      const { decode } = yield* Lists
      const decoded = (of: string) => decode({ text: body(campaigns(1)), type: "json", answer: "json" }, of)
      const held = yield* Effect.forEach(Array.from({ length: 50 }), (_, index) =>
        decoded(`${index}`).pipe(
          Effect.andThen(Effect.never),
          Effect.scoped,
          Effect.forkChild({ startImmediately: true })
        )
      )
      const another = Effect.scoped(decoded("another"))
      assert.strictEqual((yield* Effect.flip(another))._tag, "Overloaded")
      yield* Effect.forEach(held.slice(0, 1), Fiber.interrupt)
      assert.strictEqual((yield* another).campaigns, 1)
    }).pipe(Effect.provide(Lists.layer.pipe(Layer.provideMerge(Forecasts.layer), Layer.provideMerge(application()))))
  )
})
