import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option, Schema } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import { modelVersion } from "../../../src/forecast/modelVersion.ts"
import { free, httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"

const path = "/api/v1/progress"

const so_far = { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 }
const open = { emails: 0, replies: 7, positive_replies: 4, meetings: 2 }

const varying = Schema.decodeUnknownOption(
  Schema.Struct({
    against_the_plan: Schema.Struct({
      positive_reply_rate: Schema.Struct({ chance_as_campaigns_vary: Schema.NullOr(Schema.Finite) })
    })
  })
)

const flight = (changes: object = {}) => JSON.stringify({ ...sample, so_far, open, emails_left: 3000, ...changes })

const request = (key: string, body: string = flight()) => post(path, { key, body })

describe(`POST ${path}`, () => {
  layer(httpApplication())((it) => {
    it.effect("answers 400 invalid_input with every error in plan and counts at once", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(7)
        const body = flight({
          reply_rate: 101,
          evidence: { reply_rate: { observed: 1, out_of: 2 } },
          so_far: { ...so_far, clients: 5, opens: 800 },
          open: { replies: 49, meetings: 0.5 },
          emails_left: 100_001
        })
        const { headers, problem, status } = yield* free(id, request(secret, body))
        assert.strictEqual(status, 400)
        assert.deepStrictEqual(
          problem.errors?.map(({ code, pointer }) => `${pointer} ${code}`),
          [
            "/reply_rate out_of_range",
            "/open/meetings not_an_integer",
            "/emails_left out_of_range",
            "/evidence unknown_field",
            "/so_far/opens unknown_field",
            "/so_far/clients out_of_range",
            "/open/replies out_of_range"
          ]
        )
        assert.strictEqual(headers.get("ratelimit"), '"credits";r=7')
      })
    )

    it.effect("answers 200 with the documented example, for one credit, counted with the forecasts", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(100)
        assert.strictEqual((yield* post("/api/v1/forecast", { key: secret })).status, 200)
        const { headers, json, status } = yield* request(secret)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "application/json")
        assert.deepInclude(json, {
          plan: { clients: 4, chance_of_at_least: 0.6106 },
          if_you_stop_now: {
            clients: { expected: 2.3111, low: 1, median: 2, high: 4 },
            chance_of_another_client: 0.6958
          },
          weakest: null,
          model_version: modelVersion,
          usage: { month: "1970-01", requests: 2, credits_remaining: 98 }
        })
        assert.deepNestedInclude(json, {
          "end.clients": { so_far: 1, expected: 5.0049, low: 2, median: 4, high: 9, chance_within: 0.8049 },
          "end.chance_of_no_client": 0,
          "end.chance_to_break_even": 1,
          "if_you_send[0]": { emails: 0, expected: 2.3111, low: 1, high: 4 },
          "if_you_send[4]": { emails: 3000, expected: 5.0049, low: 2, high: 9 },
          "against_the_plan.reply_rate": {
            planned: 5,
            observed: 3.1,
            chance_by_chance_alone: 0.0001,
            chance_as_campaigns_vary: 0.3263,
            verdict: "as_planned"
          }
        })
        assert.strictEqual(headers.get("ratelimit"), '"credits";r=98')
        const [entry] = yield* credits.history(id, 1)
        assert.include(entry, { kind: "forecast", delta: -1, balanceAfter: 98 })
        const used = yield* send("/api/v1/usage", { headers: { "x-api-key": secret } })
        assert.include(used.json, { requests: 2, credits_remaining: 98 })
      })
    )

    it.effect("accepts a history, delivered emails and held meetings", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const body = flight({
          delivery_rate: 96,
          show_rate: 80,
          so_far: { ...so_far, delivered: 1920, meetings_held: 2 },
          open: { ...open, meetings_held: 1 },
          history: [{ emails_sent: 900, delivered: 870, replies: 20, positive_replies: 6 }]
        })
        const { json, status } = yield* request(secret, body)
        assert.strictEqual(status, 200)
        assert.deepNestedInclude(json, {
          "against_the_plan.show_rate": {
            planned: 80,
            observed: 100,
            chance_by_chance_alone: 0.64,
            chance_as_campaigns_vary: null,
            verdict: "as_planned"
          }
        })
        // The variation comes from the history, so it is not null although nobody has published it.
        assert.isNumber(Option.getOrThrow(varying(json)).against_the_plan.positive_reply_rate.chance_as_campaigns_vary)
      })
    )
  })
})
