import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { nodeAt, nodesIn } from "../../../src/http/document/OpenApiDocument.ts"
import { listOperation, operations as paidForOne } from "../../../src/extensions/mcp/paidOperations.ts"
import { Problem } from "../../../src/Problems.ts"
import { html } from "../../../src/text/html.ts"
import { operations, schemaOf } from "../../support/Contract.ts"
import { httpApplication, send } from "../../support/Http.ts"

const idOf = (method: string, path: string, tags: unknown) =>
  `tag/${String(Array.isArray(tags) ? tags[0] : "").toLowerCase()}/${method.toUpperCase()}${path}`

/** The section of the reference that begins with an id. */
const sectionOf = (text: string, id: string) => {
  const start = text.indexOf(`<section class="operation" id="${id}"`)
  assert.isAtLeast(start, 0, id)
  const next = text.indexOf('<section class="operation"', start + 1)
  return text.slice(start, next === -1 ? undefined : next)
}

describe("the reference", () => {
  layer(httpApplication({ env: { PUBLIC_URL: "https://forecast.example" } }))((it) => {
    it.effect("has every operation with its parameters, fields, problems and an example call, without scripts", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/docs")
        for (const { method, operation, path } of operations) {
          const id = idOf(method, path, operation["tags"])
          const section = sectionOf(text, id)
          assert.include(text, `<a href="#${id}">${html`${String(operation["summary"])}`.text}</a>`)
          for (const { name } of nodesIn(operation["parameters"]))
            assert.include(section, `<code>${String(name)}</code>`)
          for (const [status, response] of Object.entries(nodeAt(operation, "responses") ?? {})) {
            if (status === "4XX") continue
            const bodies = [nodeAt(operation, "requestBody", "content"), nodeAt({ response }, "response", "content")]
            for (const content of bodies) {
              const schema = schemaOf(nodeAt(content, "application/json"))
              for (const name of Object.keys(nodeAt(schema, "properties") ?? {})) {
                assert.include(section, `<dt><code>${name}</code>`, id)
              }
            }
            for (const [, tag = ""] of JSON.stringify(response).matchAll(/schemas\/(\w+)Problem"/g)) {
              const code = Object.entries(Problem).find(([name]) => name === tag)?.[1].code ?? assert.fail(tag)
              assert.include(section, `${status} <a href="/docs/errors#${code}">`, id)
            }
          }
          const example = nodesIn(operation["parameters"]).reduce(
            (text, { example, name }) => text.replace(`{${String(name)}}`, String(example)),
            path
          )
          assert.notInclude(example, "undefined")
          assert.include(section, `curl -s https://forecast.example${example}`, id)
        }
      })
    )

    it.effect("shows responses, and what to do about a problem", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/docs")
        const section = sectionOf(text, "tag/forecasts/POST/api/v1/forecast")
        assert.include(section, "&quot;estimated_clients&quot;: 3.75")
        assert.include(section, "<code>reply_rate</code> number, 0 to 100, required")
        assert.match(
          section,
          /<dt>429 <a href="\/docs\/errors#rate_limited">[^]*?as long as <code>Retry-After<\/code> says/
        )
        assert.include(sectionOf(text, "tag/orders/POST/api/v1/orders"), "The key is optional.")
        assert.include(sectionOf(text, "tag/forecasts/POST/api/v1/service/roi"), "(deprecated)")
      })
    )

    it.effect("lets visitors try harmless calls, but none that revokes a key, sends an email or places an order", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/docs")
        const tried = operations.filter(({ method, operation, path }) =>
          sectionOf(text, idOf(method, path, operation["tags"])).includes("<form")
        )
        const ids = tried.map(({ operation }) => String(operation["operationId"]))
        const paid = [...Object.values(paidForOne), listOperation]
        const harmless = operations.filter(
          ({ method, path }) => method === "get" || paid.some((each) => each.path === path)
        )
        assert.deepStrictEqual(
          ids,
          harmless.map(({ operation }) => String(operation["operationId"]))
        )
        for (const id of ["order", "rotate", "revoke", "requestAccess"]) assert.notInclude(ids, id)
      })
    )
  })

  layer(
    httpApplication({
      env: { APP_ENV: "production", PUBLIC_URL: "https://forecast.example", DATABASE_URL: "sqlite:unused" }
    })
  )("in production", (it) => {
    it.effect("fills in no key", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/docs")
        assert.include(text, 'name="key" value=""')
        assert.notInclude(text, "<code>demo</code>")
      })
    )
  })
})
