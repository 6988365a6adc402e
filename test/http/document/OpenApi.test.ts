import { assert, describe, layer } from "@effect/vitest"
import { createConfig, lintFromString } from "@redocly/openapi-core"
import { Effect, Predicate } from "effect"
import { baseUrl, httpApplication, send } from "../../support/Http.ts"

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (!Predicate.isObject(value)) return assert.fail(`No object: ${JSON.stringify(value)}`)
  return { ...value }
}

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, name) => objectOf(found)[name], value)

/** Every enumeration in the schemas of a document, with its title. */
const enumerationsIn = (node: unknown): ReadonlyArray<readonly [title: unknown, values: string]> => {
  if (Array.isArray(node)) return node.flatMap(enumerationsIn)
  if (!Predicate.isObject(node)) return []
  const { enum: values, title } = { title: undefined, enum: undefined, ...node }
  const nested = Object.entries(node).flatMap(([name, part]) => (name === "examples" ? [] : enumerationsIn(part)))
  return Array.isArray(values) ? [[title, JSON.stringify(values)], ...nested] : nested
}

/** The alternatives with fields of their own in the schemas of a document, which generators make a class of. */
const namelessIn = (node: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(node)) return node.flatMap(namelessIn)
  if (!Predicate.isObject(node)) return []
  const { anyOf, oneOf } = { anyOf: undefined, oneOf: undefined, ...node }
  const alternatives = [anyOf ?? [], oneOf ?? []]
    .flat()
    .map(objectOf)
    .filter(({ type }) => type !== "null")
  const nested = Object.entries(node).flatMap(([name, part]) => (name === "examples" ? [] : namelessIn(part)))
  const isNameless = (each: object) => "properties" in each && !("title" in each)
  return [...(alternatives.length > 1 ? alternatives.filter(isNameless) : []), ...nested]
}

describe("GET /openapi.json", () => {
  layer(httpApplication())((it) => {
    it.effect("gives each alternative with fields a name, and no schema that of another's constructor", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        const schemas = objectOf(at(json, "components", "schemas"))
        const taken = new Set(Object.keys(schemas).map((name) => `New${name}`))
        assert.deepStrictEqual(
          Object.keys(schemas).filter((name) => taken.has(name)),
          []
        )
        assert.deepStrictEqual(namelessIn(schemas), [])
      })
    )

    it.effect("names a contact", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        assert.deepStrictEqual(at(json, "info", "contact"), { name: "Outreach Forecast", url: `${yield* baseUrl}/` })
      })
    )

    it.effect("gives each enumeration a title of its own, which generators take instead of Code1 to Code31", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        const schemas = objectOf(at(json, "components", "schemas"))
        const enumerations = enumerationsIn(schemas)
        assert.isAbove(enumerations.length, 50)
        const valuesOf = new Map<string, string>()
        for (const [title, values] of enumerations) {
          if (!Predicate.isString(title)) return assert.fail(`no title: ${values}`)
          assert.strictEqual(valuesOf.get(title) ?? values, values, title)
          assert.notProperty(schemas, title)
          valuesOf.set(title, values)
        }
        assert.strictEqual(new Set(valuesOf.values()).size, valuesOf.size)
      })
    )

    it.effect("is OpenAPI 3.1, with the key in a header, and marks what is deprecated", () =>
      Effect.gen(function* () {
        const { headers, json } = yield* send("/openapi.json")
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.match(String(json["openapi"]), /^3\.1\./)
        assert.isTrue(at(json, "paths", "/api/v1/service/roi", "post", "deprecated"))
        assert.isFalse(at(json, "paths", "/api/v1/keys/rotate", "post", "requestBody", "required"))
        assert.isTrue(at(json, "paths", "/api/v1/forecast", "post", "requestBody", "required"))
        assert.deepStrictEqual(at(json, "components", "securitySchemes", "apiKey", "name"), "x-api-key")
      })
    )

    it.effect("lists each error of an endpoint, with its codes and headers", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        for (const path of [
          "/api/v1/forecast",
          "/api/v1/service/roi",
          "/api/v1/goals",
          "/api/v1/progress",
          "/api/v1/forecasts"
        ]) {
          const responses = objectOf(at(json, "paths", path, "post", "responses"))
          const codes = Object.entries(responses).map(([status, response]) => [
            status,
            ...JSON.stringify(response)
              .matchAll(/`(\w+)`/g)
              .map(([, code]) => code)
          ])
          assert.deepStrictEqual(codes, [
            ["200"],
            ["400", "invalid_input", "malformed_json"],
            ["401", "missing_key", "invalid_key", "key_revoked"],
            ["403", "plan_inactive"],
            ["409", "idempotency_in_progress"],
            ["413", "payload_too_large"],
            ["415", "unsupported_media_type"],
            ["422", "idempotency_mismatch"],
            ["429", "usage_exhausted", "sub_key_limit_reached", "rate_limited"],
            ["500", "internal"],
            ["503", "unavailable"],
            ["4XX"]
          ])
          assert.property(at(responses, "429", "headers"), "RateLimit")
          assert.property(at(responses, "401", "headers"), "WWW-Authenticate")
          assert.property(at(responses, "409", "headers"), "Retry-After")
          assert.property(at(responses, "200", "headers"), "Idempotent-Replayed")
          const parameters = JSON.stringify(objectOf(at(json, "paths", path, "post"))["parameters"])
          assert.include(parameters, '"name":"Idempotency-Key","in":"header"')
        }
      })
    )

    it.effect("says that an order may have a key or none", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        const operation = at(json, "paths", "/api/v1/orders", "post")
        const bodies = at(operation, "requestBody", "content")
        assert.deepStrictEqual(at(bodies, "application/json", "schema", "dependentRequired", "name"), [
          "email",
          "company"
        ])
        assert.deepStrictEqual(at(operation, "security"), [{ apiKey: [] }, {}])
        assert.property(at(operation, "responses", "201", "headers"), "RateLimit")
        assert.property(at(operation, "responses", "201", "headers"), "Idempotent-Replayed")
        assert.include(JSON.stringify(at(operation, "parameters")), '"name":"Idempotency-Key","in":"header"')
        assert.include(at(operation, "responses", "422", "description"), "`idempotency_mismatch`")
        for (const status of ["409", "429", "503"])
          assert.property(at(operation, "responses", status, "headers"), "Retry-After")
        // Credits do not refill, so one of its two problems has no Retry-After.
        const headers = at(json, "paths", "/api/v1/forecast", "post", "responses", "429", "headers")
        assert.deepInclude(at(headers, "Retry-After"), { required: false })
      })
    )

    it.effect("describes every schema with an example, and includes none from a library", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        const schemas = objectOf(at(json, "components", "schemas"))
        /** The parts of answers, which have no example of their own; a schema of a library would have none either. */
        const parts = new Set(["CampaignForecast", "Outlook"])
        for (const [name, schema] of Object.entries(schemas)) {
          const { description, examples, properties, required } = objectOf(schema)
          assert.isString(description, name)
          assert.strictEqual(Array.isArray(examples) && examples.length > 0, !parts.has(name), `example of ${name}`)
          if (Array.isArray(examples) && Array.isArray(required)) {
            for (const field of required) assert.property(examples[0], String(field), name)
          }
          for (const [field, property] of Object.entries(objectOf(properties))) {
            assert.match(JSON.stringify(property), /"description"|"\$ref"/, `${name}.${field}`)
          }
        }
        assert.strictEqual(at(schemas, "ForecastRequest", "properties", "emails_sent", "type"), "integer")
        assert.strictEqual(at(schemas, "ForecastRequest", "properties", "reply_rate", "maximum"), 100)
      })
    )
  })
})

