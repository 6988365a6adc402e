import { assert, describe, it } from "@effect/vitest"
import { Array as Arr, Effect } from "effect"
import { Client } from "../../../clients/typescript/src/index.ts"
import { responseDropper } from "../../support/ResponseDropper.ts"
import { serveHere } from "../../support/Http.ts"
import { sample } from "../../support/Samples.ts"
import { slowly } from "../../support/slowly.ts"

describe("Client over a network that loses the response to each forecast", slowly, () => {
  it.live("gets every forecast with its second attempt, for exactly one credit each, one by one and concurrently", () =>
    Effect.gen(function* () {
      const { url } = yield* serveHere({ DEMO_CREDITS: "200" })
      const network = yield* responseDropper(url, "idempotency-key")
      const client = new Client({ apiKey: "demo", baseUrl: network.url, timeout: 300 })

      for (const credits_remaining of [199, 198, 197]) {
        const { usage } = yield* Effect.promise(() => client.forecast(sample))
        assert.strictEqual(usage.credits_remaining, credits_remaining)
      }
      const responses = yield* Effect.promise(() =>
        Promise.all(Arr.makeBy(150, (i) => (i % 2 === 0 ? client.forecast(sample) : client.legacyRoi(sample))))
      )
      assert.strictEqual(network.dropped(), 153)
      const balances = responses.map(({ usage }) => usage.credits_remaining)
      assert.deepStrictEqual(
        balances.toSorted((a, b) => a - b),
        Arr.range(47, 196)
      )
      const { credits_remaining, requests_by_month } = yield* Effect.promise(() => client.usage())
      // A month may have ended in the meantime.
      const requests = Arr.reduce(requests_by_month, 0, (sum, { requests }) => sum + requests)
      assert.deepStrictEqual({ credits_remaining, requests }, { credits_remaining: 47, requests: 153 })
    })
  )
})
