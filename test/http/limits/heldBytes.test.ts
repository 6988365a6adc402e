import { assert, describe, it } from "@effect/vitest"
import { makeHeldBytes } from "../../../src/http/limits/heldBytes.ts"

/** Bodies of clients and their keys, and the names of those that were cut. */
const started = () => {
  const held = makeHeldBytes({ maxOfShare: 10, maxInTotal: 25 })
  const cut: Array<string> = []
  const begin = (name: string, ...shares: ReadonlyArray<string>) => held.begin(shares, () => void cut.push(name))
  return { begin, cut }
}

describe("the bytes of bodies that are arriving", () => {
  it("are limited for a client and for a key, and not for others", () => {
    const { begin, cut } = started()
    const first = begin("first", "client 1", "key 1")
    assert.isTrue(first.add(6))
    assert.isFalse(begin("of the client", "client 1", "key 2").add(5))
    assert.isFalse(begin("of the key", "client 2", "key 1").add(5))
    assert.isTrue(begin("of neither", "client 2", "key 2").add(5))
    first.end()
    first.end()
    assert.isTrue(begin("of the client", "client 1", "key 3").add(5))
    assert.deepStrictEqual(cut, [])
  })

  it("give way to new ones if they are too many, starting with the newest body of the largest holder", () => {
    const { begin, cut } = started()
    const small = begin("small", "client 1")
    const [older, newer] = [begin("older", "client 2"), begin("newer", "client 2")]
    const third = begin("third", "client 3")
    assert.deepStrictEqual([small.add(7), older.add(5), newer.add(5), third.add(8)], [true, true, true, true])
    assert.deepStrictEqual(cut, [])
    // The newcomer has room, and the body that was cut off releases its bytes only once.
    assert.isTrue(begin("newcomer", "client 4").add(1))
    assert.deepStrictEqual(cut, ["newer"])
    assert.isFalse(newer.add(1))
    newer.end()
    assert.isTrue(older.add(4))
    assert.isTrue(small.add(1))
    assert.deepStrictEqual(cut, ["newer", "older"])
  })
})
