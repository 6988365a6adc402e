import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Assumptions } from "../../src/campaign/Assumptions.ts"
import { Forecast } from "../../src/forecast/ForecastAnswer.ts"
import { anchorOf, guideNames as allNames } from "../../src/extensions/guide/Guide.ts"
import { answerTable, fieldsOf, table } from "../../src/extensions/guide/fieldTables.ts"
import { problemKinds } from "../support/Problems.ts"
import { httpApplication, issueKey, post, send } from "../support/Http.ts"
import { operations } from "../support/Contract.ts"

const publicUrl = "https://forecast.example"

/** The index is for people. */
const guideNames = allNames.filter((name) => name !== "index")

const headingsOf = (markdown: string) =>
  [...markdown.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading))

const parseBody = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

const decodeNotes = Schema.decodeUnknownSync(Schema.Array(Schema.String))

layer(httpApplication({ env: { PUBLIC_URL: publicUrl } }))("the texts for programs", (it) => {
  it.effect("/llms.txt has a title, a quote, and a link to each page of the guide (llmstxt.org)", () =>
    Effect.gen(function* () {
      const { headers, text } = yield* send("/llms.txt")
      assert.strictEqual(headers.get("content-type"), "text/plain; charset=utf-8")
      assert.match(text, /^# Outreach Forecast\n\n> .+\n\n/)
      assert.include(text, "Rates are percentages from 0 to 100.")
      const links = [...text.matchAll(/^- \[.+?\]\((.+?)\): .+$/gm)].map(([, link = ""]) => link)
      assert.deepStrictEqual(links, [
        ...guideNames.map((name) => `${publicUrl}/docs/${name}.md`),
        `${publicUrl}/openapi.json`,
        `${publicUrl}/llms-full.txt`
      ])
      // About 8,000 tokens, which an agent reads at once. If a change exceeds it, shorten what llms.txt repeats of the
      // guide and link to the page; raise it only for what no page has.
      assert.isBelow(text.length, 32_000)
    })
  )

  it.effect("each link in /llms.txt and /llms-full.txt is absolute and works", () =>
    Effect.gen(function* () {
      const found = new Map<string, ReadonlyArray<string>>()
      for (const path of ["/llms.txt", "/llms-full.txt"]) {
        const { text } = yield* send(path)
        const links = [...text.matchAll(/\]\(([^)\s]*)\)/g)].map(([, link = ""]) => link)
        assert.isAbove(links.length, 20)
        for (const link of links) {
          assert.match(link, /^https:\/\//, path)
          if (!link.startsWith(publicUrl)) continue
          const { hash, pathname } = new URL(link)
          if (!found.has(pathname)) {
            const page = yield* send(pathname)
            assert.strictEqual(page.status, 200, link)
            found.set(pathname, headingsOf(page.text))
          }
          if (hash !== "") assert.include(found.get(pathname) ?? [], hash.slice(1), link)
        }
      }
    })
  )

  it.effect(
    "/llms.txt has every field with its bounds, every code, every endpoint, and a call that can be pasted",
    () =>
      Effect.gen(function* () {
        const { text } = yield* send("/llms.txt")
        for (const name of Object.keys(Assumptions.fields))
          assert.match(text, new RegExp(`^\\| \`${name}\` \\| (?:yes|no) \\| `, "m"))
        assert.include(text, "| `reply_rate` | yes | number, 0 to 100 |")
        for (const name of Object.keys(Forecast.fields))
          assert.match(text, new RegExp(`^\\| \`${name}\` \\| [^|]+`, "m"))
        for (const [code, { retryable, status }] of problemKinds) {
          assert.include(
            text,
            `| ${status} | [\`${code}\`](${publicUrl}/docs/errors.md#${code}) | ${retryable ? "yes" : "no"} | `
          )
        }
        for (const { method, path } of operations) assert.include(text, `| \`${method.toUpperCase()} ${path}\` | `)
        const [, url = "", body = ""] = /curl -s (\S+) [^]*?-d '([^']+)'/.exec(text) ?? []
        const [, shown = "{}"] = /```json\n(.+)\n```/.exec(text) ?? []
        const { usage: _, ...response } = (yield* post(new URL(url).pathname, {
          key: (yield* issueKey()).secret,
          body
        })).json
        const { calculation_notes: notes, usage: __, ...expected } = parseBody(shown)
        const { calculation_notes: all, ...others } = response
        assert.deepStrictEqual(others, expected)
        // The first notes say what they are like.
        assert.deepStrictEqual(notes, decodeNotes(all).slice(0, 3).concat("…"))
      })
  )

  it.effect("/llms-full.txt has every page of the guide, except those for the operator", () =>
    Effect.gen(function* () {
      const { text } = yield* send("/llms-full.txt")
      for (const name of guideNames) {
        const page = readFileSync(fileURLToPath(new URL(`../../docs/${name}.md`, import.meta.url)), "utf8")
        const headings = [...page.matchAll(/^#+ .+$/gm)].map(([heading]) => heading)
        if (name === "operation" || name === "production") assert.notInclude(text, `${headings[0]}\n`)
        else for (const heading of headings) assert.include(text, heading, name)
      }
      assert.notInclude(text, "http://127.0.0.1:3000")
    })
  )
})

describe("the table of a response", () => {
  it("lists the fields of an object once, and refers to them from other objects with the same fields", () => {
    const range = Schema.Struct({ low: Schema.Finite.annotate({ description: "Low." }) })
    const { definitions, schema } = Schema.toJsonSchemaDocument(
      Schema.Struct({ a: range, b: range, c: Schema.NullOr(Schema.Literals(["x", "y"])) })
    )
    const rows = table(answerTable(fieldsOf(schema, definitions)))
    assert.match(rows, /`a\.low` \| number \| Low\./)
    assert.notMatch(rows, /`b\.low`/)
    assert.match(rows, /`b` \| object \| .*those of `a`/)
    assert.match(rows, /`c` \| "x" \\\| "y" or null/)
  })
})
