import { assert, describe, layer } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { measures } from "../../../src/extensions/benchmarks/MeasureBenchmarks.ts"
import { callTool, connectAgent, sendMessage } from "../support/Agent.ts"
import { campaigns } from "../../support/CampaignRequests.ts"
import { httpApplication, issueKey } from "../../support/Http.ts"
import { decodeText, sample } from "../../support/Samples.ts"
import { decodeGoalRequest } from "../../../src/extensions/goals/GoalRequest.ts"
import { goalLines } from "../../../src/extensions/goals/goalLines.ts"
import { reachGoal } from "../../../src/extensions/goals/Goals.ts"
import { computeProgress } from "../../../src/extensions/progress/Progress.ts"
import { progressLines } from "../../../src/extensions/progress/progressLines.ts"
import { decodeProgressRequest } from "../../../src/extensions/progress/ProgressRequest.ts"
import { computeForecast } from "../../../src/forecast/Forecast.ts"
import { forecastLines } from "../../../src/forecast/forecastLines.ts"
import { campaigns as golden } from "../../forecast/golden/campaigns.ts"
import { flights } from "../../forecast/golden/flights.ts"
import { goals } from "../../forecast/golden/goals.ts"
import { practiceCampaigns } from "../../forecast/golden/practiceCampaigns.ts"

const fractions = {
  emails_sent: 5000,
  reply_rate: 0.05,
  positive_reply_rate: 0.3,
  meeting_booking_rate: 0.2,
  close_rate: 0.25,
  average_deal_value: 2500,
  campaign_cost: 600
}

/** Plans whose texts are long: units in doubt, the largest numbers, and none that can be reached. */
const oddPlans = [
  fractions,
  { ...fractions, spread: "none" },
  { ...sample, emails_sent: 100_000_000, average_deal_value: 1e9, campaign_cost: 1e9 },
  { ...sample, average_deal_value: 50, campaign_cost: 60_000 }
]

const decode = Schema.decodeUnknownSync(Schema.Struct({ result: Schema.Record(Schema.String, Schema.Unknown) }))

const inFlight = {
  ...sample,
  so_far: { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 },
  open: { replies: 7, positive_replies: 4, meetings: 2 }
}

/** A JSON value as a text within a text. */
const escaped = (value: unknown) => JSON.stringify(JSON.stringify(value))

layer(httpApplication())("An agent", (it) => {
  /** The tokens of a result, as text and as structured content. */
  const tokensOf = Effect.fnUntraced(function* (method: string, params: object) {
    const { secret } = yield* issueKey()
    const message = { jsonrpc: "2.0", id: 1, method, params }
    const { json } = yield* sendMessage(message, { "x-api-key": secret, "mcp-protocol-version": "2025-11-25" })
    const { result } = decode(json)
    assert.notProperty(result, "isError")
    return countTokens(JSON.stringify(result))
  })

  describe("pays in tokens", () => {
    it.effect("at most 8,000 for the list of tools", () =>
      Effect.gen(function* () {
        assert.isAtMost(yield* tokensOf("tools/list", {}), 8000)
      })
    )

    it.effect("at most 4,000 for a comparison of 40 campaigns after 100 past ones", () =>
      Effect.gen(function* () {
        const named = campaigns(40).map((campaign, index) => ({ ...campaign, name: `Agencies ${index + 1}` }))
        const history = Array.from({ length: 100 }, (_, index) => ({ emails_sent: 3200, replies: 60 + index }))
        const params = { name: "compare_campaigns", arguments: { campaigns: named, history } }
        assert.isAtMost(yield* tokensOf("tools/call", params), 4000)
      })
    )

    it.effect("150 to 250 for the text of the sample, of its goal and of a campaign in flight", () =>
      Effect.gen(function* () {
        for (const [name, args] of [
          ["forecast", sample],
          ["reach_goal", { ...sample, goal: { clients: 4, chance: 0.8 } }],
          ["campaign_progress", inFlight]
        ] as const) {
          const { secret } = yield* issueKey()
          const agent = yield* connectAgent(secret)
          const tokens = countTokens((yield* callTool(agent, name, args)).text)
          assert.isAtLeast(tokens, 150, name)
          assert.isAtMost(tokens, 250, name)
        }
      })
    )

    it.effect("at most 250 for the text of any of many forecasts, goals and campaigns in flight", () =>
      Effect.gen(function* () {
        const texts = [
          ...(yield* Effect.forEach(
            [...golden, ...practiceCampaigns, ...oddPlans.map((request) => ({ request }))],
            ({ request }) =>
              Effect.map(decodeText(JSON.stringify(request)), (plan) => forecastLines(computeForecast(plan).forecast))
          )),
          ...[
            ...goals,
            ...oddPlans.map((plan) => ({ request: { ...plan, goal: { roi_multiple: 1000, chance: 0.9 } } }))
          ].map(({ request }) => {
            const { assumptions, goal } = Result.getOrThrow(decodeGoalRequest(request))
            return goalLines(reachGoal(goal, assumptions))
          }),
          ...[...flights, ...oddPlans.map((plan) => ({ request: { ...inFlight, ...plan, emails_left: 3000 } }))].map(
            ({ request }) => progressLines(computeProgress(Result.getOrThrow(decodeProgressRequest(request))))
          )
        ]
        for (const lines of texts) assert.isAtMost(countTokens(lines.join("\n")), 250, lines[0])
      })
    )

    it.effect("for a second text only in revisions without structured content, and for whole comparisons", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const texts = Effect.fnUntraced(function* (revision: string, name: string, args: object) {
          const params = { name, arguments: args }
          const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params }
          const { json } = yield* sendMessage(message, { "x-api-key": secret, "mcp-protocol-version": revision })
          const { content, structuredContent } = decode(json).result
          return Array.isArray(content)
            ? [content.length, JSON.stringify(content).includes(escaped(structuredContent))]
            : []
        })
        const list = { campaigns: campaigns(2) }
        for (const [name, args, whole] of [
          ["forecast", sample, false],
          ["compare_campaigns", list, false],
          ["compare_campaigns", { ...list, detail: true }, true]
        ] as const) {
          for (const revision of ["2025-11-25", "2025-06-18"]) {
            assert.deepStrictEqual(yield* texts(revision, name, args), whole ? [2, true] : [1, false], name)
          }
          for (const revision of ["2025-03-26", "2024-11-05"]) {
            assert.deepStrictEqual(yield* texts(revision, name, args), [2, true], name)
          }
        }
      })
    )

    it.effect("at most 1,500 for the benchmarks of any measure", () =>
      Effect.gen(function* () {
        for (const { measure } of measures) {
          const params = { name: "benchmarks", arguments: { measure } }
          assert.isAtMost(yield* tokensOf("tools/call", params), 1500, measure)
        }
      })
    )
  })
})
