import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryDirectory } from "../support/Application.ts"
import { serve, stop } from "../support/Process.ts"
import { forecastFrom, getFrom } from "../support/Requests.ts"
import { listen } from "../support/Sockets.ts"
import { slowly } from "../support/slowly.ts"

/** A collector of OTLP over HTTP, with the texts sent to each of its paths. */
const collector = Effect.gen(function* () {
  const received = new Map<string, string>()
  const server = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const path = request.url ?? ""
      received.set(path, (received.get(path) ?? "") + Buffer.concat(chunks).toString())
      response.end("{}")
    })
  })
  return { heard: received, url: yield* listen(server) }
})

describe("a server with a collector", slowly, () => {
  it.live("sends it traces, metrics and logs, and no secret", () =>
    Effect.gen(function* () {
      const { heard: received, url } = yield* collector
      const server = yield* serve(yield* temporaryDirectory, {
        OTEL_EXPORTER_OTLP_ENDPOINT: `${url}/`,
        OTEL_TRACES_SAMPLER_ARG: "1",
        DEMO_KEY: "a-key-that-nobody-may-see"
      })
      const key = "a-key-that-nobody-may-see"
      assert.strictEqual((yield* forecastFrom(server.url, key)).status, 200)
      assert.strictEqual((yield* getFrom(server.url, "/api/v1/credits/ledger", { "x-api-key": key })).status, 200)
      const path = "/confirm/a-token-that-nobody-may-see?key=ofk_test_secret"
      assert.strictEqual((yield* getFrom(server.url, path)).status, 404)
      yield* stop(server, "SIGTERM")
      const traces = received.get("/v1/traces") ?? ""
      for (const name of ["Forecasts.charge", "Requests.answer"]) assert.include(traces, `"name":"${name}"`)
      assert.include(received.get("/v1/metrics"), '"name":"http.server.request.duration"')
      assert.include(received.get("/v1/logs"), "listening")
      const all = [...received.values()].join("")
      assert.notMatch(all, /nobody-may-see|ofk_test_secret/)
    })
  )
})
