import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { FieldError } from "../../src/input/InvalidInput.ts"
import { Problem } from "../../src/Problems.ts"
import { problemKinds } from "../support/Problems.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/errors.md", import.meta.url)), "utf8")
const sections = new Map(
  page
    .split(/^## /m)
    .slice(1)
    .map((text): [string, string] => [text.slice(0, text.indexOf("\n")), text.slice(text.indexOf("\n") + 1)])
)

describe("the table of problems", () => {
  it("explains every code once, and consistently if several failures share a code", () => {
    for (const [code, entries] of Map.groupBy(Object.values(Problem), ({ code }) => code)) {
      assert.lengthOf(
        entries.filter(({ explanation }) => explanation !== undefined),
        1,
        code
      )
      for (const { retryable, status, title } of entries) {
        assert.deepInclude(problemKinds.get(code), { status, title, retryable }, code)
      }
    }
  })
})

describe("docs/errors.md", () => {
  it("names no limit that is a setting, because the value may differ", () => {
    for (const code of ["rate_limited", "unpaid_orders"]) {
      const [, explanation = assert.fail(code)] = sections.get(code)?.split(/(?=\*\*When\.)/) ?? []
      assert.notMatch(explanation, /\d/)
    }
  })

  it("names every code that an entry of errors can have", () => {
    const { literals } = FieldError.fields.code
    const named = [...(sections.get("invalid_input") ?? "").matchAll(/`([a-z_]+)`/g)].map(([, name = ""]) => name)
    // Other names in backticks: members and headers.
    assert.sameMembers(
      named.filter((name) => !["errors", "pointer", "message", "code"].includes(name)),
      [...literals]
    )
  })
})
