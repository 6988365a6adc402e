import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { FieldError } from "../../src/input/InvalidInput.ts"
import * as client from "../../clients/typescript/src/index.ts"
import { problemKinds } from "../../src/http/problems/Problems.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/errors.md", import.meta.url)), "utf8")
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text): [string, string] => [text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n") + 1)])
)
/** The sections about codes stand at the end; their headings are the codes. */
const explained = [...sections].filter(([title]) => /^[a-z_]+$/.test(title))

describe("docs/errors.md", () => {
  it("explains every code, no other, and in the order of their status", () => {
    const codes = explained.map(([code]) => code)
    assert.sameMembers(codes, [...problemKinds.keys()])
    const statuses = codes.map((code) => problemKinds.get(code)?.status ?? 0)
    assert.deepStrictEqual(
      statuses,
      statuses.toSorted((a, b) => a - b)
    )
  })

  it("says of each its status, title and whether to retry as the table has them; when, why, and what to do", () => {
    for (const [code, text] of explained) {
      const { retryable, status, title } = problemKinds.get(code) ?? assert.fail(code)
      const [facts = "", ...rest] = text.trim().split("\n\n")
      assert.strictEqual(facts, `${status} · ${title} · ${retryable ? "retryable" : "not retryable"}`, code)
      assert.deepStrictEqual(
        rest.map((paragraph) => /^\*\*(.+?)\.\*\* \S/.exec(paragraph)?.[1]),
        ["When", "Why", "What to do"],
        code
      )
    }
  })

  it("lists every code with its status, as a link to what explains it", () => {
    const rows = [...(sections.get("Every code") ?? "").matchAll(/^\| (\d+) +\| (.+)$/gm)]
    const listed = rows.flatMap(([, status, links = ""]) =>
      [...links.matchAll(/\[`(\w+)`\]\(#(\w+)\)/g)].map(
        ([, code = "", anchor]) => [code, anchor, Number(status)] as const
      )
    )
    assert.deepStrictEqual(
      listed,
      explained.map(([code]) => [code, code, problemKinds.get(code)?.status ?? 0] as const)
    )
  })

  it("names every code that an entry of errors can have", () => {
    const { literals } = FieldError.fields.code
    const named = [...(sections.get("invalid_input") ?? "").matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => name)
    // What else is in backticks there, and is no code: names of members and headers.
    assert.sameMembers(
      named.filter((name) => !["errors", "pointer", "message", "code"].includes(name)),
      [...literals]
    )
  })

  it("lists every error of the TypeScript client, beside that of Python with the same name", () => {
    const classes = Object.entries(client).flatMap(([name, value]) =>
      value.prototype instanceof client.OutreachForecastError || value === client.OutreachForecastError ? [name] : []
    )
    const rows = [...(sections.get("In the clients") ?? "").matchAll(/^\| `(\w+)` +\| `(\w+)` +\|/gm)]
    assert.sameMembers(
      rows.map(([, , name]) => name),
      classes
    )
    for (const [, python, typescript] of rows) assert.strictEqual(python?.replace("API", "Api"), typescript)
  })
})
