import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { riskFlagNames, riskOf } from "../../../src/forecast/benchmarks/RiskFlags.ts"
import { Benchmarks } from "../../../src/extensions/benchmarks/Benchmarks.ts"
import { publishedFigures } from "../../../src/forecast/benchmarks/PublishedFigures.ts"
import { httpApplication, send } from "../../support/Http.ts"

const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Benchmarks), { onExcessProperty: "error" })

describe("GET /api/v1/benchmarks", () => {
  layer(httpApplication())((it) => {
    it.effect("needs no key, ignores any, may be cached, and returns the same each time", () =>
      Effect.gen(function* () {
        const first = yield* send("/api/v1/benchmarks")
        const again = yield* send("/api/v1/benchmarks", { headers: { "x-api-key": "wrong" } })
        assert.deepStrictEqual([first.status, again.status], [200, 200])
        assert.strictEqual(again.text, first.text)
        assert.strictEqual(first.headers.get("content-type"), "application/json")
        assert.strictEqual(first.headers.get("cache-control"), "public, max-age=300")
        assert.strictEqual((yield* send("/api/v1/credit-packs")).headers.get("cache-control"), "no-store")
        assert.strictEqual((yield* send("/api/v1/benchmarks", { method: "POST" })).status, 405)
      })
    )

    it.effect("has every published figure once, as a value or as a range", () =>
      Effect.gen(function* () {
        const { rows } = decode((yield* send("/api/v1/benchmarks")).text)
        const published = publishedFigures.flatMap(({ measure, row, source, values }) =>
          Object.entries(values).map(([tier, value]) => [row, measure, tier, value, source.publisher, source.seen])
        )
        assert.deepStrictEqual<unknown>(
          rows.map(({ measure, publisher, range, row, seen, tier, value }) => [
            row,
            measure,
            tier,
            range === null ? value : [range.low, range.high],
            publisher,
            seen
          ]),
          published
        )
        assert.isTrue(rows.every(({ range, value }) => (range === null) !== (value === null)))
      })
    )

    it.effect("has the thresholds of the flags that compare with a number, and refers to existing rows", () =>
      Effect.gen(function* () {
        const { references, rows, thresholds } = decode((yield* send("/api/v1/benchmarks")).text)
        assert.deepStrictEqual(
          [...new Set(thresholds.map(({ flag }) => flag))],
          riskFlagNames.filter((flag) => riskOf(flag).thresholds !== undefined)
        )
        const numbers = new Set(rows.map(({ row }) => row))
        for (const bound of [...thresholds, ...references]) {
          // The chance of no client is not a published figure.
          assert.strictEqual(bound.rows.length > 0, bound.of !== "chance_of_no_client", bound.of)
          for (const row of bound.rows) assert.isTrue(numbers.has(row), bound.because)
        }
        assert.includeMembers(
          references.map(({ of, per, unit, value }) => `${of}: ${value} ${unit} per ${per}`),
          ["reply_rate: 3.43 % per contact", "emails_sent: 600 emails per mailbox and month"]
        )
        assert.deepStrictEqual(thresholds.slice(-4), [
          {
            flag: "high_volume",
            raised: "above",
            of: "emails_sent",
            value: 18_000,
            unit: "emails",
            per: "campaign",
            because: "30 mailboxes at 600 emails a month",
            from: "Instantly",
            rows: [16]
          },
          {
            flag: "small_sample",
            raised: "above",
            of: "chance_of_no_client",
            value: 20,
            unit: "%",
            per: "campaign",
            because: "more than 20 of 100 such campaigns win no client",
            from: null,
            rows: []
          },
          {
            flag: "high_bounce_rate",
            raised: "below",
            of: "delivery_rate",
            value: 93.72,
            unit: "%",
            per: "email",
            because: "bounces above twice the measured mean of 3.14% of emails",
            from: "Clientium 2026, CC BY 4.0, clientium.it/osservatorio/",
            rows: [18]
          },
          {
            flag: "cost_looks_incomplete",
            raised: "below",
            of: "cost_per_meeting",
            value: 30,
            unit: "USD",
            per: "booked meeting",
            because: "a fifth of the lowest published cost of a meeting",
            from: "Instantly 2026, quoted by another",
            rows: [15]
          }
        ])
        assert.deepInclude(references, {
          of: "emails_sent",
          value: 600,
          unit: "emails",
          per: "mailbox and month",
          because: "30 emails per mailbox and day over 20 sending days",
          from: "Instantly",
          rows: [16]
        })
        assert.deepInclude(thresholds, {
          flag: "low_reply_rate",
          raised: "below",
          of: "reply_rate",
          value: 1.05,
          unit: "%",
          per: "email",
          because: "the lowest quarter of 556 campaigns gets less than 1.05%",
          from: "Clientium 2026, CC BY 4.0, clientium.it/osservatorio/",
          rows: [18]
        })
        assert.deepStrictEqual(
          thresholds.flatMap(({ flag, per, value }) => (flag === "low_close_rate" ? [`${value}% per ${per}`] : [])),
          ["2.6% per booked meeting", "3.75% per held meeting"]
        )
      })
    )

    it.effect("states the licence of figures that have one", () =>
      Effect.gen(function* () {
        const { rows } = decode((yield* send("/api/v1/benchmarks")).text)
        const licensed = rows.filter(({ publisher }) => publisher.startsWith("Clientium"))
        assert.deepStrictEqual([...new Set(licensed.map(({ row }) => row))], [18, 19])
        for (const { license, url } of licensed) {
          assert.include(license, "CC BY 4.0")
          assert.strictEqual(url, "https://clientium.it/osservatorio/")
        }
      })
    )
  })
})
