import { Predicate } from "effect"
import { OpenApi } from "effect/http-api"
import { documentedAt } from "../../src/Api.ts"
import { currentBenchmarks } from "../../src/extensions/benchmarks/CurrentBenchmarks.ts"
import { nodeAt, operationsOf } from "../../src/http/document/OpenApiDocument.ts"
import type { Example, ExamplePage, Language } from "./Examples.ts"

const languages: ReadonlyArray<Language> = ["curl", "Python", "TypeScript"]
const languageOf = (label: unknown) => languages.find((language) => language === label)

/** A field of a response; the document shows only the beginning of lists. */
const beginningOf = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value
  const items: ReadonlyArray<unknown> = value
  return [...items, "…"]
}

/** The default address of the service, which the samples call. */
const spec = OpenApi.fromApi(documentedAt("http://127.0.0.1:3000"))

/** The example response of an operation; the first of several is the one to the sample. */
const answerOf = (operation: object): unknown => {
  const schema = nodeAt(operation, "responses", "200", "content", "application/json", "schema")
  const responses: ReadonlyArray<unknown> = Array.isArray(schema?.["anyOf"]) ? schema["anyOf"] : [schema]
  const reference = nodeAt({ first: responses[0] }, "first")?.["$ref"]
  const examples = nodeAt(spec, ...String(reference).split("/").slice(1))?.["examples"]
  const example: unknown = Array.isArray(examples) ? examples[0] : undefined
  return example
}

/** The samples of the OpenAPI document; each prints the example response of its operation. */
export const openApiExamples = (): ExamplePage => ({
  name: "/openapi.json",
  isIsolated: true,
  unrun: [],
  examples: operationsOf(spec).flatMap(({ operation }) => {
    const samples: ReadonlyArray<unknown> = Array.isArray(operation["x-codeSamples"]) ? operation["x-codeSamples"] : []
    // The document shows a few of the benchmarks.
    const response = operation["operationId"] === "benchmarks" ? currentBenchmarks : answerOf(operation)
    return samples.flatMap((sample): ReadonlyArray<Example> => {
      const { label, source } = Predicate.isObject(sample) ? sample : {}
      const language = languageOf(label)
      if (language === undefined || !Predicate.isString(source)) throw new Error(`No sample: ${JSON.stringify(sample)}`)
      // The clients give the entries of all pages instead of one page.
      const isAllEntries = operation["operationId"] === "ledger" && language !== "curl"
      const all = isAllEntries && Predicate.isObject(response) ? response["entries"] : response
      const isBeginning = operation["operationId"] === "benchmarks" && Predicate.isObject(all)
      const shown = isBeginning
        ? Object.fromEntries(Object.entries(all).map(([name, value]) => [name, beginningOf(value)]))
        : all
      return [
        {
          where: `/openapi.json ${String(operation["operationId"])}`,
          language,
          code: source,
          shown: { format: "json", text: JSON.stringify(shown) }
        }
      ]
    })
  })
})
