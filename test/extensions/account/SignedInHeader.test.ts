import { assert, describe, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { httpApplication, post, send } from "../../support/Http.ts"

const pages = ["/", "/?emails_sent=4000", "/docs", "/docs/errors", "/credits", "/privacy", "/key", "/confirm/unknown"]

const visit = (path: string, cookie?: string, headers: Readonly<Record<string, string>> = {}) =>
  send(path, { headers: { accept: "text/html", ...(cookie !== undefined && { cookie }), ...headers } })

const form = (path: string, fields: Readonly<Record<string, string>>, cookie: string = "") =>
  send(path, {
    method: "POST",
    headers: { cookie, "sec-fetch-site": "same-origin" },
    body: new URLSearchParams(fields)
  })

/** The text at the right of the header. */
const linkIn = (text: string) => /<a class="button.*?<\/a>/.exec(text)?.[0] ?? assert.fail("no link")

const toGetKey = '<a class="button" href="/#access">Get an API key</a>'

/** The secret of a new key with 1,840 credits, and the cookie of a session with it. */
const signIn = Effect.fnUntraced(function* (name: string, company: string) {
  const { secret } = yield* (yield* ApiKeys).issue({ name, email: `${name}@example.com`, company }, 1840)
  const key = Redacted.value(secret)
  const { headers } = yield* form("/key", { api_key: key })
  return { key, cookie: headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie") }
})

describe("the header of every page", () => {
  layer(httpApplication())((it) => {
    it.effect("shows the company and its balance to the key's owner, and to nobody else", () =>
      Effect.gen(function* () {
        const { cookie, key } = yield* signIn("ada", "Example & $& <Sons>")
        for (const path of pages) {
          const before = yield* visit(path)
          const own = yield* visit(path, cookie)
          assert.include(linkIn(own.text), 'href="/key"', path)
          assert.include(own.text, '<span class="company">Example &amp; $&amp; &lt;Sons&gt;</span>&nbsp;· 1,840', path)
          assert.strictEqual(own.headers.get("cache-control"), "no-store", path)
          assert.isNull(own.headers.get("etag"), path)
          const after = yield* visit(path)
          assert.strictEqual(linkIn(before.text), toGetKey, path)
          assert.strictEqual(linkIn(after.text), toGetKey, path)
          assert.strictEqual(after.headers.get("etag"), before.headers.get("etag"), path)
        }
        yield* post("/api/v1/forecast", { key })
        assert.include(linkIn((yield* visit("/docs", cookie)).text), "· 1,839")
      })
    )

    it.effect("is fetched again when a browser signs in, gets another session, or signs out", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn("grace", "One")
        const other = yield* signIn("jean", "Other")
        const etag = (yield* visit("/")).headers.get("etag") ?? ""
        assert.strictEqual((yield* visit("/", undefined, { "if-none-match": etag })).status, 304)
        assert.include(linkIn((yield* visit("/", cookie, { "if-none-match": etag })).text), "One")
        assert.include(linkIn((yield* visit("/", other.cookie, { "if-none-match": "*" })).text), "Other")
        for (const path of ["/", "/docs", "/docs/errors", "/privacy"]) {
          assert.include((yield* visit(path)).headers.get("vary"), "Cookie", path)
        }
        yield* form("/key/sign-out", {}, cookie)
        for (const stale of [cookie, "session=", "session=x"]) {
          assert.strictEqual(linkIn((yield* visit("/", stale)).text), toGetKey, stale)
        }
      })
    )

    it.effect("leaves responses alone that are not pages", () =>
      Effect.gen(function* () {
        const { cookie } = yield* signIn("mary", "Third")
        for (const path of ["/llms.txt", "/openapi.json", "/docs/errors.md"]) {
          const { headers, text } = yield* visit(path, cookie)
          assert.notInclude(text, "Third", path)
          assert.match(headers.get("cache-control") ?? "", /^public/, path)
        }
      })
    )
  })
})
