import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { publishedFigures } from "../../src/forecast/benchmarks/PublishedFigures.ts"
import { smallSample } from "../../src/forecast/benchmarks/Thresholds.ts"
import { computeForecast } from "../../src/forecast/Forecast.ts"
import { betaRange } from "../../src/forecast/counts/SpecialFunctions.ts"
import { countsOf, stagesOf } from "../../src/forecast/outlook/CampaignOutlook.ts"
import { calibrate, documented, rowOf, rows } from "../../scripts/calibrate/Calibration.ts"
import { campaignOf } from "../support/Campaigns.ts"
import { httpApplication, send } from "../support/Http.ts"
import { assumptionsOf, decodeText, sample } from "../support/Samples.ts"

const page = readFileSync(fileURLToPath(new URL("../../docs/certainty.md", import.meta.url)), "utf8")
const clientsOf = (emails_sent: number) =>
  countsOf(stagesOf({ ...campaignOf(), spread: "published" }).clients, emails_sent)
const ofHundred = (chance: number) => Math.round(chance * 100)

describe("docs/certainty.md", () => {
  it.effect("explains the figures of a response", () =>
    Effect.gen(function* () {
      const { outlook } = computeForecast(yield* assumptionsOf()).forecast
      const { clients, meetings, positive_replies: positive, replies } = outlook
      assert.include(
        page,
        `${replies.low} to ${replies.high} replies, ${positive.low} to ${positive.high} positive ones, ` +
          `${meetings.low} to ${meetings.high} meetings, ${clients.low} to ${clients.high} clients.`
      )
      assert.include(page, `flag \`small_sample\``)
      assert.include(page, `more than ${smallSample * 100} of 100 such campaigns win no clients`)
    })
  )

  layer(httpApplication())((it) => {
    it.effect("links to charts of the campaigns that it explains", () =>
      Effect.gen(function* () {
        const links = [...page.matchAll(/\]\(http:\/\/127\.0\.0\.1:3000(\/\?[^)]+)\)/g)].map(([, link = ""]) => link)
        assert.lengthOf(links, 2)
        const shown = yield* Effect.forEach(links, (link) => Effect.map(send(link), ({ text }) => text))
        assert.include(shown[0], "Expect 0 to 8 clients.")
        assert.include(shown[1], "Expect 0 or 1 client.")
        for (const text of shown) assert.isAbove(text.split('<svg class="drawing"').length, 2)
      })
    )
  })

  it("is right about the results of its example campaigns", () => {
    const few = clientsOf(500)
    const [none, one, more] = [1 - few.atLeast(1), few.atLeast(1) - few.atLeast(2), few.atLeast(2)].map(ofHundred)
    assert.include(page, `In ${none} of 100 such campaigns there are no clients at all`)
    assert.include(page, `In ${one} there is one client, and in ${more} two or more`)
    const many = clientsOf(5000)
    assert.include(page, "ten of them bring no clients, most bring 1 to 6, and now and then one brings 12")
    assert.strictEqual(ofHundred(1 - many.atLeast(1)), 10)
    assert.isAbove(many.atLeast(1) - many.atLeast(7), 0.6)
    assert.closeTo(many.atLeast(12) - many.atLeast(13), 0.01, 0.005)
  })

  it.effect("quotes published figures, and how much campaigns differ", () =>
    Effect.gen(function* () {
      const [, table = ""] = /\n\| what differs .*\n\|.*\n((?:\|.*\n)+)/.exec(page) ?? []
      const quotes = [...table.matchAll(/([^|()]+)\((\w+)\)/g)]
      assert.lengthOf(quotes, 9)
      const fitted = betaRange({ alpha: 2.3, beta: 113.8 })
      assert.closeTo(fitted.high / fitted.low, 6, 0.5)
      for (const [, text = "", publisher = ""] of quotes) {
        const figures = publishedFigures.filter(({ source }) => source.publisher.startsWith(publisher))
        const published = figures.flatMap(({ values }) => Object.values(values).flat().map(String))
        const known = [(100 * fitted.low).toFixed(1), ...published]
        for (const [, percent = ""] of text.matchAll(/([\d.]+)%/g)) {
          assert.include(known, percent, text)
        }
      }
      const { reply_rate } = computeForecast(yield* assumptionsOf()).forecast.outlook.rates
      assert.include(
        page,
        `rate of ${reply_rate.expected}%, it expects ${reply_rate.low}% to ${reply_rate.high}% in 80`
      )
    })
  )

  it.effect("is right about the effect of a history", () =>
    Effect.gen(function* () {
      const history = [
        { emails_sent: 3200, replies: 61, positive_replies: 19, meetings: 5, clients: 1 },
        { emails_sent: 2500, replies: 20, positive_replies: 9, meetings: 2, clients: 1 },
        { emails_sent: 4000, replies: 110, positive_replies: 28, meetings: 6, clients: 1 }
      ]
      const { average_deal_value: _, campaign_cost: __, ...rates } = sample
      const { outlook } = computeForecast(yield* decodeText(JSON.stringify({ ...rates, history }))).forecast
      const { expected, high, low } = outlook.rates.reply_rate
      assert.include(page, `becomes ${expected.toFixed(2)}% instead of 5%, and varies from ${low}% to ${high}% in 80`)
      assert.include(
        page,
        `Now ${ofHundred(outlook.chance_of_no_client)} of 100 such campaigns bring no clients, not 10`
      )
    })
  )

  it("shows how often ranges hold without a history, as the calibration finds it", () => {
    const table = page.replaceAll(/ +/g, " ")
    // Nothing is learned in these rows, so a thousand campaigns are fast.
    for (const row of rows.filter(({ known }) => known === "nothing")) {
      const { campaigns, seed } = documented
      const cells = rowOf(row, calibrate(row, campaigns, seed)).toSpliced(1, 1)
      assert.include(table, `| ${cells.join(" | ")} |`)
    }
    assert.include(page, `${documented.campaigns.toLocaleString("en-US")} simulated campaigns for each row`)
    const published = { alpha: 2.3, beta: 113.8 }
    const mean = published.alpha / (published.alpha + published.beta)
    const variation = Math.sqrt((1 - mean) / mean / (published.alpha + published.beta + 1))
    assert.include(page, `differ by about ${Math.round(variation * 20) * 5}%`)
  })

  it("is right about what the default range leaves out", () => {
    const noClient = [0.3, 0.45].map((variation) => {
      const beta = (mean: number) => {
        const cases = (1 - mean) / mean / variation ** 2 - 1
        return { alpha: cases * mean, beta: cases * (1 - mean) }
      }
      const learned = { positive_reply_rate: beta(0.3), meeting_booking_rate: beta(0.2), close_rate: beta(0.25) }
      const stage = stagesOf({ ...campaignOf(), learned, spread: "published" }).clients
      return ofHundred(1 - countsOf(stage, 5000).atLeast(1))
    })
    assert.include(
      page,
      `${noClient.join(" to ")} of 100 campaigns like the first call bring no clients at all, instead of 10`
    )
  })

  it.effect("is right about learning: ranges of known campaigns hold in a seeded part of the simulation", () =>
    Effect.sync(() => {
      const { byChanceAlone, held, promised } = calibrate({ variation: 0.3, excess: 1, known: 8 }, 40, 3)
      for (const share of held) assert.isAtLeast(share, 0.7)
      assert.isAtLeast(promised, 0.8)
      assert.isBelow(byChanceAlone[0] ?? 1, 0.6)
    })
  )
})
