import { assert, describe, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Fiber, Latch, Result } from "effect"
import { inBatch, makeBatches } from "../../src/database/Batches.ts"

const turnOfTheEventLoop = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Batches begin in a turn without a new item. */
const turnWithoutItems = Effect.andThen(turnOfTheEventLoop, turnOfTheEventLoop)

/** Doubles numbers in batches that wait for a latch; odd numbers fail. */
const makeDouble = Effect.fnUntraced(function* (sizes: { readonly atOnce?: number; readonly most?: number } = {}) {
  const gate = yield* Latch.make(true)
  const batches: Array<ReadonlyArray<number>> = []
  const add = makeBatches({
    name: "double",
    atOnce: 1,
    most: 100,
    ...sizes,
    all: (items: ReadonlyArray<number>) =>
      Effect.suspend(() => {
        batches.push(items)
        return Effect.as(
          gate.await,
          items.map((item) => (item % 2 === 0 ? Exit.succeed(2 * item) : Exit.fail(`${item} is odd`)))
        )
      })
  })
  return { add, batches, double: (item: number) => inBatch(add, item), gate }
})

describe("a batch", () => {
  it.effect("runs the items of one turn as one batch, and gives each caller its own result", () =>
    Effect.gen(function* () {
      const { batches, double } = yield* makeDouble()
      const results = yield* Effect.forEach([2, 3, 4], (item) => Effect.result(double(item)), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(results, [Result.succeed(4), Result.fail("3 is odd"), Result.succeed(8)])
      assert.deepStrictEqual(batches, [[2, 3, 4]])
    })
  )

  it.effect("runs the items that arrive turn after turn as one batch", () =>
    Effect.gen(function* () {
      const { batches, double } = yield* makeDouble()
      // The test before ends in a turn in which batches begin.
      yield* turnOfTheEventLoop
      for (const item of [2, 4, 6]) {
        yield* Effect.forkChild(double(item), { startImmediately: true })
        yield* turnOfTheEventLoop
      }
      yield* turnOfTheEventLoop
      assert.deepStrictEqual(batches, [[2, 4, 6]])
    })
  )

  it.effect("begins a batch even if each turn brings another item", () =>
    Effect.gen(function* () {
      const { batches, double } = yield* makeDouble()
      while (batches.length === 0) {
        yield* Effect.forkChild(double(2), { startImmediately: true })
        yield* turnOfTheEventLoop
      }
    })
  )

  it.effect("collects items while the maximum number of batches is running, up to the maximum size of a batch", () =>
    Effect.gen(function* () {
      const { batches, double, gate } = yield* makeDouble({ most: 2 })
      yield* gate.close
      const first = yield* Effect.forkChild(double(2), { startImmediately: true })
      yield* turnWithoutItems
      const others = yield* Effect.forkChild(Effect.forEach([4, 14, 6], double, { concurrency: "unbounded" }), {
        startImmediately: true
      })
      yield* turnWithoutItems
      assert.deepStrictEqual(batches, [[2]])
      yield* gate.open
      assert.strictEqual(yield* Fiber.join(first), 4)
      assert.deepStrictEqual(yield* Fiber.join(others), [8, 28, 12])
      assert.deepStrictEqual(batches, [[2], [4, 14], [6]])
    })
  )

  it.effect("drops an item whose caller is interrupted before its batch starts, but not afterwards", () =>
    Effect.gen(function* () {
      const { batches, double, gate } = yield* makeDouble()
      yield* gate.close
      const started = yield* Effect.forkChild(double(2), { startImmediately: true })
      yield* turnWithoutItems
      const waiting = yield* Effect.forkChild(double(4), { startImmediately: true })
      yield* Fiber.interrupt(waiting)
      started.interruptUnsafe()
      yield* turnWithoutItems
      assert.isUndefined(started.pollUnsafe())
      yield* gate.open
      yield* Fiber.await(started)
      yield* turnWithoutItems
      assert.deepStrictEqual(batches, [[2]])
    })
  )

  it.effect("takes an item back before its batch begins, but not afterwards, and calls its end once", () =>
    Effect.gen(function* () {
      const { add, batches, gate } = yield* makeDouble()
      yield* gate.close
      const ends: Array<Exit.Exit<number, string>> = []
      const context = yield* Effect.context()
      const addOne = (item: number) =>
        add({ item, context, begin: (whenEnded) => () => whenEnded((end) => ends.push(end)) })
      const takeFirst = addOne(2)
      yield* turnWithoutItems
      const takeSecond = addOne(4)
      assert.deepStrictEqual([takeFirst(), takeSecond(), takeSecond()], [false, true, false])
      yield* gate.open
      yield* turnWithoutItems
      assert.deepStrictEqual([batches, ends], [[[2]], [Exit.succeed(4)]])
    })
  )

  it.effect("gives a caller in an uninterruptible region its result even if another caller interrupts it first", () =>
    Effect.gen(function* () {
      const { double } = yield* makeDouble()
      const interrupted: Array<Fiber.Fiber<unknown, unknown>> = []
      const interrupt = Effect.sync(() => interrupted.forEach((fiber) => fiber.interruptUnsafe()))
      const first = yield* Effect.forkChild(Effect.andThen(double(2), interrupt), { startImmediately: true })
      let result = 0
      const noted = Effect.map(double(4), (doubled) => void (result = doubled))
      const second = yield* Effect.forkChild(Effect.uninterruptible(noted), { startImmediately: true })
      interrupted.push(second)
      yield* Fiber.await(first)
      yield* Fiber.await(second)
      assert.strictEqual(result, 8)
    })
  )

  it.effect("fails each caller of a batch that dies, and runs the next one", () =>
    Effect.gen(function* () {
      let deaths = 0
      const add = makeBatches({
        name: "one",
        atOnce: 1,
        most: 100,
        all: (items: ReadonlyArray<number>) =>
          deaths++ === 0 ? Effect.die("fault") : Effect.succeed(items.map((item) => Exit.succeed(item)))
      })
      const one = (item: number) => inBatch(add, item)
      const exits = yield* Effect.forEach([1, 2], (item) => Effect.exit(one(item)), { concurrency: "unbounded" })
      for (const exit of exits) assert.strictEqual(Exit.isFailure(exit) && Cause.squash(exit.cause), "fault")
      assert.strictEqual(yield* one(3), 3)
    })
  )

  it.effect("runs a batch in the context of one of its callers", () =>
    Effect.gen(function* () {
      const Name = Context.Reference("outreach-forecast/test/Name", { defaultValue: () => "nobody" })
      const add = makeBatches({
        name: "names",
        atOnce: 1,
        most: 100,
        all: (items: ReadonlyArray<number>) => Effect.map(Name, (name) => items.map(() => Exit.succeed(name)))
      })
      assert.strictEqual(yield* Effect.provideService(inBatch(add, 1), Name, "Ada"), "Ada")
    })
  )
})
