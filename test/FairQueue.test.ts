import { assert, describe, it } from "@effect/vitest"
import { makeFairQueue } from "../src/Batched.ts"

/** A queue with these items, each named after its share and a number. */
const queueOf = (capacity: number, ...items: ReadonlyArray<string>) => {
  const queue = makeFairQueue<string>(capacity)
  const offer = (item: string) => queue.offer(item, item.replace(/\d+$/, ""))
  return { ...queue, offer, refused: items.flatMap((item) => offer(item) ?? []) }
}

describe("a fair queue", () => {
  it("returns items in order, and no more than requested", () => {
    const queue = queueOf(10, "a1", "b1", "c1")
    assert.deepStrictEqual(queue.take(2), ["a1", "b1"])
    assert.strictEqual(queue.size(), 1)
    assert.deepStrictEqual(queue.take(2), ["c1"])
    assert.deepStrictEqual(queue.take(2), [])
  })

  it("returns one item of each share in turn if not all are requested, and keeps the order of the rest", () => {
    const queue = queueOf(10, "a1", "a2", "a3", "b1", "b2", "c1")
    assert.deepStrictEqual(queue.take(4), ["a1", "b1", "c1", "a2"])
    queue.offer("d1")
    assert.deepStrictEqual(queue.take(2), ["a3", "b2"])
    assert.deepStrictEqual(queue.take(2), ["d1"])
  })

  it("refuses items while it is full, and accepts them again once some have been taken", () => {
    const queue = queueOf(3, "a1", "b1", "c1", "d1")
    assert.deepStrictEqual(queue.refused, ["d1"])
    queue.take(1)
    assert.isUndefined(queue.offer("d2"))
    assert.strictEqual(queue.offer("e1"), "e1")
  })

  it("passes a place from the largest share to a small one, down to an equal share", () => {
    const queue = queueOf(6, "a1", "a2", "a3", "a4", "a5", "a6", "b1", "b2", "b3", "b4")
    assert.deepStrictEqual(queue.refused, ["a6", "a5", "a4", "b4"])
    assert.strictEqual(queue.offer("a7"), "a7")
    assert.deepStrictEqual(queue.take(6).toSorted(), ["a1", "a2", "a3", "b1", "b2", "b3"])
  })

  it("does not return an item that was removed", () => {
    const queue = queueOf(10, "a1", "b1")
    assert.isTrue(queue.remove("a1"))
    assert.isFalse(queue.remove("a1"))
    assert.deepStrictEqual(queue.take(2), ["b1"])
  })
})
