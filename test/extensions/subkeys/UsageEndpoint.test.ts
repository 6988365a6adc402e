import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Credits } from "../../../src/credits/Credits.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { nodesIn } from "../../../src/http/document/OpenApiDocument.ts"
import { free, httpApplication, issueKey, send } from "../../support/Http.ts"
import { oneCredit } from "../../support/Samples.ts"

const request = (query: string, key: string, accept = "application/json") =>
  send(`/api/v1/usage${query}`, { headers: { "x-api-key": key, accept } })

/** A key with two sub-keys and their forecasts, on the last day of October and the first two of November. */
const used = Effect.gen(function* () {
  const credits = yield* Credits
  const subKeys = yield* SubKeys
  const { id, secret } = yield* issueKey(100)
  const crm = yield* subKeys.create(id, { name: "CRM", monthlyLimit: null })
  const formula = yield* subKeys.create(id, { name: "=1+1", monthlyLimit: null })
  for (const [time, costs] of [
    ["2026-10-31T12:00:00Z", [1, 0, 0]],
    ["2026-11-01T12:00:00Z", [2, 3, 0]],
    ["2026-11-02T12:00:00Z", [0, 4, 1]]
  ] as const) {
    yield* TestClock.setTime(DateTime.makeUnsafe(time).epochMilliseconds)
    for (const [i, cost] of costs.entries()) {
      const subKeyId = [undefined, crm.subKey.id, formula.subKey.id][i]
      if (cost > 0) yield* credits.charge(id, { ...oneCredit(), subKeyId, cost })
    }
  }
  const own = { sub_key_id: null, name: null }
  const ofCrm = { sub_key_id: crm.subKey.id, name: "CRM" }
  const ofFormula = { sub_key_id: formula.subKey.id, name: "=1+1" }
  return { id, secret, crm, own, ofCrm, ofFormula }
})

/** Rows in an order of their own: sub-keys have random ids. */
const sorted = (rows: unknown) => (Array.isArray(rows) ? rows : [rows]).map((row) => JSON.stringify(row)).toSorted()

describe("GET /api/v1/usage", () => {
  layer(httpApplication())((it) => {
    it.effect("counts the forecasts of a month by day, for the key itself and for each sub-key", () =>
      Effect.gen(function* () {
        const { id, ofCrm, ofFormula, own, secret } = yield* used
        const { headers, json } = yield* free(id, request("?by=day", secret))
        assert.include(json, { month: "2026-11", by: "day" })
        assert.deepStrictEqual(
          sorted(json["rows"]),
          sorted([
            { day: "2026-11-01", ...own, requests: 2 },
            { day: "2026-11-01", ...ofCrm, requests: 3 },
            { day: "2026-11-02", ...ofCrm, requests: 4 },
            { day: "2026-11-02", ...ofFormula, requests: 1 }
          ])
        )
        assert.strictEqual(headers.get("ratelimit"), '"credits";r=89')
        assert.deepStrictEqual((yield* request("?by=day&month=2026-10", secret)).json, {
          month: "2026-10",
          by: "day",
          rows: [{ day: "2026-10-31", ...own, requests: 1 }]
        })
        assert.deepStrictEqual((yield* request("?by=day&month=1999-01", secret)).json["rows"], [])
      })
    )

    it.effect("sums them up by sub-key", () =>
      Effect.gen(function* () {
        const { ofCrm, ofFormula, own, secret } = yield* used
        const { json } = yield* request("?by=sub_key&month=2026-11", secret)
        assert.include(json, { month: "2026-11", by: "sub_key" })
        assert.deepStrictEqual(
          sorted(json["rows"]),
          sorted([
            { ...own, requests: 2 },
            { ...ofCrm, requests: 7 },
            { ...ofFormula, requests: 1 }
          ])
        )
      })
    )

    it.effect("shows a sub-key only its own usage", () =>
      Effect.gen(function* () {
        const { crm, ofCrm } = yield* used
        const secret = Redacted.value(crm.secret)
        assert.deepStrictEqual((yield* request("?by=sub_key", secret)).json["rows"], [{ ...ofCrm, requests: 7 }])
        assert.deepStrictEqual((yield* request("?by=day", secret)).json["rows"], [
          { day: "2026-11-01", ...ofCrm, requests: 3 },
          { day: "2026-11-02", ...ofCrm, requests: 4 }
        ])
        assert.deepStrictEqual((yield* request("", secret)).json["requests_by_month"], [
          { month: "2026-11", requests: 7 }
        ])
      })
    )

    it.effect("returns CSV if requested, without formulas", () =>
      Effect.gen(function* () {
        const { crm, ofFormula, secret } = yield* used
        const days = yield* request("?by=day&month=2026-10", secret, "text/csv")
        assert.strictEqual(days.headers.get("content-type"), "text/csv; charset=utf-8")
        assert.strictEqual(days.text, "day,sub_key_id,name,requests\r\n2026-10-31,,,1\r\n")
        const { text } = yield* request("?by=sub_key", secret, "text/csv")
        assert.sameMembers(text.split("\r\n"), [
          "sub_key_id,name,requests",
          ",,2",
          `${crm.subKey.id},CRM,7`,
          `${ofFormula.sub_key_id},'=1+1,1`,
          ""
        ])
      })
    )

    it.effect("answers 400 for an invalid month or grouping", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (const [query, error] of [
          ["?by=week", "/by must be day or sub_key"],
          ["?by=day&month=2026-13", "/month must be a month like 2026-11"],
          ["?by=day&month=november", "/month must be a month like 2026-11"],
          ["?by=day&month=", "/month must be a month like 2026-11"],
          ["?month=2026-11", "/by is required with month: day or sub_key"],
          ["?by=day&by=day", "/by is in the query more than once; send it once"]
        ] as const) {
          const { problem, status } = yield* request(query, secret)
          assert.strictEqual(status, 400, query)
          assert.deepStrictEqual(
            problem.errors?.map(({ message, pointer }) => `${pointer} ${message}`),
            [error]
          )
        }
      })
    )

    it.effect("names the sub-key of each entry of the ledger", () =>
      Effect.gen(function* () {
        const { secret } = yield* used
        const { json } = yield* send("/api/v1/credits/ledger", { headers: { "x-api-key": secret } })
        const { entries } = json
        assert.deepStrictEqual(
          nodesIn(entries).map(({ delta, sub_key }) => [delta, sub_key]),
          [
            [-1, "=1+1"],
            [-4, "CRM"],
            [-3, "CRM"],
            [-2, null],
            [-1, null],
            [100, null]
          ]
        )
      })
    )
  })
})
