import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Credits } from "../../../src/credits/Credits.ts"
import { temporaryDirectory } from "../../support/Application.ts"
import { body, campaigns, path } from "../../support/CampaignRequests.ts"
import { httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { serve } from "../../support/Process.ts"

const measured = { observed: 31, out_of: 800 }
const evidence = { reply_rate: measured, positive_reply_rate: measured, close_rate: measured }

/** So many campaigns of the kind that takes longest. */
const hard = (count: number) =>
  campaigns(count).map((campaign) => ({ ...campaign, emails_sent: 100_000_000, evidence }))

/** Asks a server for the forecasts of a body, and how it is all the while: how long each of these answers took. */
const askMeanwhile = async (url: string, text: string) => {
  const asking = { isDone: false }
  const asked = fetch(url + path, {
    method: "POST",
    headers: { "x-api-key": "demo", "content-type": "application/json" },
    body: text
  }).then(async (response) => {
    await response.arrayBuffer()
    asking.isDone = true
    return response.status
  })
  const waits: Array<number> = []
  while (!asking.isDone) {
    const start = performance.now()
    // One after the other, as a load balancer asks.
    // oxlint-disable-next-line no-await-in-loop
    await (await fetch(`${url}/livez`)).text()
    waits.push(performance.now() - start)
  }
  return { status: await asked, waits }
}

describe("many campaigns beside other requests", () => {
  it.live(
    "hold up nobody: 1,000 at 1 MiB, and 1,000 with evidence at 100,000,000 emails",
    () =>
      Effect.gen(function* () {
        const { url } = yield* serve(yield* temporaryDirectory, { DEMO_CREDITS: "10000" })
        yield* Effect.promise(() => askMeanwhile(url, body(campaigns(50))))
        for (const text of [body(campaigns(1000)).padEnd(1024 * 1024, " "), body(hard(1000))]) {
          const { status, waits } = yield* Effect.promise(() => askMeanwhile(url, text))
          assert.strictEqual(status, 200)
          // The slowest few are left to a machine that does other things at the same time.
          const slow = waits.toSorted((a, b) => a - b)[Math.ceil(waits.length * 0.95) - 1] ?? 0
          assert.isBelow(slow, 150)
        }
      }),
    60_000
  )

  layer(httpApplication(), { excludeTestServices: true })((it) => {
    it.effect("end, and cost nothing, where the caller goes away before they are computed", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(1001)
        yield* Effect.exit(
          send(path, {
            method: "POST",
            headers: { "x-api-key": secret, "content-type": "application/json" },
            body: body(hard(1000)),
            signal: AbortSignal.timeout(500)
          })
        )
        const start = performance.now()
        // One with evidence is computed at a time: this one would wait for all of the first.
        assert.strictEqual((yield* post(path, { key: secret, body: body(hard(1)) })).status, 200)
        assert.isBelow(performance.now() - start, 2000)
        assert.strictEqual((yield* credits.balance(id)).remaining, 1000)
      })
    )
  })
})
