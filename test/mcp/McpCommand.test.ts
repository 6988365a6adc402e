import { fileURLToPath } from "node:url"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { callTool, connectAgent } from "../support/Agent.ts"
import { temporaryDirectory } from "../support/Application.ts"
import { runHere } from "../support/CommandLine.ts"
import { baseUrl, free, httpApplication, issueKey } from "../support/Http.ts"
import { start } from "../support/Process.ts"
import { sample } from "../support/Samples.ts"

const main = fileURLToPath(new URL("../../dist/main.js", import.meta.url))

/** An agent that starts `mcp` and speaks with it, until the scope closes. */
const startAgent = (base: string, key: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "test", version: "1.0.0" })
      const transport = new StdioClientTransport({
        command: process.execPath,
        args: [main, "mcp", "--base-url", base],
        env: { SERVICE_API_KEY: key }
      })
      await client.connect(transport)
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

const request = (method: string, params: object = {}) =>
  `${JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })}\n`

describe("mcp", () => {
  layer(httpApplication(), { excludeTestServices: true })((it) => {
    it.effect("gives an agent the tools of a service, each call charged as over HTTP", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        const base = yield* baseUrl
        const agent = yield* startAgent(`${base}/`, secret)
        const remote = yield* connectAgent(secret)
        const listed = yield* Effect.promise(() => agent.listTools())
        assert.deepStrictEqual(listed, yield* Effect.promise(() => remote.listTools()))
        const first = yield* callTool(agent, "forecast", sample)
        assert.isFalse(first.isReplay)
        // The same call over HTTP.
        assert.isTrue((yield* callTool(remote, "forecast", sample)).isReplay)
        assert.strictEqual((yield* callTool(agent, "usage")).structured?.["credits_remaining"], 99)
        const wrong = yield* free(id, callTool(agent, "forecast", { ...sample, reply_rate: 500 }))
        assert.match(wrong.text, /\/reply_rate must be at most 100/)
        const large = yield* free(id, callTool(agent, "forecast", { ...sample, name: "x".repeat(1_200_000) }))
        assert.isTrue(large.isError)
        assert.match(large.text, /larger than 1088 KiB/)
      })
    )

    it.effect("says what to do if the service cannot be reached, is not the service, or a line is not a message", () =>
      Effect.gen(function* () {
        const directory = yield* temporaryDirectory
        const base = yield* baseUrl
        // Nothing listens on port 1.
        const unreachable = yield* start(
          directory,
          ["mcp"],
          { SERVICE_BASE_URL: "http://127.0.0.1:1" },
          `${request("tools/call", { name: "usage" })}{ no\n`
        )
        const noService = yield* start(directory, ["mcp", "--base-url", `${base}/docs`], {}, request("initialize"))
        assert.strictEqual(yield* Effect.promise(() => unreachable.exit), 0)
        assert.match(
          unreachable.stdout(),
          /"isError":true.*http:\/\/127\.0\.0\.1:1 cannot be reached \(.+\)\. Is the service running/
        )
        assert.match(unreachable.stdout(), /"error":\{"code":-32600,"message":"A line must be one JSON-RPC message/)
        assert.match(unreachable.stderr(), /^SERVICE_API_KEY is not set/)
        assert.strictEqual(yield* Effect.promise(() => noService.exit), 0)
        assert.match(noService.stdout(), /"error":\{"code":-32603,"message":"There is nothing at this path/)
        for (const wrong of ["ftp://forecast.example", "forecast.example", "https://a:b@forecast.example"]) {
          const { code, stderr } = yield* runHere(directory, ["mcp", "--base-url", wrong])
          assert.strictEqual(code, 1)
          assert.match(stderr, /--base-url must be an address such as http:\/\/127\.0\.0\.1:3000/)
          assert.notMatch(stderr, /a:b@/)
        }
      })
    )
  })
})
