import { assert, describe, it } from "@effect/vitest"
import { routes } from "../../src/Api.ts"
import { linksIn } from "../../src/site/SiteLinks.ts"

describe("the links that many pages show", () => {
  it("stand at the places that they name, each at its own, whichever extension adds them", () => {
    assert.isDefined(routes)
    for (const place of ["header", "footer", "errorPage"] as const) {
      const places = linksIn(place).map((link) => link[place] ?? 0)
      assert.include(
        linksIn(place).map(({ path }) => path),
        "/credits"
      )
      assert.deepStrictEqual(
        places,
        [...new Set(places)].toSorted((a, b) => a - b)
      )
    }
  })
})
