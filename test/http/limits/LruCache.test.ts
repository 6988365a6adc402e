import { assert, describe, it } from "@effect/vitest"
import { makeLruCache } from "../../../src/http/limits/LruCache.ts"

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
