import { assert, describe, it } from "@effect/vitest"
import { makeTokenBuckets } from "../../../src/http/limits/tokenBuckets.ts"

/** The capacity of a bucket. */
const tokens = (buckets: ReturnType<typeof makeTokenBuckets>, name: string, now: number) => {
  let taken = 0
  while (buckets.take(name, now) === 0) taken++
  return taken
}

describe("token buckets", () => {
  it("hold up to their capacity, and refill evenly", () => {
    const buckets = makeTokenBuckets({ size: 10, refill: 1000 })
    assert.strictEqual(tokens(buckets, "a", 0), 10)
    assert.strictEqual(buckets.take("a", 0), 100)
    assert.strictEqual(buckets.take("a", 60), 40)
    assert.strictEqual(tokens(buckets, "a", 350), 3)
    assert.strictEqual(tokens(buckets, "b", 350), 10)
    assert.strictEqual(tokens(buckets, "a", 1e9), 10)
  })

  it("do not delay a client after a clock that was set back", () => {
    const buckets = makeTokenBuckets({ size: 10, refill: 1000 })
    const days = 2 * 86_400_000
    assert.strictEqual(tokens(buckets, "a", days), 10)
    assert.strictEqual(buckets.take("a", 0), 100)
    assert.strictEqual(tokens(buckets, "a", 500), 5)
  })

  it("forget the least recently used ones, and so stay small", () => {
    const buckets = makeTokenBuckets({ size: 1, refill: 1000 })
    buckets.take("first", 0)
    for (let i = 0; i < 9999; i++) buckets.take(String(i), 0)
    assert.strictEqual(tokens(buckets, "first", 0), 0)
    for (let i = 0; i < 20_000; i++) buckets.take(`later ${i}`, 0)
    assert.strictEqual(tokens(buckets, "first", 0), 1)
  })
})
