import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { type Entry, findEntries } from "../../../src/extensions/guide/browser/findEntries.ts"
import { problemKinds } from "../../support/Problems.ts"
import { operations } from "../../support/Contract.ts"
import { httpApplication, send } from "../../support/Http.ts"

const decode = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Tuple([Schema.String, Schema.String, Schema.String])))
)

describe("the search of the guide", () => {
  it("finds all words in any order and case, the best title first", () => {
    const entries: ReadonlyArray<Entry> = [
      ["What a retry costs", "/a", "Guide"],
      ["The reply_rate of a plan", "/b", "Guide"],
      ["reply_rate", "/c", "Field"],
      ["rate_limited", "/d", "Error 429"]
    ]
    const paths = (query: string) => findEntries(entries, query).map(([, path]) => path)
    assert.deepStrictEqual(paths("Reply rate"), ["/c", "/b"])
    assert.deepStrictEqual(paths("429 limited"), ["/d"])
    assert.deepStrictEqual(paths("costs RETRY"), ["/a"])
    assert.deepStrictEqual(paths(" _ "), [])
    assert.deepStrictEqual(paths("nothing"), [])
  })

  layer(httpApplication())((it) => {
    it.effect(
      "has every code, every endpoint, headings, fields and settings in one small file of links that work",
      () =>
        Effect.gen(function* () {
          const { text } = yield* send("/docs/search.json")
          const entries = decode(text)
          const first = (query: string) => findEntries(entries, query)[0]?.[1]
          for (const [code] of problemKinds) assert.strictEqual(first(code), `/docs/errors#${code}`)
          const titles = new Set(entries.map(([title]) => title))
          for (const { operation } of operations) assert.isTrue(titles.has(String(operation["summary"])))
          assert.strictEqual(first("estimated_clients"), "/docs#tag/forecasts/POST/api/v1/forecast")
          assert.strictEqual(first("MAIL_FROM"), "/docs/operation#settings")
          assert.strictEqual(
            first("Do the ranges keep their promise?"),
            "/docs/certainty#do-the-ranges-keep-their-promise"
          )
          const pages = new Map<string, string>()
          for (const [, link] of entries) {
            const [page = "", anchor] = link.split("#")
            const shown = pages.get(page) ?? (yield* send(page)).text
            pages.set(page, shown)
            if (anchor !== undefined) assert.include(shown, ` id="${anchor}"`, link)
          }
          const { headers } = yield* send("/docs/search.json", { headers: { "accept-encoding": "br" } })
          assert.isBelow(Number(headers.get("content-length")), 12_000)
        })
    )
  })
})
