import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { modelVersion } from "../../src/forecast/modelVersion.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/changes.md", import.meta.url)), "utf8")

describe("docs/changes.md", () => {
  it("has a section for the current model version, and the newest change first", () => {
    const dates = [...page.matchAll(/^## (\d{4}-\d\d-\d\d)$/gm)].map(([, date = ""]) => date)
    assert.strictEqual(dates[0], modelVersion)
    assert.deepStrictEqual(dates, dates.toSorted().toReversed())
  })
})
