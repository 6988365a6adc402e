import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { asServed, guideNames } from "../../src/extensions/guide/Guide.ts"
import { httpApplication, send } from "../support/Http.ts"
import { type ServiceResponse } from "../support/Requests.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, "utf8")
const attributes = (text: string, name: string) =>
  [...text.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value)

describe("the guide", () => {
  it("consists of every file of docs/ except the one for maintainers", () => {
    assert.sameMembers(
      readdirSync(`${root}docs`).filter((file) => file.endsWith(".md") && file !== "architecture.md"),
      guideNames.map((name) => `${name}.md`)
    )
  })

  layer(httpApplication({ env: { PUBLIC_URL: "https://forecast.example" } }))((it) => {
    it.effect("is served page by page, as HTML and as its Markdown source", () =>
      Effect.gen(function* () {
        for (const name of guideNames) {
          const { headers, status, text } = yield* send(`/docs/${name}`)
          assert.strictEqual(status, 200, name)
          assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
          const policy = headers.get("content-security-policy") ?? ""
          assert.match(policy, /^default-src 'none';/)
          assert.notInclude(policy, "unsafe")
          assert.notMatch(text, /<style|<script(?! type="module" fetchpriority="low" src="\/assets\/)| on\w+=| style="/)
          assert.lengthOf(text.match(/<h1 id="/g) ?? [], 1, name)
          assert.match(text, new RegExp(`<a href="/docs/${name}" aria-current="page">`))
          for (const label of ["First call", "Past campaigns", "Sub-keys"]) assert.include(text, `>${label}</a></li>`)
          const markdown = yield* send(`/docs/${name}.md`)
          assert.strictEqual(markdown.headers.get("content-type"), "text/markdown; charset=utf-8")
          const address = { hasDemoKey: true, baseUrl: "https://forecast.example" }
          assert.strictEqual(markdown.text, asServed(read(`docs/${name}.md`), address))
          assert.notMatch(text + markdown.text, /http:\/\/127\.0\.0\.1:3000/, name)
          // Each address is filled in, even inside highlighted code.
          const addresses = (shown: string) => shown.split("https://forecast.example").length
          assert.isAtLeast(addresses(text.slice(text.indexOf("<article>"))), addresses(markdown.text), name)
        }
      })
    )

    it.effect("has no broken links", () =>
      Effect.gen(function* () {
        const pages = new Map<string, string>()
        const targets = new Map<string, ServiceResponse>()
        for (const path of ["/privacy", "/docs"]) pages.set(path, (yield* send(path)).text)
        for (const name of guideNames) pages.set(`/docs/${name}`, (yield* send(`/docs/${name}`)).text)
        for (const [page, text] of pages) {
          const ids = attributes(text, "id")
          assert.strictEqual(new Set(ids).size, ids.length, `${page} has an id twice`)
          for (const link of attributes(text, "href")) {
            if (/^(?:https:\/\/|data:)/.test(link)) continue
            const { hash, pathname } = new URL(link, `https://forecast.example${page}`)
            const target = targets.get(pathname) ?? (yield* send(pathname))
            targets.set(pathname, target)
            assert.strictEqual(target.status, 200, `${page}: ${link}`)
            if (hash !== "") assert.include(target.text, ` id="${hash.slice(1)}"`, `${page}: ${link}`)
          }
        }
      })
    )

    it.effect("answers HEAD, refuses other methods with Allow, and answers 404 for other pages", () =>
      Effect.gen(function* () {
        for (const path of ["/docs", "/docs/errors", "/docs/errors.md", "/llms.txt", "/llms-full.txt"]) {
          const head = yield* send(path, { method: "HEAD" })
          assert.deepStrictEqual([head.status, head.text], [200, ""], path)
          const posted = yield* send(path, { method: "POST" })
          assert.strictEqual(posted.problem.code, "method_not_allowed")
          assert.strictEqual(posted.headers.get("allow"), "GET, HEAD, OPTIONS")
        }
        for (const path of ["/docs/nope", "/docs/nope.md", "/docs/../package.json", "/docs/%2e%2e%2fREADME.md"]) {
          assert.strictEqual((yield* send(path)).problem.code, "not_found", path)
        }
      })
    )

    it.effect("gives search engines and link previews its address, a description and a picture", () =>
      Effect.gen(function* () {
        for (const path of ["/", "/privacy", "/docs/rates", "/key", "/credits"]) {
          const { text } = yield* send(path)
          assert.include(text, `<link rel="canonical" href="https://forecast.example${path}">`)
          assert.match(text, /<meta name="description" content="[^"]{40,}">/)
          const picture = /property="og:image" content="https:\/\/forecast\.example(\/[^"]+)"/.exec(text)?.[1] ?? ""
          const { headers, status } = yield* send(picture)
          assert.deepStrictEqual([status, headers.get("content-type")], [200, "image/png"])
        }
        // Personal pages are hidden from search engines.
        const { text } = yield* send("/confirm/unknown")
        assert.include(text, '<meta name="robots" content="noindex">')
        assert.notInclude(text, "canonical")
      })
    )
  })

  layer(
    httpApplication({
      env: { APP_ENV: "production", PUBLIC_URL: "https://forecast.example", DATABASE_URL: "sqlite:unused" }
    })
  )("in production", (it) => {
    it.effect("uses no key in examples that the service would refuse", () =>
      Effect.gen(function* () {
        for (const name of guideNames) {
          const { text } = yield* send(`/docs/${name}.md`)
          assert.notMatch(text, /x-api-key: demo|(?:api_key=|apiKey: )"|http:\/\/127\.0\.0\.1:3000/, name)
          assert.strictEqual(
            (text.match(/x-api-key: \$SERVICE_API_KEY"/g) ?? []).length,
            (read(`docs/${name}.md`).match(/x-api-key: (?:demo|\$SERVICE_API_KEY)/g) ?? []).length,
            name
          )
          assert.notMatch(
            (yield* send(`/docs/${name}`)).text,
            /x-api-key: demo|(?:api_key|apiKey)[^A-Z]{1,50}demo/,
            name
          )
        }
      })
    )
  })

  it("as served differs from the files only in the address and the key of examples", () => {
    const production = { hasDemoKey: false, baseUrl: "https://forecast.example/$&" }
    const served = (text: string) => asServed(text, production)
    assert.strictEqual(
      served("curl -s http://127.0.0.1:3000/api/v1/usage -H 'x-api-key: demo'"),
      'curl -s https://forecast.example/$&/api/v1/usage -H "x-api-key: $SERVICE_API_KEY"'
    )
    assert.strictEqual(
      served('Client(api_key="demo", base_url="http://127.0.0.1:3000", timeout=30)'),
      'Client(base_url="https://forecast.example/$&", timeout=30)'
    )
    assert.strictEqual(
      served('new Client({ apiKey: "demo", baseUrl: "http://127.0.0.1:3000" })'),
      'new Client({ baseUrl: "https://forecast.example/$&" })'
    )
    const prose = "The demo key `demo` is not accepted in production; `api_key` may be left out."
    assert.strictEqual(served(prose), prose)
    assert.strictEqual(
      asServed("-H 'x-api-key: demo' http://127.0.0.1:3000", { ...production, hasDemoKey: true }),
      "-H 'x-api-key: demo' https://forecast.example/$&"
    )
  })
})
