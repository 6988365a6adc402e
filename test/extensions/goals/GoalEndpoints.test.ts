import { assert, describe, layer } from "@effect/vitest"
import { BigDecimal, Effect } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import { modelVersion } from "../../../src/forecast/modelVersion.ts"
import { free, httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { measured, sample } from "../../support/Samples.ts"
import spread from "../../vectors/spread.json" with { type: "json" }
import vectors from "../../vectors/uncertainty.json" with { type: "json" }

const path = "/api/v1/goals"

const withGoal = (goal: unknown, campaign: object = sample) => JSON.stringify({ ...campaign, goal })

const fourClients = withGoal({ clients: 4, chance: 0.8 })

const sendRequest = (key: string, body: string = fourClients) => post(path, { key, body })

const anAim = "must have one of replies, meetings, clients, revenue, profit or roi_multiple"

/** Invalid goals and their errors: pointer, code and message. */
const wrongGoals: ReadonlyArray<readonly [goal: unknown, ...errors: ReadonlyArray<string>]> = [
  [undefined, "/goal required is required"],
  [null, "/goal required is required"],
  [
    5,
    "/goal wrong_type must be an object (replies, meetings, clients, revenue, profit, roi_multiple, chance), not a number"
  ],
  [
    [4],
    "/goal wrong_type must be an object (replies, meetings, clients, revenue, profit, roi_multiple, chance), not an array"
  ],
  [{}, `/goal required ${anAim}`],
  [{ clients: null }, `/goal required ${anAim}`],
  [{ chance: 1 }, "/goal/chance out_of_range must be at most 0.999", `/goal required ${anAim}`],
  [{ clients: 4, revenue: 9 }, "/goal duplicate_field must have one aim: keep one of clients and revenue"],
  [{ clients: 0 }, "/goal/clients out_of_range must be above 0"],
  [{ profit: -1 }, "/goal/profit out_of_range must be above 0"],
  [{ clients: "4" }, "/goal/clients wrong_type must be a number, not a string"],
  [{ meetings: 100_000_001 }, "/goal/meetings out_of_range must be at most 100000000"],
  [{ revenue: 1e12 + 1 }, "/goal/revenue out_of_range must be at most 1000000000000"],
  [{ roi_multiple: 1e9 + 1 }, "/goal/roi_multiple out_of_range must be at most 1000000000"],
  [{ clients: 4, chance: 0 }, "/goal/chance out_of_range must be at least 0.5"],
  [{ clients: 4, chance: 0.4999 }, "/goal/chance out_of_range must be at least 0.5"],
  [{ clients: 4, chance: 1 }, "/goal/chance out_of_range must be at most 0.999"],
  [{ client: 4 }, '/goal/client unknown_field is not a known field; did you mean "clients"?'],
  [{ customers: 4 }, '/goal/customers unknown_field is not a known field; did you mean "clients"?'],
  [{ clients: 4, show_rate: 80 }, "/goal/show_rate unknown_field is not a known field; move it out of goal, next to it"]
]

describe(`POST ${path}`, () => {
  layer(httpApplication())((it) => {
    it.effect("answers 400 invalid_input with every error in goal and campaign at once", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(7)
        for (const [goal, ...expected] of wrongGoals) {
          const { problem, status } = yield* free(id, sendRequest(secret, withGoal(goal)))
          assert.strictEqual(status, 400)
          assert.deepStrictEqual(
            problem.errors?.map(({ code, message, pointer }) => `${pointer} ${code} ${message}`),
            [...expected],
            JSON.stringify(goal)
          )
        }
        const campaign = {
          ...sample,
          reply_rate: 101,
          clients: 4
        }
        const { headers, problem } = yield* free(id, sendRequest(secret, withGoal({ replies: 0, chance: 2 }, campaign)))
        assert.deepStrictEqual(
          problem.errors?.map(({ message, pointer }) => [pointer, message]),
          [
            ["/reply_rate", "must be at most 100"],
            ["/goal/replies", "must be above 0"],
            ["/goal/chance", "must be at most 0.999"],
            ["/clients", 'is not a known field; move it into goal, like {"goal": {"clients": …}}']
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
        const { headers, json, status } = yield* sendRequest(secret)
        assert.strictEqual(status, 200)
        assert.strictEqual(headers.get("content-type"), "application/json")
        const { calculation_notes, summary, ...response } = json
        assert.match(String(summary), / it takes 11,944 emails, 2\.39 times as many as planned, /)
        assert.isNotEmpty(calculation_notes)
        assert.deepStrictEqual(response, {
          goal: { clients: 4, chance: 0.8 },
          expected_now: 3.75,
          chance_now: 0.4446,
          reached: false,
          needed: {
            emails_sent: { current: 5000, needed: 11_944, factor: 2.3888 },
            reply_rate: { current: 5, needed: 11.59, factor: 2.318, beyond_published: true },
            positive_reply_rate: { current: 30, needed: 71.66, factor: 2.3887, beyond_published: true },
            meeting_booking_rate: { current: 20, needed: 47.78, factor: 2.389, beyond_published: false },
            close_rate: { current: 25, needed: 59.72, factor: 2.3888, beyond_published: true }
          },
          model_version: modelVersion,
          usage: { month: "1970-01", requests: 2, credits_remaining: 98 }
        })
        assert.strictEqual(headers.get("ratelimit"), '"credits";r=98')
        assert.strictEqual(headers.get("ratelimit-policy"), '"credits";q=100')
        const [entry] = yield* credits.history(id, 1)
        assert.include(entry, { kind: "forecast", delta: -1, balanceAfter: 98 })
        const used = yield* send("/api/v1/usage", { headers: { "x-api-key": secret } })
        assert.include(used.json, { requests: 2, credits_remaining: 98 })
      })
    )

    it.effect("agrees with the reference results", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const certain = { ...sample, positive_reply_rate: 100, meeting_booking_rate: 100, close_rate: 100 }
        for (const { chance_wanted, clients, emails_sent, probability_per_email } of vectors.smallest_emails_sent) {
          const rate = BigDecimal.multiply(BigDecimal.fromStringUnsafe(probability_per_email), BigDecimal.make(100n, 0))
          const campaign = { ...certain, reply_rate: Number(BigDecimal.format(rate)), spread: "none" }
          const goal = { clients, chance: Number(chance_wanted) }
          const { json } = yield* sendRequest(secret, withGoal(goal, campaign))
          assert.deepNestedInclude(json, { "needed.emails_sent.needed": emails_sent })
        }
        for (const { emails_needed, goal, request } of spread.goals) {
          const { json } = yield* sendRequest(secret, withGoal(goal, request))
          assert.deepNestedInclude(json, { "needed.emails_sent.needed": emails_needed })
        }
      })
    )

    it.effect("accepts a value at a bound, and answers 200 with null if no value is enough", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (const goal of [
          { replies: 1e8 },
          { meetings: 1e8, chance: 0.5 },
          { clients: 1e8, chance: 0.999 },
          { revenue: 1e12 },
          { profit: 1e12, chance: 0.8 },
          { roi_multiple: 1e9 }
        ]) {
          const { json, status } = yield* sendRequest(secret, withGoal(goal))
          assert.strictEqual(status, 200, JSON.stringify(goal))
          assert.deepNestedInclude(json, { reached: false, "needed.reply_rate.needed": null })
        }
        const small = yield* sendRequest(secret, withGoal({ clients: 1e-9 }))
        assert.deepNestedInclude(small.json, { reached: true, "needed.emails_sent.needed": 1 })
      })
    )

    it.effect("solves only emails and cost with a history, and says so", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const { json } = yield* sendRequest(secret, withGoal({ profit: 2000, chance: 0.8 }, measured))
        assert.hasAllKeys(json["needed"], ["emails_sent", "campaign_cost"])
        assert.include(JSON.stringify(json["calculation_notes"]), "with a history, only emails and cost are solved")
      })
    )

    it.effect("answers 400 for a history that nothing can be learned from", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const { problem, status } = yield* sendRequest(
          secret,
          withGoal({ clients: 4 }, { ...sample, history: [{ emails_sent: 5 }] })
        )
        assert.deepStrictEqual([status, problem.errors?.map(({ pointer }) => pointer)], [400, ["/history"]])
      })
    )
  })
})
