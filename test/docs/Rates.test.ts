import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Record } from "effect"
import { gradeFrom, lowFlag, optimisticFlag, type PerformanceGrade, RiskFlag } from "../../src/forecast/Assessment.ts"
import { publishedFigures, type Value } from "../../src/forecast/benchmarks/PublishedFigures.ts"
import {
  type Bound,
  highVolume,
  leastMeetingCost,
  lowCloseOfHeld,
  type RateBound,
  rateBounds,
  references,
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

const perUnit = ({ per, value }: RateBound) => `${value}% per ${per}`
const because = ({ because, from }: Bound) => `${because} (${from})`

describe("docs/rates.md", () => {
  it("has every published figure with its unit, publisher, licence, and the data it was measured on", () => {
    assert.deepStrictEqual(
      rows("what"),
      publishedFigures.map(({ measure, per, source, unit, values }) => {
        const { license, publisher, sample, seen, url, year } = source
        const who = year === null ? publisher : `${publisher} ${year}`
        return [
          measure,
          Object.entries(values)
            .map(([tier, value]) => `${shown(value)}${unit === "%" ? unit : ` ${unit}`} ${tier}`)
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
    assert.deepStrictEqual(
      rows("rate").map(([rate = "", ...rest]) => [rate.replaceAll("`", ""), ...rest]),
      Object.values(references).map(({ because, from, of, per, value }) => [
        of,
        `${value}% per ${per}`,
        `${because}, ${from}`
      ])
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
      const lows = rate === "close_rate" ? `${perUnit(low)}, or ${perUnit(lowCloseOfHeld)}` : perUnit(low)
      assert.deepStrictEqual(about.get(lowFlag[rate]), [`${name} below ${lows}`, because(low)])
      assert.deepStrictEqual(about.get(optimisticFlag[rate]), [`${name} above ${perUnit(high)}`, because(high)])
    }
    assert.deepStrictEqual(about.get("high_volume"), [
      `more than ${number(highVolume.value)} emails`,
      because(highVolume)
    ])
    assert.deepStrictEqual(about.get("cost_looks_incomplete"), [
      `a cost above 0 and below ${leastMeetingCost.value} per booked meeting`,
      because(leastMeetingCost)
    ])
    assert.strictEqual(about.get("small_sample")?.[0], `chance of no client above ${smallSample * 100}%`)
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

  it("lists every grade, with the ROI at which it starts", () => {
    const { healthy, strong } = Record.map(gradeFrom, (roi) => BigDecimal.format(roi))
    const range: { readonly [grade in PerformanceGrade]: string } = {
      weak: "below 1",
      break_even_or_unclear: `1 to below ${healthy}, or ${healthy} and above with \`small_sample\` or \`cost_looks_incomplete\`, or unknown`,
      healthy: `${healthy} to below ${strong}`,
      strong: `${strong} and above`
    }
    assert.deepStrictEqual(Object.fromEntries(named("`performance_grade`")), { ...range })
  })
})

describe("thresholds", () => {
  it("refer to existing rows", () => {
    const there = new Set(publishedFigures.map(({ row }) => row))
    const bounds = Object.values(rateBounds).flatMap(({ high, low }) => [high, low])
    for (const { because, rows } of [
      ...bounds,
      lowCloseOfHeld,
      ...Object.values(references),
      highVolume,
      leastMeetingCost
    ]) {
      assert.isNotEmpty(rows, because)
      for (const row of rows) assert.isTrue(there.has(row), because)
    }
  })

  it("flag what lies outside everything published in that unit, or in the lowest quarter of campaigns", () => {
    const measures = {
      reply_rate: "replies",
      positive_reply_rate: "positive replies",
      meeting_booking_rate: "booked meetings",
      close_rate: "clients"
    } as const
    for (const rate of Record.keys(rateBounds)) {
      const { high, low } = rateBounds[rate]
      const publishedPer = (per: string) =>
        publishedFigures
          .filter((figures) => figures.measure === measures[rate])
          .filter((figures) => figures.per === per || (per === "booked meeting" && figures.per === "meeting"))
          .flatMap(({ values }) => Object.values(values).flat())
      assert.isAtLeast(high.value, Math.max(...publishedPer(high.per)), rate)
      if (rate === "reply_rate") {
        const distribution = publishedFigures.find(({ row }) => row === 18)
        assert.strictEqual(distribution?.values["lower quartile"], low.value)
      } else assert.isAtMost(low.value, Math.min(...publishedPer(low.per)), rate)
    }
    const [opportunities, closed] = ["opportunities", "clients"].map((measure) =>
      publishedFigures.find((figures) => figures.row === 13 && figures.measure === measure)
    )
    const { conservative: opportunity } = opportunities?.values ?? {}
    const { conservative: client } = closed?.values ?? {}
    assert.strictEqual(lowCloseOfHeld.value, (Number(opportunity) * Number(client)) / 100)
  })
})
