import { assert, describe, layer } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { Credits } from "../../../src/credits/Credits.ts"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { SubKeys } from "../../../src/extensions/subkeys/SubKeys.ts"
import { callTool, connectAgent } from "../support/Agent.ts"
import { campaigns } from "../../support/CampaignRequests.ts"
import { free, httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { measured, sample } from "../../support/Samples.ts"

const goal = { ...sample, goal: { clients: 4, chance: 0.8 } }

const inFlight = {
  ...sample,
  so_far: { emails_sent: 2000, replies: 62, positive_replies: 14, meetings: 4, clients: 1 },
  open: { replies: 7, positive_replies: 4, meetings: 2 }
}

const remaining = Effect.fnUntraced(function* (id: Parameters<Credits["Service"]["balance"]>[0]) {
  const credits = yield* Credits
  return (yield* credits.balance(id)).remaining
})

layer(httpApplication(), { excludeTestServices: true })((it) => {
  describe("tools", () => {
    it.effect("are listed with their cost, input and output, to an agent with or without a key", () =>
      Effect.gen(function* () {
        const agent = yield* connectAgent()
        const { tools } = yield* Effect.promise(() => agent.listTools())
        assert.deepStrictEqual(
          tools.map(({ name }) => name),
          ["forecast", "compare_campaigns", "reach_goal", "campaign_progress", "benchmarks", "usage"]
        )
        const ajv = new Ajv2020({ strict: false })
        for (const { description = "", inputSchema, name, outputSchema = {}, title } of tools) {
          assert.match(description, /Costs (1 credit|nothing)/, name)
          assert.isString(title, name)
          assert.isFunction(ajv.compile(inputSchema), name)
          assert.isFunction(ajv.compile(outputSchema), name)
          // Words that the APIs of some models refuse.
          const refused = /"(?:examples|\$ref|\$defs|not|allOf|anyOf|oneOf|exclusiveMinimum)":/
          assert.notMatch(JSON.stringify([inputSchema, outputSchema]), refused, name)
          assert.notInclude(
            JSON.stringify(inputSchema),
            "/api/v1/",
            `${name} names endpoints, which an agent cannot call`
          )
        }
        assert.deepStrictEqual(tools.find(({ name }) => name === "usage")?.inputSchema, {
          type: "object",
          properties: {}
        })
        assert.match(agent.getInstructions() ?? "", /percentages/)
      })
    )

    it.effect("return the same as the endpoints, byte for byte except for the usage", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const agent = yield* connectAgent(secret)
        // The client then checks each result against the tool's output schema.
        yield* Effect.promise(() => agent.listTools())
        const many = { campaigns: campaigns(2) }
        for (const [tool, path, args] of [
          ["forecast", "/api/v1/forecast", sample],
          ["forecast", "/api/v1/forecast", measured],
          ["reach_goal", "/api/v1/goals", goal],
          ["campaign_progress", "/api/v1/progress", inFlight],
          ["compare_campaigns", "/api/v1/forecasts", many]
        ] as const) {
          const given = tool === "compare_campaigns" ? { ...args, detail: true } : args
          const { sentence, structured = {}, text } = yield* callTool(agent, tool, given)
          const { json } = yield* post(path, { key: secret, body: JSON.stringify(args) })
          const { usage: _, ...response } = structured
          const { usage: __, ...expected } = json
          assert.deepStrictEqual(response, expected, tool)
          // The text repeats the JSON only where it says far less than that.
          const whole = tool === "compare_campaigns" ? `\n${JSON.stringify(structured)}` : ""
          assert.strictEqual(text, `${sentence}${whole}`, tool)
          assert.include(JSON.stringify(structured), `{"summary":${JSON.stringify(sentence.split("\n")[0])},`, tool)
        }
        const usage = yield* callTool(agent, "usage")
        assert.deepStrictEqual(
          usage.structured,
          (yield* send("/api/v1/usage", { headers: { "x-api-key": secret } })).json
        )
      })
    )

    it.effect("may be replays from before an upgrade that added a field", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { id, secret } = yield* issueKey()
        const agent = yield* connectAgent(secret)
        // The client then checks each result against the tool's output schema.
        yield* Effect.promise(() => agent.listTools())
        yield* callTool(agent, "forecast", sample)
        yield* sql`
          UPDATE idempotent_answers SET answer = replace(answer, '"summary":', '"other":') WHERE scope = ${id}`
        const { isReplay, structured } = yield* callTool(agent, "forecast", sample)
        assert.isTrue(isReplay)
        assert.notProperty(structured, "summary")
        assert.propertyVal(structured, "estimated_replies", 250)
      })
    )

    it.effect("begin with the sentence that a person should hear", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const agent = yield* connectAgent(secret)
        for (const [tool, args, sentence] of [
          [
            "forecast",
            sample,
            /^Is 5% of contacts meant\? .* instead of 3\.75\. In 92 of 100 such campaigns this brings 0 to 8 clients, 3.75 on average, with a profit of 8,780; none in 10 of 100\.\n/
          ],
          [
            "forecast",
            { ...sample, reply_rate: 1.7, meeting_booking_rate: 45, average_deal_value: null },
            /^In .* none in \d+ of 100\. Add average_deal_value to see the ROI: /
          ],
          [
            "forecast",
            { ...sample, reply_rate: 2, positive_reply_rate: 0.5, meeting_booking_rate: 45, close_rate: 20 },
            /^Is 0\.5% of emails meant\? Then enter 25 as the positive reply rate: 5,000 emails would bring 2\.25 clients instead of 0\.05\. In \d+ of 100 such campaigns this brings/
          ],
          [
            "reach_goal",
            goal,
            /^This counts on a reply rate of 5%, which few campaigns have: check that first\. .* For 4 clients in 80 of 100 such campaigns it takes 11,944 emails, 2\.39 times as many as planned, which would cost 1,430\.\n.*\nemails sent: 5,000 → 11,944 \(× 2\.39\)\n/s
          ],
          [
            "reach_goal",
            { ...sample, reply_rate: 3, goal: { clients: 1 } },
            /^The campaign reaches 1 client on average as it is\.\n/
          ],
          [
            "reach_goal",
            { ...sample, reply_rate: 0.05, goal: { clients: 1 } },
            /^Check the unit of the reply rate: 0\.05% looks like a fraction\. If you meant 5%, enter 5: .* it takes 133,334 emails, 26\.7 times as many as planned, which would cost 16,000/
          ],
          [
            "reach_goal",
            { ...sample, goal: { clients: 1, chance: 0.5 } },
            /^This counts on .* The campaign reaches 1 client in 90 of 100 such campaigns as it is\.\n/
          ],
          [
            "reach_goal",
            { ...sample, history: [{ emails_sent: 3000, replies: 90 }], goal: { clients: 1 } },
            /^The campaign reaches 1 client on average as it is\.\n/
          ],
          [
            "reach_goal",
            { ...sample, campaign_cost: 0, goal: { roi_multiple: 3 } },
            /^Whether the campaign reaches a revenue of 3 times the cost on average is unknown without a deal value and a cost above 0\.\n/
          ],
          [
            "reach_goal",
            { ...sample, reply_rate: 0, goal: { clients: 1 } },
            /^For 1 client on average, a reply rate of [\d.]+% would be enough\.\n/
          ],
          [
            "campaign_progress",
            inFlight,
            /^In \d+ of 100 such campaigns it ends with \d+ to \d+ clients, [\d.]+ on average; the plan is 3\.75 clients: 4 or more are reached in \d+ of 100\. Work on what is open first, /
          ],
          [
            "campaign_progress",
            { ...inFlight, reply_rate: 2, positive_reply_rate: 0.5 },
            /^Is 0\.5% of emails meant\? Then enter 25 .* In \d+ of 100 such campaigns it ends with /
          ],
          [
            "compare_campaigns",
            { campaigns: campaigns(3) },
            /^Campaign 2: Is 5% of contacts meant\? .* Together 3 campaigns bring \d+ to \d+ clients in \d+ of 100 such sets, 11\.3 on average, none in \d+ of 100; the best by profit is Campaign 2, better than Campaign 1 in \d+ of 100\.\n1\. Campaign 2: /
          ],
          [
            "compare_campaigns",
            { campaigns: [sample] },
            /^Is 5% of contacts meant\? .* this brings 0 to 8 clients, 3\.75 on average, with a profit of 8,780; none in 10 of 100\.\n/
          ],
          [
            "compare_campaigns",
            { campaigns: [sample, { ...sample, name: "Units", reply_rate: 2, positive_reply_rate: 0.5 }] },
            /^Units: Is 0\.5% of emails meant\? Then enter 25 as the positive reply rate: .* Together 2 campaigns bring /
          ],
          ["benchmarks", {}, /^There are published figures on delivery_rate \(2\), reply_rate \(12\), /],
          [
            "benchmarks",
            { measure: "close_rate" },
            /^Here are 7 publications on the close rate; forecasts warn below 2.6% per/
          ],
          ["usage", {}, /^\d+ credits are left; \d+ credits used in \d{4}-\d\d\.$/]
        ] as const) {
          const spoken = (yield* callTool(agent, tool, args)).sentence
          if (typeof sentence === "string") assert.strictEqual(spoken, sentence)
          else assert.match(spoken, sentence)
        }
      })
    )

    it.effect("return the published figures of one measure, with their sources and licences", () =>
      Effect.gen(function* () {
        const agent = yield* connectAgent()
        const { structured = {}, text } = yield* callTool(agent, "benchmarks", { measure: "reply_rate" })
        assert.nestedPropertyVal(structured, "figures[0].values.mean", 3.43)
        assert.match(JSON.stringify(structured["sources"]), /"license":"CC BY 4\.0/)
        assert.match(text, /\nreplies per contact: mean 3\.43%, .* \(Instantly, 2026, quoted by another\)/)
        const wrong = yield* callTool(agent, "benchmarks", { measure: "open_rate" })
        assert.match(wrong.text, /\/measure must be "delivery_rate" or "reply_rate" or/)
      })
    )

    it.effect("accept a sub-key, within its limit", () =>
      Effect.gen(function* () {
        const { id } = yield* issueKey(10)
        const { secret } = yield* (yield* SubKeys).create(id, { name: "Agent", monthlyLimit: 2 })
        const agent = yield* connectAgent(Redacted.value(secret))
        yield* Effect.promise(() => agent.listTools())
        const refused = yield* callTool(agent, "compare_campaigns", { campaigns: campaigns(3) })
        assert.include(refused.text, "Nothing was charged. Ask the holder of the key for a higher limit")
        const { structured } = yield* callTool(agent, "forecast", sample)
        assert.include(structured?.["usage"], { requests: 1, credits_remaining: 1, sub_key_credits_remaining: 1 })
        assert.include((yield* callTool(agent, "usage")).structured, { name: "Agent", monthly_limit: 2, requests: 1 })
        assert.notProperty((yield* callTool(agent, "usage")).structured, "credits_granted")
        yield* callTool(agent, "reach_goal", goal)
        const over = yield* callTool(agent, "forecast", { ...sample, emails_sent: 1 })
        assert.include(over.text, "This sub-key may spend 2 credits per month and has 0 left")
        assert.strictEqual(yield* remaining(id), 8)
      })
    )

    it.effect("compare campaigns of one sender, or of different clients", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(12)
        const agent = yield* connectAgent(secret)
        const noneIn = Effect.fnUntraced(function* (more: object) {
          const { structured = {} } = yield* callTool(agent, "compare_campaigns", { campaigns: campaigns(3), ...more })
          return structured
        })
        const [shared, independent] = [yield* noneIn({}), yield* noneIn({ independent: true })]
        assert.match(JSON.stringify(shared), /taken as one sender's/)
        assert.match(JSON.stringify(independent), /taken as those of different clients/)
      })
    )

    it.effect(
      "compare campaigns in a line each, and return each whole forecast on request, without another charge",
      () =>
        Effect.gen(function* () {
          const { id, secret } = yield* issueKey(200)
          const agent = yield* connectAgent(secret)
          yield* Effect.promise(() => agent.listTools())
          const args = { campaigns: [...campaigns(119), { ...sample, name: '],"totals":{}' }] }
          const { structured = {}, text } = yield* callTool(agent, "compare_campaigns", args)
          assert.nestedPropertyVal(structured, "ranking.campaigns.length", 120)
          assert.nestedProperty(structured, "totals.estimated_clients")
          assert.deepNestedPropertyVal(structured, "ranking.campaigns[0]", {
            name: "Campaign 118",
            clients: 3.8385,
            low: 0,
            high: 8,
            profit: 8996.25,
            above_published: ["reply_rate"],
            chance_better_than_next: 0.4102
          })
          assert.match(
            text,
            /\n1\. Campaign 118: 3\.84 clients \(0 to 8\), profit 9,000, better than the next in 41 of 100\n2\. /
          )
          assert.match(text, /\nand 20 more in the structured content$/)
          const whole = yield* callTool(agent, "compare_campaigns", { ...args, detail: true })
          assert.isTrue(whole.isReplay)
          assert.nestedPropertyVal(whole.structured, "forecasts.length", 120)
          assert.strictEqual(yield* remaining(id), 80)
          const wrong = yield* callTool(agent, "compare_campaigns", { campaigns: [], detail: 1 })
          assert.match(wrong.text, /\/detail must be true or false, not a number\n- \/campaigns must have 1 to 1,000/)
        })
    )
  })

  describe("a call that is repeated", () => {
    it.effect(
      "is charged once: with another ID, from another client, spelled differently, and while the first is running",
      () =>
        Effect.gen(function* () {
          const { id, secret } = yield* issueKey()
          const agent = yield* connectAgent(secret)
          const first = yield* callTool(agent, "forecast", sample)
          assert.isFalse(first.isReplay)
          const { emails_sent: emailsSent, ...rest } = sample
          const other = yield* connectAgent(secret)
          for (const [client, args] of [
            [agent, sample],
            [other, sample],
            [other, { emailsSent, ...rest, delivery_rate: null }]
          ] as const) {
            const repeated = yield* callTool(client, "forecast", args)
            assert.isTrue(repeated.isReplay)
            assert.deepStrictEqual(repeated.structured, first.structured)
          }
          assert.strictEqual(yield* remaining(id), 99)
          for (const [tool, args, cost] of [
            ["reach_goal", goal, 1],
            ["campaign_progress", inFlight, 1],
            ["compare_campaigns", { campaigns: campaigns(3) }, 3]
          ] as const) {
            const before = yield* remaining(id)
            yield* callTool(agent, tool, args)
            assert.isTrue((yield* callTool(other, tool, args)).isReplay)
            assert.strictEqual(before - (yield* remaining(id)), cost, tool)
          }
        })
    )

    it.effect("waits for the result of the first", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        const agent = yield* connectAgent(secret)
        const args = { campaigns: campaigns(40) }
        const both = yield* Effect.all(
          [callTool(agent, "compare_campaigns", args), callTool(agent, "compare_campaigns", args)],
          { concurrency: 2 }
        )
        assert.sameMembers(
          both.map(({ isReplay }) => isReplay),
          [false, true]
        )
        assert.deepStrictEqual(both[0].structured, both[1].structured)
        assert.strictEqual(yield* remaining(id), 60)
      })
    )

    it.effect("is a different call with another key or another number", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        yield* callTool(yield* connectAgent((yield* issueKey()).secret), "forecast", sample)
        const agent = yield* connectAgent(secret)
        assert.isFalse((yield* callTool(agent, "forecast", sample)).isReplay)
        assert.isFalse((yield* callTool(agent, "forecast", { ...sample, emails_sent: 5001 })).isReplay)
        assert.strictEqual(yield* remaining(id), 98)
      })
    )
  })

  describe("a call that fails", () => {
    it.effect("says what is wrong with its key and how to fix it; the free benchmarks need no key", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const revoked = yield* issueKey()
        const agent = yield* connectAgent(revoked.secret)
        yield* callTool(agent, "usage")
        yield* apiKeys.revoke(revoked.id, "owner")
        const inactive = yield* issueKey()
        yield* apiKeys.setKeyPlan(inactive.id, "inactive")
        for (const [client, code, what] of [
          [yield* connectAgent(), "missing_key", /x-api-key header[^]*\/docs\/agents/],
          [yield* connectAgent("ofk_test_wrong"), "invalid_key", /unknown here[^]*\/docs\/agents/],
          [agent, "key_revoked", /revoked[^]*another key/],
          [yield* connectAgent(inactive.secret), "plan_inactive", /inactive[^]*operator/]
        ] as const) {
          const outcome = yield* callTool(client, "forecast", sample)
          assert.isTrue(outcome.isError)
          assert.strictEqual(outcome.code, code)
          assert.match(outcome.text, what)
          assert.notMatch(outcome.text, /ofk_test_wrong/)
          assert.isUndefined(outcome.structured)
          assert.isFalse((yield* callTool(client, "benchmarks")).isError)
        }
      })
    )

    it.effect("accepts a history of more than 14 KiB, for one and for many campaigns", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const agent = yield* connectAgent(secret)
        const history = Array.from({ length: 100 }, (_, index) => ({
          name: `Campaign ${index} `.padEnd(100, "x"),
          emails_sent: 3000,
          replies: 60 + index
        }))
        assert.isAbove(JSON.stringify(history).length, 14_336)
        for (const [tool, args] of [
          ["forecast", { ...sample, history }],
          ["reach_goal", { ...sample, history, goal: { clients: 4 } }],
          ["campaign_progress", { ...inFlight, history }],
          ["compare_campaigns", { campaigns: [sample], history }]
        ] as const) {
          const outcome = yield* callTool(agent, tool, args)
          assert.isFalse(outcome.isError, outcome.text)
        }
      })
    )

    it.effect("reports every error in its arguments, and charges nothing", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        const agent = yield* connectAgent(secret)
        const mebibyte = "x".repeat(1024 * 1024)
        for (const [tool, args, code, what] of [
          [
            "forecast",
            { ...sample, reply_rate: 500, avg_deal_value: 1 },
            "invalid_input",
            /\/reply_rate must be at most 100[^]*"average_deal_value"/
          ],
          ["forecast", {}, "invalid_input", /\/emails_sent is required/],
          ["forecast", { ...sample, replies: 9 }, "invalid_input", /this one so far to the tool campaign_progress/],
          ["reach_goal", { ...sample, goal: {} }, "invalid_input", /\/goal must have one of/],
          [
            "campaign_progress",
            { ...inFlight, open: { meetings: 4 } },
            "invalid_input",
            /\/open\/meetings must be at most 3/
          ],
          ["compare_campaigns", { campaigns: [] }, "invalid_input", /must have 1 to 1,000 campaigns/],
          ["usage", { month: "2026-11" }, "invalid_input", /takes no arguments/],
          ["forecast", { ...sample, name: mebibyte }, "payload_too_large", /larger than 64 KiB/],
          ["usage", { name: mebibyte }, "payload_too_large", /larger than 16 KiB/],
          [
            "compare_campaigns",
            { campaigns: [{ ...sample, name: mebibyte }] },
            "payload_too_large",
            /larger than 1024 KiB/
          ],
          [
            "compare_campaigns",
            { campaigns: [{ ...sample, name: mebibyte.slice(0, -200) }] },
            "invalid_input",
            /\/campaigns\/0\/name must have at most 200 characters/
          ]
        ] as const) {
          const outcome = yield* free(id, callTool(agent, tool, args))
          assert.isTrue(outcome.isError, tool)
          assert.strictEqual(outcome.code, code)
          assert.match(outcome.text, what)
          assert.match(outcome.text, /Nothing was charged/)
        }
      })
    )

    it.effect("says how many credits are missing, and takes none", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(1)
        const agent = yield* connectAgent(secret)
        const two = yield* free(id, callTool(agent, "compare_campaigns", { campaigns: campaigns(2) }))
        assert.strictEqual(two.code, "usage_exhausted")
        assert.match(two.text, /takes 2 forecast credits, but this key has only 1 left/)
        yield* callTool(agent, "forecast", sample)
        const none = yield* free(id, callTool(agent, "forecast", { ...sample, emails_sent: 1 }))
        assert.strictEqual(none.code, "usage_exhausted")
        assert.match(none.text, /Buy a credit pack/)
        assert.isFalse((yield* callTool(agent, "forecast", sample)).isError)
      })
    )

    it.effect("is a protocol error if there is no such tool", () =>
      Effect.gen(function* () {
        const agent = yield* connectAgent()
        const response = yield* Effect.promise(() => agent.callTool({ name: "nothing" }).catch(String))
        assert.match(JSON.stringify(response), /'nothing' not found/)
      })
    )
  })
})
