import { execFile } from "node:child_process"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { baseUrl, httpApplication, issueKey } from "../../support/Http.ts"
import { obstacleBelow, python } from "../../support/Python.ts"
import { slowly } from "../../support/slowly.ts"

const script = fileURLToPath(new URL("agent.py", import.meta.url))

const Called = Schema.Struct({
  is_error: Schema.Boolean,
  text: Schema.String,
  structured: Schema.NullOr(Schema.Record(Schema.String, Schema.Unknown)),
  replayed: Schema.Boolean
})

const decode = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Array(
      Schema.Struct({
        revision: Schema.String,
        tools: Schema.Array(Schema.String),
        forecast: Called,
        wrong: Called,
        usage: Called
      })
    )
  )
)

const obstacle = obstacleBelow(10)
if (obstacle !== undefined) process.stderr.write(`\nThe protocol's SDK for Python was not tried: ${obstacle}.\n\n`)

describe("the SDK of the protocol in Python", slowly, () => {
  it.live.skipIf(obstacle !== undefined)(
    "lists, calls, and gets results that fit, in the newest revision and with a handshake",
    () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const url = `${yield* baseUrl}/mcp`
        const { stdout } = yield* Effect.promise(() => promisify(execFile)(python, [script, url, secret]))
        const results = decode(stdout)
        assert.deepStrictEqual(
          results.map(({ forecast, revision }) => [revision, forecast.replayed]),
          [
            ["2026-07-28", false],
            ["2025-11-25", true]
          ]
        )
        for (const { forecast, tools, usage, wrong } of results) {
          assert.deepStrictEqual(tools, [
            "forecast",
            "compare_campaigns",
            "reach_goal",
            "campaign_progress",
            "benchmarks",
            "usage"
          ])
          assert.strictEqual(forecast.structured?.["estimated_clients"], 3.75)
          assert.isTrue(wrong.is_error)
          assert.match(wrong.text, /\/reply_rate must be at most 100/)
          assert.strictEqual(usage.structured?.["credits_remaining"], 99)
        }
      }).pipe(Effect.provide(httpApplication()))
  )
})
