import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { HttpServer } from "effect/http"
import { Credits } from "../../../src/credits/Credits.ts"
import { temporaryDirectory } from "../../support/Application.ts"
import { body, campaigns, measuredCampaigns, path } from "../../support/CampaignRequests.ts"
import { httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { serveWithTurns } from "../../support/Turns.ts"

/** Asks a server for the forecasts of a body, and how it is all the while: how many of these answers there were. */
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
  let others = 0
  while (!asking.isDone) {
    // One after the other, as a load balancer asks.
    // oxlint-disable-next-line no-await-in-loop
    await (await fetch(`${url}/livez`)).text()
    others++
  }
  return { status: await asked, others }
}

/** How much of the processor this process uses while something is done, in milliseconds. */
const processorTime = (effect: Effect.Effect<unknown, never, HttpServer.HttpServer>) =>
  Effect.gen(function* () {
    const before = process.threadCpuUsage()
    yield* effect
    const { system, user } = process.threadCpuUsage(before)
    return (system + user) / 1000
  })

describe("many campaigns beside other requests", () => {
  it.live("hold up nobody: 1,000 at 1 MiB, and 1,000 with evidence at 100,000,000 emails", () =>
    Effect.gen(function* () {
      const { withTurns, server } = yield* serveWithTurns(yield* temporaryDirectory, { DEMO_CREDITS: "10000" })
      const ask = (text: string) => Effect.promise(() => askMeanwhile(server.url, text))
      yield* ask(body(campaigns(50)))
      for (const text of [body(campaigns(1000)).padEnd(1024 * 1024, " "), body(measuredCampaigns(1000))]) {
        const { result, usual } = yield* withTurns(ask(text))
        assert.strictEqual(result.status, 200)
        assert.isBelow(usual, 20)
        // Usually there are 50 and more: without turns, one before and one after.
        assert.isAbove(result.others, 10)
      }
    })
  )

  layer(httpApplication(), { excludeTestServices: true })((it) => {
    it.effect("end, and cost nothing, where the caller goes away before they are computed", () =>
      Effect.gen(function* () {
        const credits = yield* Credits
        const { id, secret } = yield* issueKey(1101)
        const forecast = (count: number) =>
          Effect.map(post(path, { key: secret, body: body(measuredCampaigns(count)) }), ({ status }) =>
            assert.strictEqual(status, 200)
          )
        const hundred = yield* processorTime(forecast(100))
        yield* Effect.exit(
          send(path, {
            method: "POST",
            headers: { "x-api-key": secret, "content-type": "application/json" },
            body: body(measuredCampaigns(1000)),
            signal: AbortSignal.timeout(500)
          })
        )
        // One with evidence is computed at a time: this one would wait for all of the first, ten times a hundred.
        const one = yield* processorTime(forecast(1))
        assert.isBelow(one, 5 * hundred)

        assert.strictEqual((yield* credits.balance(id)).remaining, 1000)
      })
    )
  })
})
