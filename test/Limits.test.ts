import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Latch } from "effect"
import { ApiKeys } from "../src/keys/ApiKeys.ts"
import { type Buckets, CurrentStanding, makeBuckets, makeLruCache, makeSlots } from "../src/Limits.ts"
import { until } from "./support/Process.ts"
import { httpApplication, issueKey, post, unknownKey } from "./support/Http.ts"

const refusal = (name: string) => `none for ${name}`

/** Starts an effect that begins in its turn, and ends with the gate. */
const start = (slots: ReturnType<typeof makeSlots<string>>, begun: Array<string>, id: string, gate: Latch.Latch) =>
  Effect.forkChild(
    Effect.uninterruptible(
      slots.use(id.slice(0, 1), (turn) =>
        turn.pipe(Effect.andThen(Effect.sync(() => begun.push(id))), Effect.andThen(Effect.uninterruptible(gate.await)))
      )
    ),
    { startImmediately: true }
  )

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

  it("begin in the place of others of their name that step aside", () => {
    const slots = makeSlots({ atOnce: 1, refusal })
    const begun: Array<string> = []
    const queue = (name: string) => slots.queue(name.slice(0, 1), () => begun.push(name))
    const [first, second, third] = [queue("a1"), queue("a2"), queue("a3")]
    assert.deepStrictEqual(
      [first, second, third].map((place) => place?.hasBegun()),
      [true, false, false]
    )
    const comeBack = first?.stepAside()
    assert.deepStrictEqual(begun, ["a2"])
    comeBack?.()
    // Two run now: the third one waits for both.
    second?.release()
    assert.deepStrictEqual(begun, ["a2"])
    first?.release()
    assert.deepStrictEqual(begun, ["a2", "a3"])
    // One that has been released steps nowhere.
    first?.stepAside()()
    assert.strictEqual(queue("a4")?.hasBegun(), false)
    third?.release()
    assert.deepStrictEqual(begun, ["a2", "a3", "a4"])
  })

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

describe("a request that waits for a line or turn of the service", () => {
  it.effect("may be closed until it begins, and then does not begin, even if nothing interrupts it yet", () =>
    Effect.gen(function* () {
      let waits = 0
      let isClosed = false
      const standing = {
        wait: () => {
          waits++
          let isOver = false
          return () => {
            if (!isOver) waits--
            isOver = true
            return !isClosed
          }
        },
        refuse: () => {}
      }
      const slots = makeSlots({ atOnce: 1, refusal })
      const gate = yield* Latch.make()
      const begun: Array<string> = []
      const fibers = yield* Effect.forEach(["a1", "a2", "a3"], (id) => start(slots, begun, id, gate)).pipe(
        Effect.provideService(CurrentStanding, standing)
      )
      assert.deepStrictEqual([begun, waits], [["a1"], 2])
      const [first, second, third] = fibers
      yield* gate.open
      if (first === undefined || second === undefined || third === undefined) assert.fail()
      isClosed = true
      yield* Fiber.join(first)
      // The closed one has its turn, which it passes on once it is interrupted.
      yield* until(() => waits === 1)
      assert.deepStrictEqual(begun, ["a1"])
      isClosed = false
      yield* Fiber.interrupt(second)
      yield* Fiber.join(third)
      assert.deepStrictEqual([begun, waits, slots.total()], [["a1", "a3"], 0, 0])
    })
  )
})

/** The tokens that a bucket has, which are taken. */
const tokens = (buckets: Buckets, name: string) => {
  let taken = 0
  while (buckets.take(name) === 0) taken++
  return taken
}

describe("token buckets", () => {
  it("hold up to their capacity, and refill evenly", () => {
    let now = 0
    const buckets = makeBuckets({ size: 10, refill: 1000 }, () => now)
    assert.strictEqual(tokens(buckets, "a"), 10)
    assert.strictEqual(buckets.take("a"), 100)
    now = 60
    assert.strictEqual(buckets.take("a"), 40)
    now = 350
    assert.strictEqual(tokens(buckets, "a"), 3)
    assert.strictEqual(tokens(buckets, "b"), 10)
    now = 1e9
    assert.strictEqual(tokens(buckets, "a"), 10)
  })

  it("do not delay a client after a clock that was set back", () => {
    let now = 2 * 86_400_000
    const buckets = makeBuckets({ size: 10, refill: 1000 }, () => now)
    assert.strictEqual(tokens(buckets, "a"), 10)
    now = 0
    assert.strictEqual(buckets.take("a"), 100)
    now = 500
    assert.strictEqual(tokens(buckets, "a"), 5)
  })

  it("forget the least recently used ones, and so stay small", () => {
    const buckets = makeBuckets({ size: 1, refill: 1000 }, () => 0)
    buckets.take("first")
    for (let i = 0; i < 9999; i++) buckets.take(String(i))
    assert.strictEqual(tokens(buckets, "first"), 0)
    for (let i = 0; i < 20_000; i++) buckets.take(`later ${i}`)
    assert.strictEqual(tokens(buckets, "first"), 1)
  })
})

describe("makeLruCache", () => {
  it("keeps the most recent values, and at most twice as many", () => {
    const recent = makeLruCache<string, number>(10)
    for (let i = 0; i < 1000; i++) {
      recent.set(`name ${i}`, i)
      const known = Array.from({ length: i + 1 }, (_, at) => at).filter((at) => recent.get(`name ${at}`) === at)
      // A look-up makes a cached name recent again, but does not restore an evicted one.
      assert.isAtLeast(known.length, Math.min(i + 1, 10))
      assert.isAtMost(known.length, 20)
      assert.strictEqual(known.at(-1), i)
    }
  })

  it("keeps values that are used repeatedly, whatever is added in between", () => {
    const recent = makeLruCache<string, string>(3)
    recent.set("often", "asked for")
    for (let i = 0; i < 100; i++) {
      recent.set(`once ${i}`, "never again")
      assert.strictEqual(recent.get("often"), "asked for")
    }
    assert.isUndefined(recent.get("once 50"))
  })

  it("identifies objects by identity, not by content", () => {
    const recent = makeLruCache<object, string>(3)
    const one = { name: "equal" }
    recent.set(one, "one")
    assert.strictEqual(recent.get(one), "one")
    assert.isUndefined(recent.get({ name: "equal" }))
    recent.delete(one)
    assert.isUndefined(recent.get(one))
  })
})

describe("a refusal that costs its sender nothing", () => {
  it.effect("is held back for a tenth of a second: an unknown or revoked key, and too many requests", () =>
    Effect.gen(function* () {
      const revoked = yield* issueKey()
      yield* (yield* ApiKeys).revoke(revoked.id, "owner")
      const { secret } = yield* issueKey()
      for (let i = 0; i < 2; i++) assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
      for (const [key, code] of [
        [yield* unknownKey, "invalid_key"],
        [revoked.secret, "key_revoked"],
        [secret, "rate_limited"]
      ] as const) {
        for (const path of ["/api/v1/forecast", "/api/v1/forecasts"]) {
          const startedAt = performance.now()
          assert.strictEqual((yield* post(path, { key })).problem.code, code)
          assert.isAtLeast(performance.now() - startedAt, 95)
        }
      }
    }).pipe(Effect.provide(httpApplication({ env: { KEY_REQUESTS_PER_SECOND: "2" } })))
  )
})
