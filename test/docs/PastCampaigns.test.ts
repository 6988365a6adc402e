import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { recognize } from "../../src/extensions/tables/ColumnNames.ts"
import { readPastedForm } from "../../src/extensions/calculator/readPastedForm.ts"
import { sampleValues } from "../extensions/support/sampleValues.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/past-campaigns.md", import.meta.url)), "utf8")

describe("docs/past-campaigns.md", () => {
  it("is right that Opportunities alone is not recognized", () => {
    assert.include(page, "`Opportunities` alone is not recognized")
    assert.isUndefined(recognize("Opportunities"))
  })

  it("has an example that the calculator reads", () => {
    const [head = "", ...body] = page.match(/^\| (?:Campaign +\| Emails|March|April) .*$/gm) ?? []
    const table = [head, ...body].map((line) => line.slice(1, -1).split("|").join("\t")).join("\n")
    const { errors, input } = readPastedForm({ ...sampleValues, history: table })
    assert.deepStrictEqual(errors, [])
    const { history: campaigns = [] } = input?.first.assumptions ?? {}
    assert.deepStrictEqual(campaigns[0], {
      name: "March",
      emails_sent: 4200,
      replies: 210,
      positive_replies: 58,
      meetings: 11,
      clients: 3
    })
    assert.lengthOf(campaigns, 2)
  })
})
