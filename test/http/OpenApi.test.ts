import { assert, describe, layer } from "@effect/vitest"
import { Effect, Predicate } from "effect"
import { httpApplication, send } from "../support/Http.ts"

const objectOf = (value: unknown): Readonly<Record<string, unknown>> => {
  if (!Predicate.isObject(value)) return assert.fail(`No object: ${JSON.stringify(value)}`)
  return { ...value }
}

const at = (value: unknown, ...path: ReadonlyArray<string>): unknown =>
  path.reduce<unknown>((found, name) => objectOf(found)[name], value)

describe("GET /openapi.json", () => {
  layer(httpApplication())((it) => {
    it.effect("is OpenAPI 3.1 and lists every path", () =>
      Effect.gen(function* () {
        const { headers, json } = yield* send("/openapi.json")
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.match(String(json["openapi"]), /^3\.1\./)
        assert.deepStrictEqual(Object.keys(objectOf(json["paths"])), [
          "/api/v1/forecast",
          "/api/v1/service/roi",
          "/api/v1/access-requests",
          "/api/v1/access-requests/confirm",
          "/api/v1/usage",
          "/api/v1/credits/ledger",
          "/api/v1/keys/rotate",
          "/api/v1/keys/revoke",
          "/api/v1/credit-packs",
          "/api/v1/orders",
          "/livez",
          "/readyz"
        ])
        assert.isTrue(at(json, "paths", "/api/v1/service/roi", "post", "deprecated"))
        assert.isFalse(at(json, "paths", "/api/v1/keys/rotate", "post", "requestBody", "required"))
        assert.isTrue(at(json, "paths", "/api/v1/forecast", "post", "requestBody", "required"))
        assert.deepStrictEqual(at(json, "components", "securitySchemes", "apiKey", "name"), "x-api-key")
      })
    )

    it.effect("lists each error of an endpoint, with its codes and headers", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        for (const path of ["/api/v1/forecast", "/api/v1/service/roi"]) {
          const responses = objectOf(at(json, "paths", path, "post", "responses"))
          const codes = Object.entries(responses).map(([status, response]) => [
            status,
            ...String(objectOf(response)["description"])
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
            ["429", "usage_exhausted"],
            ["500", "internal"],
            ["503", "unavailable"]
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

    it.effect("says that an order may come with a key or without", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        const operation = at(json, "paths", "/api/v1/orders", "post")
        assert.deepStrictEqual(at(operation, "security"), [{ apiKey: [] }, {}])
        assert.property(at(operation, "responses", "201", "headers"), "RateLimit")
        assert.property(at(operation, "responses", "201", "headers"), "Idempotent-Replayed")
        assert.include(JSON.stringify(at(operation, "parameters")), '"name":"Idempotency-Key","in":"header"')
        assert.include(at(operation, "responses", "422", "description"), "`idempotency_mismatch`")
        for (const status of ["409", "429", "503"])
          assert.property(at(operation, "responses", status, "headers"), "Retry-After")
        assert.notProperty(at(json, "paths", "/api/v1/forecast", "post", "responses", "429", "headers"), "Retry-After")
      })
    )

    it.effect("describes every schema and gives an example of it, and has none of a library's own", () =>
      Effect.gen(function* () {
        const { json } = yield* send("/openapi.json")
        const schemas = objectOf(at(json, "components", "schemas"))
        for (const [name, schema] of Object.entries(schemas)) {
          assert.match(
            name,
            /^(?:\w+Problem|FieldError|ForecastRequest|(?:Legacy)?ForecastAnswer|Usage|Health|AccessRequest|AccessRequestAnswer|Confirmation|RevealedKey|KeyUsage|LedgerPage|Rotation|RotatedKey|RevokedKey|CreditPacks|OrderRequest|OrderAnswer)$/
          )
          const { description, examples, properties, required } = objectOf(schema)
          assert.isString(description, name)
          assert.isTrue(Array.isArray(examples) && examples.length > 0, `${name} has no example`)
          if (Array.isArray(examples) && Array.isArray(required)) {
            for (const field of required) assert.property(examples[0], String(field), name)
          }
          for (const [field, property] of Object.entries(objectOf(properties))) {
            const text = JSON.stringify(property)
            assert.isTrue(text.includes('"description"') || text.includes('"$ref"'), `${name}.${field}`)
          }
        }
        assert.strictEqual(at(schemas, "ForecastRequest", "properties", "emails_sent", "type"), "integer")
        assert.strictEqual(at(schemas, "ForecastRequest", "properties", "reply_rate", "maximum"), 100)
      })
    )
  })
})

describe("GET /docs", () => {
  layer(httpApplication())((it) => {
    it.effect("is one page that loads nothing from elsewhere", () =>
      Effect.gen(function* () {
        const { headers, status, text } = yield* send("/docs")
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-type") ?? "", /^text\/html/)
        assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*connect-src 'self'/)
        assert.notMatch(text, /<(?:script|link|img)[^>]+(?:src|href)=["']https?:/)
        assert.include(text, "/api/v1/forecast")
      })
    )
  })
})
