import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Record } from "effect"
import { gradeFrom, type PerformanceGrade, RiskFlag, threshold } from "../../src/forecast/Assessment.ts"
import {
  type Benchmark,
  closeRate,
  meetingBookingRate,
  positiveReplyRate,
  replyRate
} from "../../src/forecast/Benchmarks.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/rates.md", import.meta.url)), "utf8")

/** The rows of the table whose first column has this title: the name in each row, and the rest of the row. */
const rows = (title: string): ReadonlyArray<readonly [name: string, rest: string]> => {
  const [, table = ""] = new RegExp(`^\\| \`${title}\` .*\n\\| -.*\n((?:\\|.*\n)*)`, "m").exec(page) ?? []
  return [...table.matchAll(/^\| `(\w+)` +\|(.*)$/gm)].map(([, name = "", rest = ""]) => [name, rest])
}

describe("docs/rates.md", () => {
  it("lists every risk flag in its order, with the threshold that it is raised at", () => {
    const flags = rows("risk_flags")
    assert.deepStrictEqual(
      flags.map(([name]) => name),
      [...RiskFlag.literals]
    )
    const camelCase = (name: string) => name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
    let count = 0
    for (const [flag, rest] of flags) {
      const raised = Object.entries(threshold).find(([name]) => name === camelCase(flag))?.[1]
      if (raised === undefined) continue
      const shown = new Intl.NumberFormat("en-US").format(BigDecimal.toNumberUnsafe(raised))
      const rate = flag.replace(/^[a-z]+_/, "").replaceAll("_", " ")
      const raisedAt: { readonly [kind: string]: string } = {
        low: `${rate} below ${shown} %`,
        optimistic: `${rate} above ${shown} %`,
        high: `more than ${shown} emails`,
        small: `fewer than ${shown} expected clients`
      }
      assert.strictEqual(rest.split("|")[0]?.trim(), raisedAt[flag.split("_")[0] ?? ""], flag)
      count++
    }
    assert.strictEqual(count, Object.keys(threshold).length)
  })

  it("lists every grade, with the ROI from which it holds", () => {
    const { healthy, strong } = Record.map(gradeFrom, (roi) => BigDecimal.format(roi))
    const range: { readonly [grade in PerformanceGrade]: string } = {
      weak: "below 1",
      break_even_or_unclear: `1 to below ${healthy}, or it is not known`,
      healthy: `${healthy} to below ${strong}`,
      strong: `${strong} and above`
    }
    assert.deepStrictEqual(
      Object.fromEntries(rows("performance_grade").map(([name, rest]) => [name, rest.split("|")[0]?.trim()])),
      { ...range }
    )
  })

  it("quotes the figures that recommendations compare with, and their sources", () => {
    const quoted = ({ source, value }: Benchmark) => `${BigDecimal.format(value)} % (${source})`
    for (const benchmark of [replyRate, positiveReplyRate, meetingBookingRate, closeRate]) {
      assert.include(page, quoted(benchmark))
    }
  })
})
