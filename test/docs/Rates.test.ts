import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Record } from "effect"
import { gradeFrom, lowFlag, optimisticFlag, type PerformanceGrade, RiskFlag } from "../../src/forecast/Assessment.ts"
import { publishedFigures, type Value } from "../../src/forecast/benchmarks/PublishedFigures.ts"
import {
  type Bound,
  furtherReferences,
  highVolume,
  rateBounds,
  smallSample
} from "../../src/forecast/benchmarks/Thresholds.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { assumptionsOf } from "../support/Samples.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/rates.md", import.meta.url)), "utf8")

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

/** The same by the name in the first column. */
const named = (title: string) => rows(title).map(([name = "", ...rest]) => [name.replaceAll("`", ""), ...rest] as const)

const number = (value: number) => new Intl.NumberFormat("en-US").format(value)
const shown = (value: Value) => (typeof value === "number" ? number(value) : value.map(number).join("–"))

const because = ({ because, from }: Bound) => `${because} (${from})`

describe("docs/rates.md", () => {
  it("has every published figure, its unit, who published it under which licence, and on what it was measured", () => {
    assert.deepStrictEqual(
      rows("what"),
      publishedFigures.map(({ measure, per, source, unit, values }) => {
        const { license, publisher, sample, seen, url, year } = source
        const who = year === null ? publisher : `${publisher} ${year}`
        return [
          measure,
          Object.entries(values)
            .map(([tier, value]) => `${shown(value)} ${unit} ${tier}`)
            .join("; "),
          per ?? "not said",
          [
            url === null ? who : `[${who}](${url})`,
            ...(seen === "quoted" ? ["quoted"] : []),
            ...(license === null ? [] : [license.replace(/^(.+) \((.+)\)$/, "[$1]($2)")])
          ].join(", "),
          sample ?? "not said"
        ]
      })
    )
  })

  it("has every reference that advice compares with", () => {
    const references = { ...Record.map(rateBounds, ({ reference }) => reference), ...furtherReferences }
    assert.deepStrictEqual(
      rows("rate").map(([rate = "", ...rest]) => [/\w+/.exec(rate)?.[0], ...rest]),
      Object.entries(references).map(([rate, { because, from, value }]) => [rate, `${value} %`, `${because}, ${from}`])
    )
  })

  it("lists every risk flag in its order, with the threshold that it is raised at, and why", () => {
    const flags = named("`risk_flags`")
    assert.deepStrictEqual(
      flags.map(([name]) => name),
      [...RiskFlag.literals]
    )
    const about = new Map(flags.map(([name, ...rest]) => [name, rest]))
    for (const rate of Record.keys(rateBounds)) {
      const { high, low } = rateBounds[rate]
      const name = rate.replaceAll("_", " ")
      assert.deepStrictEqual(about.get(lowFlag[rate]), [`${name} below ${low.value} %`, because(low)])
      assert.deepStrictEqual(about.get(optimisticFlag[rate]), [`${name} above ${high.value} %`, because(high)])
    }
    assert.deepStrictEqual(about.get("high_volume"), [
      `more than ${number(highVolume.value)} emails`,
      because(highVolume)
    ])
    assert.strictEqual(about.get("small_sample")?.[0], `chance of no client above ${smallSample * 100} %`)
  })

  it.effect("is right about the chance of no client in a small campaign", () =>
    Effect.gen(function* () {
      const { outlook } = computeForecast(yield* assumptionsOf({ emails_sent: 500 })).forecast
      const alone = outlook.chance_alone?.chance_of_no_client ?? 0
      assert.include(
        page,
        `${Math.round(outlook.chance_of_no_client * 100)} of 100 campaigns of 500 emails win no client`
      )
      assert.include(page, `${outlook.clients.expected} clients are expected`)
      assert.include(page, `in every campaign, it would be ${Math.round(alone * 100)}.`)
    })
  )

  it("lists every grade, with the ROI from which it holds", () => {
    const { healthy, strong } = Record.map(gradeFrom, (roi) => BigDecimal.format(roi))
    const range: { readonly [grade in PerformanceGrade]: string } = {
      weak: "below 1",
      break_even_or_unclear: `1 to below ${healthy}, or ${healthy} and above with \`small_sample\`, or it is not known`,
      healthy: `${healthy} to below ${strong}`,
      strong: `${strong} and above`
    }
    assert.deepStrictEqual(Object.fromEntries(named("`performance_grade`")), { ...range })
  })
})

describe("thresholds", () => {
  it("stand on rows that there are", () => {
    const there = new Set(publishedFigures.map(({ row }) => row))
    const bounds = Object.values(rateBounds).flatMap(({ high, low, reference }) => [high, low, reference])
    for (const { because, rows } of [...bounds, ...Object.values(furtherReferences), highVolume]) {
      assert.isNotEmpty(rows, because)
      for (const row of rows) assert.isTrue(there.has(row), because)
    }
  })
})
