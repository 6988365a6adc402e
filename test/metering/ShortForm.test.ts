import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "../../src/credits/Credits.ts"
import { httpApplication, issueKey, post } from "../support/Http.ts"
import { measured, sample } from "../support/Samples.ts"

const path = "/api/v1/forecast"

const minimal = { prefer: "return=minimal" }

const names = [
  "summary",
  "estimated_replies",
  "estimated_positive_replies",
  "estimated_meetings",
  "estimated_clients",
  "estimated_revenue",
  "roi_multiple",
  "cost_per_reply",
  "cost_per_meeting",
  "cost_per_client",
  "performance_grade",
  "risk_flags",
  "recommendations",
  "model_version",
  "outlook",
  "usage"
]

const wholeOnly = ["break_even", "calculation_notes", "test_first"]

describe("Prefer: return=minimal", () => {
  layer(httpApplication())((it) => {
    it.effect("gets the short form, in at most 1,800 bytes for the sample, for one credit", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(100)
        const full = yield* post(path, { key: secret })
        // The first request of a key is answered by itself, the following ones together with others.
        for (const [body, before] of [
          [undefined, 99],
          [undefined, 98],
          [JSON.stringify(measured), 97]
        ] as const) {
          const short = yield* post(path, { key: secret, body, headers: minimal })
          assert.strictEqual(short.status, 200)
          assert.strictEqual(short.headers.get("preference-applied"), "return=minimal")
          assert.hasAllKeys(short.json, names)
          assert.hasAllKeys(short.json["outlook"], ["clients", "chance_to_break_even"])
          assert.strictEqual((yield* credits.balance(id)).remaining, before - 1)
          if (body !== undefined) continue
          assert.isAtMost(Buffer.byteLength(short.text), 1800)
          assert.strictEqual(Object.keys(short.json)[0], "summary")
          for (const [name, value] of Object.entries(short.json)) {
            if (name !== "usage" && name !== "outlook") assert.deepStrictEqual(value, full.json[name], name)
          }
        }
        assert.isNull(full.headers.get("preference-applied"))
        // The grant, and a forecast each.
        assert.lengthOf(yield* credits.history(id, 10), 5)
      })
    )

    it.effect("is read as RFC 7240 says: among other preferences, in any case, the first of several", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(100)
        for (const [prefer, applied] of [
          ["respond-async, Return = minimal; foo", "return=minimal"],
          ['return="minimal"', "return=minimal"],
          ["return=minimal, return=representation", "return=minimal"],
          ["return=representation, return=minimal", "return=representation"],
          ['foo="a, return=minimal, b"', null],
          ['foo="a, b", return=minimal', "return=minimal"],
          ['return="minimal', null],
          ["return=short", null],
          ["minimal", null],
          ["wait=10", null]
        ] as const) {
          const { headers, json } = yield* post(path, { key: secret, headers: { prefer } })
          assert.strictEqual(headers.get("preference-applied"), applied, prefer)
          for (const name of wholeOnly) {
            assert.strictEqual(name in json, applied !== "return=minimal", `${prefer} ${name}`)
          }
        }
      })
    )

    it.effect("does not change the form of a replay, which says what it is", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(100)
        for (const [key, first, again, applied] of [
          ["short", minimal, {}, "return=minimal"],
          ["whole", {}, minimal, "return=representation"]
        ] as const) {
          const send = (headers: Record<string, string>) =>
            post(path, { key: secret, headers: { ...headers, "idempotency-key": key } })
          const { text } = yield* send(first)
          const replay = yield* send(again)
          assert.strictEqual(replay.text, text)
          assert.strictEqual(replay.headers.get("idempotent-replayed"), "true")
          assert.strictEqual(replay.headers.get("preference-applied"), applied)
        }
        assert.strictEqual((yield* credits.balance(id)).remaining, 98)
      })
    )

    it.effect("changes no problem, no other endpoint and not the legacy path", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(100)
        for (const [on, body] of [
          ["/api/v1/service/roi", JSON.stringify(sample)],
          ["/api/v1/goals", JSON.stringify({ ...sample, goal: { clients: 4 } })],
          ["/api/v1/forecasts", JSON.stringify({ campaigns: [sample] })],
          [path, "{}"]
        ] as const) {
          const { headers, text } = yield* post(on, { key: secret, body, headers: minimal })
          assert.isNull(headers.get("preference-applied"), on)
          assert.include(text, body === "{}" ? '"code":"invalid_input"' : '"calculation_notes":', on)
        }
      })
    )
  })
})
