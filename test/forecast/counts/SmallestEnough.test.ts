import { assert, describe, it } from "@effect/vitest"
import { smallestEnough } from "../../../src/forecast/counts/SmallestEnough.ts"
import { seeded } from "../../support/Seeded.ts"

/** The value found if `enough` and above is sufficient, with the values tried. */
const search = (range: Parameters<typeof smallestEnough>[0], enough: number) => {
  const tried: Array<number> = []
  const found = smallestEnough(range, (value) => {
    tried.push(value)
    return value >= enough
  })
  return { found, tried }
}

describe("the smallest sufficient value", () => {
  it("is found wherever it is, from any guess, without leaving the range", () => {
    for (const [least, greatest] of [
      [0, 40],
      [7, 7],
      [1, 20]
    ] as const) {
      for (let enough = least; enough <= greatest + 1; enough++) {
        for (const guess of [-5, 0, 3.2, enough - 1, enough, enough + 0.5, greatest, 1e9]) {
          const { found, tried } = search({ least, greatest, guess }, enough)
          assert.strictEqual(found, enough > greatest ? undefined : enough, `${least}-${greatest} ${enough} ${guess}`)
          assert.isTrue(tried.every((value) => value >= least && value <= greatest))
        }
      }
    }
  })

  it("takes few evaluations from a good guess, and not many from a bad one", () => {
    const random = seeded(23)
    for (let round = 0; round < 200; round++) {
      const enough = 1 + Math.floor(10 ** (8 * random()))
      const near = search({ least: 0, greatest: 1e8, guess: enough }, enough)
      assert.isAtMost(near.tried.length, 2 + Math.log2(enough))
      const far = search({ least: 0, greatest: 1e8, guess: 1e8 * random() }, enough)
      assert.isAtMost(far.tried.length, 60)
      assert.strictEqual(far.found, enough)
      // No value is tried twice.
      for (const { tried } of [near, far]) assert.strictEqual(new Set(tried).size, tried.length)
    }
  })
})
