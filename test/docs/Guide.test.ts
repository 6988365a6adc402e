import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { guideNames } from "../../src/Guide.ts"
import { httpApplication, send } from "../support/Http.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const read = (file: string) => readFileSync(`${root}${file}`, "utf8")
const attributes = (text: string, name: string) =>
  [...text.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) => value)

describe("the guide", () => {
  it("is every file of docs/", () => {
    assert.sameMembers(
      readdirSync(`${root}docs`),
      guideNames.map((name) => `${name}.md`)
    )
  })

  layer(httpApplication({ PUBLIC_URL: "https://forecast.example" }))((it) => {
    it.effect("is there page by page, for people and as the Markdown that it is made of", () =>
      Effect.gen(function* () {
        for (const name of guideNames) {
          const { headers, status, text } = yield* send(`/docs/${name}`)
          assert.strictEqual(status, 200, name)
          assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
          const policy = headers.get("content-security-policy") ?? ""
          assert.match(policy, /^default-src 'none';/)
          assert.notInclude(policy, "script-src")
          assert.notInclude(policy, "unsafe")
          assert.notInclude(text, "<script")
          assert.lengthOf(text.match(/<h1 id="/g) ?? [], 1, name)
          assert.lengthOf(text.match(/aria-current="page"/g) ?? [], 1, name)
          assert.match(text, new RegExp(`<a href="/docs/${name}" aria-current="page">`))
          const markdown = yield* send(`/docs/${name}.md`)
          assert.strictEqual(markdown.headers.get("content-type"), "text/markdown; charset=utf-8")
          assert.strictEqual(markdown.text, read(`docs/${name}.md`))
        }
      })
    )

    it.effect("has no link to what is not there", () =>
      Effect.gen(function* () {
        const pages = new Map<string, string>()
        for (const name of guideNames) pages.set(`/docs/${name}`, (yield* send(`/docs/${name}`)).text)
        for (const [page, text] of pages) {
          const ids = attributes(text, "id")
          assert.strictEqual(new Set(ids).size, ids.length, `${page} has an id twice`)
          for (const link of attributes(text, "href")) {
            if (/^(?:https:\/\/|data:)/.test(link)) continue
            const { hash, pathname } = new URL(link, `https://forecast.example${page}`)
            assert.strictEqual((yield* send(pathname)).status, 200, `${page}: ${link}`)
            if (hash !== "") assert.include(pages.get(pathname), ` id="${hash.slice(1)}"`, `${page}: ${link}`)
          }
        }
      })
    )

    it.effect("answers HEAD, refuses other methods with Allow, and knows no other page", () =>
      Effect.gen(function* () {
        for (const path of ["/docs", "/docs/errors", "/docs/errors.md", "/llms.txt"]) {
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

    it.effect("is listed in /llms.txt, with links that work from anywhere", () =>
      Effect.gen(function* () {
        const { headers, text } = yield* send("/llms.txt")
        assert.strictEqual(headers.get("content-type"), "text/plain; charset=utf-8")
        // llmstxt.org: a title, a quote that sums it up, then sections of links.
        assert.match(text, /^# Outreach Forecast\n\n> .+\n\n/)
        const links = [...text.matchAll(/^- \[.+?\]\((.+?)\): .+$/gm)].map(([, link = ""]) => link)
        assert.deepStrictEqual(links, [
          ...guideNames.map((name) => `https://forecast.example/docs/${name}.md`),
          "https://forecast.example/openapi.json"
        ])
        for (const link of links) assert.strictEqual((yield* send(new URL(link).pathname)).status, 200, link)
      })
    )

    it.effect("leads to the reference and back", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/docs")
        assert.match(text, /^<!doctype html>\s*<html lang="en">/)
        const bar = /<nav[\s\S]*?<\/nav>/.exec(text)?.[0] ?? ""
        assert.deepStrictEqual(attributes(bar, "href"), [...guideNames.map((name) => `/docs/${name}`), "/docs"])
      })
    )
  })
})
