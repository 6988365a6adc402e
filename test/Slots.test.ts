import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { makeSlots } from "../src/Slots.ts"

const refusal = (name: string) => `none for ${name}`

describe("slots", () => {
  it("are limited for each name, and can be taken again once they are released", () => {
    const slots = makeSlots({ each: 2, refusal })
    const cut = () => assert.fail("cut")
    const [first, second] = [slots.hold("a", cut), slots.hold("a", cut)]
    assert.isFunction(second)
    assert.isUndefined(slots.hold("a", cut))
    assert.isFunction(slots.hold("b", cut))
    first?.()
    // A second release has no effect.
    first?.()
    assert.isFunction(slots.hold("a", cut))
    assert.isUndefined(slots.hold("a", cut))
    assert.deepStrictEqual([slots.of("a"), slots.of("b"), slots.of("c"), slots.total()], [2, 1, 0, 3])
  })

  it("are all taken only until another name asks: the newest of the name with the most is cut", () => {
    const slots = makeSlots({ each: 3, all: 4, refusal })
    const wasCut: Array<string> = []
    const hold = (slot: string, name: string) => slots.hold(name, () => void wasCut.push(slot))
    const releases = ["a1", "a2", "a3"].map((slot) => hold(slot, "a"))
    hold("b1", "b")
    assert.isFunction(hold("c1", "c"))
    assert.deepStrictEqual(wasCut, ["a3"])
    // The one that was cut has no slot to release any more.
    releases[2]?.()
    assert.isFunction(hold("d1", "d"))
    assert.deepStrictEqual(wasCut, ["a3", "a2"])
    // Nobody has more than the newcomer would have.
    assert.isUndefined(hold("e1", "e"))
    assert.deepStrictEqual(wasCut, ["a3", "a2"])
  })

  const start = (slots: ReturnType<typeof makeSlots<string>>, begun: Array<string>, id: string, gate: Latch.Latch) =>
    Effect.forkChild(
      Effect.uninterruptible(
        slots.use(id.slice(0, 1), (turn) =>
          turn.pipe(
            Effect.andThen(Effect.sync(() => begun.push(id))),
            Effect.andThen(Effect.uninterruptible(gate.await))
          )
        )
      ),
      { startImmediately: true }
    )

  it.effect("begin so many of a name at a time, the others in order, without those interrupted meanwhile", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ atOnce: 2, refusal })
      const gate = yield* Latch.make()
      const begun: Array<string> = []
      const fibers = yield* Effect.forEach(["a1", "a2", "a3", "a4", "b1"], (id) => start(slots, begun, id, gate))
      assert.deepStrictEqual(begun, ["a1", "a2", "b1"])
      const [, , third] = fibers
      if (third !== undefined) yield* Fiber.interrupt(third)
      assert.strictEqual(slots.of("a"), 3)
      yield* gate.open
      yield* Effect.forEach(fibers, Fiber.await)
      assert.deepStrictEqual(begun, ["a1", "a2", "b1", "a4"])
      assert.strictEqual(slots.total(), 0)
    })
  )

  it.effect("are cut while they wait for their turn, but not once they have begun", () =>
    Effect.gen(function* () {
      const slots = makeSlots({ atOnce: 1, all: 3, refusal })
      const gate = yield* Latch.make()
      const begun: Array<string> = []
      const fibers = yield* Effect.forEach(["a1", "a2", "a3"], (id) => start(slots, begun, id, gate))
      const [, , newest] = fibers
      const other = yield* start(slots, begun, "b1", gate)
      if (newest !== undefined) assert.strictEqual(yield* Effect.flip(Fiber.join(newest)), "none for a")
      yield* start(slots, begun, "c1", gate)
      assert.deepStrictEqual(begun, ["a1", "b1", "c1"])
      assert.strictEqual(yield* Effect.flip(slots.use("d", () => Effect.void)), "none for d")
      yield* gate.open
      yield* Fiber.join(other)
      assert.deepStrictEqual(begun, ["a1", "b1", "c1"])
    })
  )
})
