import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Record } from "effect"
import { riskFlagNames, riskOf } from "../../src/forecast/benchmarks/RiskFlags.ts"
import { publishedFigures } from "../../src/forecast/benchmarks/PublishedFigures.ts"
import { rateBounds, references } from "../../src/forecast/benchmarks/Thresholds.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { assumptionsOf } from "../support/Samples.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/rates.md", import.meta.url)), "utf8")

describe("docs/rates.md", () => {
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
