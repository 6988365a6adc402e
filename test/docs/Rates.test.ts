import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { BigDecimal, Effect, Record } from "effect"
import { gradeFrom, type PerformanceGrade } from "../../src/forecast/Assessment.ts"
import { riskFlagNames, riskOf } from "../../src/forecast/benchmarks/RiskFlags.ts"
import { publishedFigures, type Value } from "../../src/forecast/benchmarks/PublishedFigures.ts"
import { rateBounds, references } from "../../src/forecast/benchmarks/Thresholds.ts"
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
    assert.deepStrictEqual(
      named("`risk_flags`"),
      riskFlagNames.map((flag) => [flag, riskOf(flag).when, riskOf(flag).because])
    )
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
    const unclears = riskFlagNames.filter((flag) => riskOf(flag).unclears !== undefined).map((flag) => `\`${flag}\``)
    const range: { readonly [grade in PerformanceGrade]: string } = {
      weak: "below 1",
      break_even_or_unclear: `1 to below ${healthy}, or ${healthy} and above with ${unclears.join(" or ")}, or unknown`,
      healthy: `${healthy} to below ${strong}`,
      strong: `${strong} and above`
    }
    assert.deepStrictEqual(Object.fromEntries(named("`performance_grade`")), { ...range })
  })
})

describe("thresholds", () => {
  it("refer to existing rows", () => {
    const there = new Set(publishedFigures.map(({ row }) => row))
    const bounds = riskFlagNames.flatMap((flag) => riskOf(flag).thresholds ?? []).map(({ bound }) => bound)
    for (const { because, from, rows } of [...bounds, ...Object.values(references)]) {
      assert.strictEqual(rows.length > 0, from !== null, because)
      for (const row of rows) assert.isTrue(there.has(row), because)
    }
  })

  it("of replies are the lowest quarter and the best tenth of published campaigns, half of a mean for positive ones", () => {
    const { high, low } = rateBounds.reply_rate
    const ofEmails = publishedFigures.find(({ row }) => row === 18)?.values
    const ofContacts = publishedFigures.find(({ row }) => row === 1)?.values
    assert.deepStrictEqual<unknown>(
      [low[0].value, ...high.map(({ value }) => value)],
      [ofEmails?.["lower quartile"], ofEmails?.["top decile"], ofContacts?.["top decile"]]
    )
    const mean = publishedFigures.find(({ row }) => row === 8)?.values["mean"]
    assert.strictEqual(rateBounds.positive_reply_rate.low[0].value, Math.floor(Number(mean) / 2))
  })

  it("of planned rates are beyond every planning figure in their unit", () => {
    const measures = {
      positive_reply_rate: "positive replies",
      meeting_booking_rate: "booked meetings",
      close_rate: "clients"
    } as const
    for (const rate of Record.keys(measures)) {
      const publishedPer = (per: string) =>
        publishedFigures
          .filter((figures) => figures.measure === measures[rate])
          .filter((figures) => figures.per === per || (per === "booked meeting" && figures.per === "meeting"))
          .flatMap(({ values }) => Object.values(values).flat())
      const [high] = rateBounds[rate].high
      const [low] = rateBounds[rate].low
      assert.isAtLeast(high.value, Math.max(...publishedPer(high.per)), rate)
      assert.isAtMost(low.value, Math.min(...publishedPer(low.per)), rate)
    }
    const [opportunities, closed] = ["opportunities", "clients"].map((measure) =>
      publishedFigures.find((figures) => figures.row === 13 && figures.measure === measure)
    )
    const { conservative: opportunity } = opportunities?.values ?? {}
    const { conservative: client } = closed?.values ?? {}
    assert.strictEqual(rateBounds.close_rate.low[1].value, (Number(opportunity) * Number(client)) / 100)
  })
})

describe("published figures", () => {
  it("are quoted where nobody can look them up", () => {
    const sources = publishedFigures.map(({ source }) => source)
    const unfindable = sources.filter(({ sample, url }) => url === null && sample === null)
    assert.isTrue(unfindable.every(({ seen }) => seen === "quoted"))
  })

  it("are never called a bound if they are a mean", () => {
    const said = [
      ...Object.values(rateBounds).flatMap(({ high, low }) => [...low, ...high]),
      ...Object.values(references)
    ]
    for (const { because } of said) assert.notMatch(because, /lowest published figure|highest published figure/)
  })
})
