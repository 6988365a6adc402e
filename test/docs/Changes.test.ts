import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { modelVersion } from "../../src/forecast/outlook/Outlook.ts"
import { assumptionsOf } from "../support/Samples.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/changes.md", import.meta.url)), "utf8")

const valueAt = (outlook: unknown, path: string): string => {
  const value = path
    .split(".")
    .reduce((object: unknown, name) => (Predicate.hasProperty(object, name) ? object[name] : undefined), outlook)
  assert.isNumber(value, path)
  return typeof value === "number" ? value.toLocaleString("en-US", { maximumFractionDigits: 4 }) : ""
}

describe("docs/changes.md", () => {
  it("has a section for the current model version, and the newest change first", () => {
    const dates = [...page.matchAll(/^## (\d{4}-\d\d-\d\d)$/gm)].map(([, date = ""]) => date)
    assert.strictEqual(dates[0], modelVersion)
    assert.deepStrictEqual(dates, dates.toSorted().toReversed())
  })

  it.effect("is right about the first call: exact rates before, varying rates now", () =>
    Effect.gen(function* () {
      const { outlook: now } = computeForecast(yield* assumptionsOf()).forecast
      const { outlook: before } = computeForecast(yield* assumptionsOf({ spread: "none" })).forecast
      const [, section = ""] = page.split("\n## 2026-11-23\n")
      const rows = [...section.matchAll(/^\| (`.+?`) +\| (.+?) +\| (.+?) +\|$/gm)]
      assert.lengthOf(rows, 10)
      for (const [, names = "", then, today] of rows) {
        const paths = [...names.matchAll(/`(.+?)`/g)].map(([, path = ""]) => path)
        const shown = (outlook: unknown) => paths.map((path) => valueAt(outlook, path)).join(" to ")
        assert.deepStrictEqual([then, today], [shown(before), shown(now)], names)
      }
    })
  )
})
