import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Benchmarks } from "./Benchmarks.ts"
import { currentBenchmarks } from "./CurrentBenchmarks.ts"
import { withHeaders } from "../../http/document/OpenApiDocument.ts"
import { publicCacheControl } from "../../http/ResponseHeaders.ts"
import { serverFailures } from "../../http/problems/HttpProblems.ts"

/** A few examples of each kind: all of them would be a tenth of the document. */
const example = {
  rows: currentBenchmarks.rows.slice(0, 2),
  thresholds: currentBenchmarks.thresholds.slice(0, 2),
  references: currentBenchmarks.references.slice(0, 2)
}

const BenchmarksAnswer = Benchmarks.annotate({
  identifier: "Benchmarks",
  description: "Published figures on cold outreach, and the ones that the service compares requests with.",
  examples: [example]
})

export const BenchmarkGroup = HttpApiGroup.make("benchmarks")
  .add(
    HttpApiEndpoint.get("benchmarks", "/api/v1/benchmarks", {
      success: BenchmarksAnswer,
      error: serverFailures
    }).annotateMerge(
      OpenApi.annotations({
        identifier: "benchmarks",
        summary: "List the benchmarks",
        description:
          "The published figures on cold outreach, each with its unit, year, sample and publisher, and the thresholds " +
          "and references that forecasts use, each with the rows that it is based on. Needs no key and costs no credit; the " +
          "response may be cached.",
        transform: (operation) => withHeaders(operation, [publicCacheControl])
      })
    )
  )
  .annotateMerge(OpenApi.annotations({ title: "Benchmarks", description: "Published figures on cold outreach." }))