describe("the document", () => {
  layer(httpApplication())((it) => {
    it.effect("passes Redocly's strict rules, and has no invalid example", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/openapi.json")
        const lint = (source: string) =>
          Effect.promise(async () => {
            const config = await createConfig({
              extends: ["recommended-strict"],
              rules: {
                "no-invalid-schema-examples": "error",
                "no-invalid-media-type-examples": "error",
                "no-invalid-parameter-examples": "error",
                "operation-description": "error",
                "operation-operationId-url-safe": "error",
                "parameter-description": "error",
                "tag-description": "error"
              }
            })
            const problems = await lintFromString({ source, config })
            return problems.map(
              ({ location, message, ruleId }) => `${ruleId} ${location[0]?.pointer ?? ""}: ${message}`
            )
          })
        // The document describes the short form in words, so that no generated type is a union.
        assert.deepStrictEqual(yield* lint(text), [
          'no-unused-components #/components/schemas/MinimalForecast: Component: "MinimalForecast" is never used.'
        ])
        // The lint would find an operation without an id and an example that breaks its schema.
        const Usage = { required: ["credits_remaining"], examples: [{ credits: 99 }] }
        const broken = { openapi: "3.1.0", paths: { "/": { get: {} } }, components: { schemas: { Usage } } }
        const found = (yield* lint(JSON.stringify(broken))).join("\n")
        assert.match(found, /^operation-operationId /m)
        assert.match(found, /^no-invalid-schema-examples /m)
      })
    )

    it.effect("shows the most important calls in three languages", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        const sampled = Object.values(objectOf(json["paths"]))
          .flatMap((methods) => Object.values(objectOf(methods)).map(objectOf))
          .filter((operation) => "x-codeSamples" in operation)
        assert.includeMembers(
          sampled.map(({ operationId }) => operationId),
          ["forecast", "legacyForecast", "goal", "progress", "benchmarks", "usage", "ledger", "rotate", "creditPacks"]
        )
        for (const operation of sampled) {
          const samples = operation["x-codeSamples"]
          assert.deepStrictEqual(Array.isArray(samples) ? samples.map((sample) => at(sample, "label")) : samples, [
            "curl",
            "Python",
            "TypeScript"
          ])
        }
      })
    )
  })
})

describe("behind another address", () => {
  layer(httpApplication({ env: { PUBLIC_URL: "https://forecast.example" } }))((it) => {
    it.effect("the document uses that address in calls and links", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/openapi.json")
        assert.include(text, '"servers":[{"url":"https://forecast.example",')
        assert.include(text, "curl -s https://forecast.example/api/v1/forecast")
        assert.include(text, "https://forecast.example/docs/first-call")
        assert.notInclude(text, "http://127.0.0.1:3000")
      })
    )
  })
})
