import { assert, describe, it } from "@effect/vitest"
import { makeSlots } from "../../../src/http/limits/slots.ts"

describe("slots", () => {
  it("are limited for each owner, and can be taken again once they are released", () => {
    const { take } = makeSlots({ each: 2, all: 5 })
    const cut = () => assert.fail("cut")
    const [first, second] = [take("a", cut), take("a", cut)]
    assert.isUndefined(take("a", cut))
    assert.isFunction(take("b", cut))
    first?.()
    // A second release has no effect.
    first?.()
    assert.isFunction(take("a", cut))
    assert.isUndefined(take("a", cut))
    assert.isFunction(second)
  })

  it("are all taken only until another owner asks: the newest of the owner with the most is cut", () => {
    const { take } = makeSlots({ each: 3, all: 4 })
    const wasCut: Array<string> = []
    const ask = (name: string, owner: string) => take(owner, () => void wasCut.push(name))
    const releases = ["a1", "a2", "a3"].map((name) => ask(name, "a"))
    ask("b1", "b")
    assert.isFunction(ask("c1", "c"))
    assert.deepStrictEqual(wasCut, ["a3"])
    // The one that was cut has no slot to release any more.
    releases[2]?.()
    assert.isFunction(ask("d1", "d"))
    assert.deepStrictEqual(wasCut, ["a3", "a2"])
    // Nobody has more than the newcomer would have.
    assert.isUndefined(ask("e1", "e"))
    assert.deepStrictEqual(wasCut, ["a3", "a2"])
  })
})
