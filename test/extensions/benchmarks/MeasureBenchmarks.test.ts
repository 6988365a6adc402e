import { assert, describe, it } from "@effect/vitest"
import { benchmarksOf, measures } from "../../../src/extensions/benchmarks/MeasureBenchmarks.ts"
import { publishedFigures } from "../../../src/forecast/benchmarks/PublishedFigures.ts"

describe("benchmarks by measure", () => {
  it("have each published figure once, with its source", () => {
    const total = measures.reduce((sum, { figures }) => sum + figures, 0)
    assert.strictEqual(total, publishedFigures.length)
    for (const { measure } of measures) {
      const { figures, sources } = benchmarksOf(measure)
      assert.isNotEmpty(figures, measure)
      for (const { source } of figures) assert.isDefined(sources[source], measure)
    }
  })
})
