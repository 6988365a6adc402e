import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Queue } from "effect"
import { batched, type Batching } from "../../src/database/Batched.ts"

/** Doubles even numbers and refuses odd ones. Notes its batches, and ends each as the test says, one word a batch. */
const makeDoubling = Effect.fnUntraced(function* (
  capacity: number,
  batching: Batching = { atOnce: 1, largest: Infinity }
) {
  const batches: Array<ReadonlyArray<number>> = []
  const words = yield* Queue.unbounded<Effect.Effect<void>>()
  const double = yield* batched({ ...batching, capacity }, (items: ReadonlyArray<number>) =>
    Effect.gen(function* () {
      batches.push(items)
      yield* Effect.flatten(Queue.take(words))
      return items.map((item) => (item % 2 === 0 ? Exit.succeed(item * 2) : Exit.fail(`${item} is odd`)))
    })
  )
  /** Begins a call for each item, and returns once the first of them run. */
  const begin = Effect.fnUntraced(function* (...items: ReadonlyArray<number>) {
    const fibers = yield* Effect.forEach(items, (item) => Effect.forkChild(double(item), { startImmediately: true }))
    yield* settled
    return fibers
  })
  const end = (word: Effect.Effect<void> = Effect.void) => Effect.andThen(Queue.offer(words, word), settled)
  return { batches, begin, double, end }
})

/** Lets everything run that can; the clock stands still. */
const settled = Effect.replicateEffect(Effect.yieldNow, 20, { discard: true })

const exitsOf = (fibers: ReadonlyArray<Fiber.Fiber<number, unknown>>) => Effect.forEach(fibers, Fiber.await)

describe("batched", () => {
  it.effect("does one that comes alone at once, without a timer", () =>
    Effect.gen(function* () {
      const { batches, double, end } = yield* makeDoubling(10)
      yield* end()
      assert.strictEqual(yield* double(2), 4)
      assert.deepStrictEqual(batches, [[2]])
    })
  )

  it.effect("does those together, in order, that arrive while others are being done", () =>
    Effect.gen(function* () {
      const { batches, begin, end } = yield* makeDoubling(10)
      const [first] = yield* begin(2)
      const later = yield* begin(8, 3, 4, 3)
      assert.deepStrictEqual(batches, [[2]])
      yield* end()
      assert.deepStrictEqual(first?.pollUnsafe(), Exit.succeed(4))
      assert.deepStrictEqual(batches, [[2], [8, 3, 4, 3]])
      assert.deepStrictEqual(
        later.map((fiber) => fiber.pollUnsafe()),
        [undefined, undefined, undefined, undefined]
      )
      yield* end()
      const odd = Exit.fail("3 is odd")
      assert.deepStrictEqual(yield* exitsOf(later), [Exit.succeed(16), odd, Exit.succeed(8), odd])
    })
  )

  it.effect("fails all of a batch that fails, and does the next", () =>
    Effect.gen(function* () {
      const { batches, begin, end } = yield* makeDoubling(10)
      const [first] = yield* begin(2)
      const failed = yield* begin(4, 5)
      yield* end()
      const fault = new Error("The commit failed")
      yield* end(Effect.die(fault))
      assert.deepStrictEqual(batches, [[2], [4, 5]])
      assert.deepStrictEqual(first?.pollUnsafe(), Exit.succeed(4))
      assert.deepStrictEqual(yield* exitsOf(failed), [Exit.die(fault), Exit.die(fault)])
      const [after] = yield* begin(8)
      yield* end()
      assert.deepStrictEqual(after?.pollUnsafe(), Exit.succeed(16))
    })
  )

  it.effect("lets so many wait and no more; who comes after them is refused at once", () =>
    Effect.gen(function* () {
      const { batches, begin, end } = yield* makeDoubling(3)
      yield* begin(2)
      const fibers = yield* begin(4, 6, 8, 10, 12)
      const refused = fibers.slice(3).map((fiber) => fiber.pollUnsafe())
      for (const exit of refused) {
        assert.include(exit && Exit.isFailure(exit) && Cause.squash(exit.cause), { _tag: "Overloaded" })
      }
      yield* end()
      yield* end()
      assert.deepStrictEqual(batches, [[2], [4, 6, 8]])
      assert.deepStrictEqual(yield* exitsOf(fibers.slice(0, 3)), [8, 12, 16].map(Exit.succeed))
      const [after] = yield* begin(14)
      yield* end()
      assert.deepStrictEqual(after?.pollUnsafe(), Exit.succeed(28))
    })
  )

  it.effect("does as many batches at once as it may, none of them larger than it may be", () =>
    Effect.gen(function* () {
      const { batches, begin, end } = yield* makeDoubling(10, { atOnce: 2, largest: 3 })
      const fibers = [...(yield* begin(2)), ...(yield* begin(4)), ...(yield* begin(6, 8, 10, 12, 14))]
      assert.deepStrictEqual(batches, [[2], [4]])
      yield* end()
      yield* end()
      assert.deepStrictEqual(batches, [[2], [4], [6, 8, 10], [12, 14]])
      yield* end()
      yield* end()
      assert.deepStrictEqual(yield* exitsOf(fibers), [4, 8, 12, 16, 20, 24, 28].map(Exit.succeed))
    })
  )
})
