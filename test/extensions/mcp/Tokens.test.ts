import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { measures } from "../../../src/extensions/benchmarks/MeasureBenchmarks.ts"
import { sendMessage } from "../support/Agent.ts"
import { campaigns } from "../../support/CampaignRequests.ts"
import { httpApplication, issueKey } from "../../support/Http.ts"

const decode = Schema.decodeUnknownSync(Schema.Struct({ result: Schema.Record(Schema.String, Schema.Unknown) }))

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
