import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { recognize } from "../../src/calculator/history/ColumnNames.ts"
import { columns } from "../../src/calculator/history/Columns.ts"
import { readPastedForm } from "../../src/calculator/history/readPastedForm.ts"
import { sampleValues } from "../support/Samples.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/past-campaigns.md", import.meta.url)), "utf8")

/** The cells of the table whose first column has this title, without its head. */
const rows = (title: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, table = ""] = new RegExp(`^\\| ${title} .*\n\\| -.*\n((?:\\|.*\n)*)`, "m").exec(page) ?? []
  return table
    .trim()
    .split("\n")
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim())
    )
}

const namesIn = (cell = "") => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name)

describe("docs/past-campaigns.md", () => {
  it("lists recognized names, and the count that each stands for", () => {
    const listed = rows("taken for").flatMap(([label = "", plain, ofContacts]) => {
      const column = columns.find((each) => each.label === label)?.name
      return [
        ...namesIn(plain).map((name) => ({ name, column, isOfContacts: false })),
        ...namesIn(ofContacts).map((name) => ({ name, column, isOfContacts: true }))
      ]
    })
    assert.isAbove(listed.length, 50)
    for (const { name, ...taken } of listed) assert.deepInclude<unknown>(recognize(name), taken, name)
  })

  it("gives the source of recognized names, by tool", () => {
    const found = rows("tool")
    assert.sameMembers(
      [...new Set(found.map(([tool]) => tool))],
      ["Instantly", "Smartlead", "lemlist", "Apollo", "Woodpecker", "Reply.io", "Mailshake", "QuickMail", "HubSpot"]
    )
    for (const [, cell] of found) {
      for (const name of namesIn(cell)) assert.isDefined(recognize(name), name)
    }
    const [, , sentence = ""] =
      /## Recognized column names[^]*?(`Opportunities`) (alone is not recognized)/.exec(page) ?? []
    assert.strictEqual(sentence, "alone is not recognized")
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
