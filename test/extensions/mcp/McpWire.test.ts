import { assert, describe, it, layer, vi } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { SqlError } from "effect/sql"
import { TestClock } from "effect/testing"
import { Credits } from "../../../src/credits/Credits.ts"
import { Ledger } from "../../../src/credits/Ledger.ts"
import { DatabaseUnavailable } from "../../../src/database/Failures.ts"
import { storesWith } from "../../support/Application.ts"
import { callTool, connectAgent, sendMessage } from "../support/Agent.ts"
import { makeHeldWorkers } from "../../support/HeldWorkers.ts"
import { free, httpApplication, issueKey, send, unknownKey } from "../../support/Http.ts"
import { until } from "../../support/Process.ts"
import { Problem } from "../../support/Requests.ts"
import { sample } from "../../support/Samples.ts"

const decodeProblem = Schema.decodeUnknownSync(Problem)

const request = (method: string, params: object = {}, id: unknown = 1) => ({ jsonrpc: "2.0", id, method, params })

const call = (name: string, args: object = {}) => request("tools/call", { name, arguments: args })

const decodeAnswers = Schema.decodeUnknownSync(
  Schema.Array(
    Schema.StructWithRest(Schema.Struct({ id: Schema.Unknown }), [Schema.Record(Schema.String, Schema.Unknown)])
  )
)

const named = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {}
}

const headersOf = (method: string) => ({ "mcp-protocol-version": "2026-07-28", "mcp-method": method })

const decodeMembers = Schema.decodeUnknownSync(Schema.Struct({ result: Schema.Record(Schema.String, Schema.Unknown) }))

const decodeResult = (json: unknown) => decodeMembers(json).result

const decodeTools = Schema.decodeUnknownSync(
  Schema.Struct({ tools: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)) })
)

/** Any of these names in a JSON text. */
const quoted = (names: ReadonlyArray<string>) => new RegExp(`"(?:${names.join("|")})"`)

const outage = new DatabaseUnavailable({
  cause: new SqlError.SqlError({ reason: new SqlError.UnknownError({ cause: new Error("disk I/O error") }) })
})

describe("POST /mcp", () => {
  layer(httpApplication())((it) => {
    it.effect("answers each request by itself: without a handshake, a session or an Accept header", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (const version of [undefined, "2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]) {
          const headers = { "x-api-key": secret, ...(version === undefined ? {} : { "mcp-protocol-version": version }) }
          const response = yield* sendMessage(call("forecast", sample), headers)
          assert.strictEqual(response.status, 200, response.text)
          assert.strictEqual(response.headers.get("content-type"), "application/json")
          assert.strictEqual(response.headers.get("ratelimit"), '"credits";r=99')
          assert.match(
            response.text,
            /^\{"jsonrpc":"2.0","id":1,"result":\{.*"structuredContent":\{"summary":"[^"]+","estimated_replies":250,/
          )
        }
      })
    )

    it.effect("answers a message that names its own revision, if its headers agree", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const message = request("tools/call", { _meta: named, name: "usage", arguments: {} })
        const headers = { "x-api-key": secret, "mcp-protocol-version": "2026-07-28", "mcp-method": "tools/call" }
        assert.match((yield* sendMessage(message, { ...headers, "mcp-name": "usage" })).text, /"credits_remaining":100/)
        for (const wrong of [{}, { "mcp-name": "forecast" }]) {
          const refused = yield* sendMessage(message, { ...headers, ...wrong })
          assert.strictEqual(refused.status, 400)
          assert.match(refused.text, /-32020.*Mcp-Name/)
        }
        const unknown = request("tools/none", { _meta: named })
        const response = yield* sendMessage(unknown, { ...headers, "mcp-method": "tools/none" })
        assert.strictEqual(response.status, 404)
        assert.match(response.text, /-32601/)
      })
    )

    it.effect("refuses an unsupported revision, and lists those that it supports", () =>
      Effect.gen(function* () {
        const refused = yield* sendMessage(request("tools/list"), { "mcp-protocol-version": "1999-01-01" })
        assert.strictEqual(refused.status, 400)
        assert.match(refused.text, /-32022.*"supported":\["2025-11-25",/)
      })
    )

    it.effect(
      "skips a byte order mark, and reports repeated names and half characters in the arguments to the agent",
      () =>
        Effect.gen(function* () {
          const { id, secret } = yield* issueKey()
          const key = { "x-api-key": secret }
          assert.strictEqual((yield* sendMessage(`\uFEFF${JSON.stringify(request("ping"))}`)).status, 200)
          const few = { campaigns: [{ name: "HERE", ...sample }] }
          const many = { campaigns: [...few.campaigns, ...Array.from({ length: 200 }, () => sample)] }
          for (const list of [few, many]) {
            const text = JSON.stringify(call("compare_campaigns", list))
            const twice = yield* free(id, sendMessage(text.replace('"HERE"', '"A","name":"B"'), key))
            assert.match(twice.text, /\/campaigns\/0\/name occurs more than once in the same object/)
            const half = yield* free(id, sendMessage(text.replace("HERE", "\\ud800"), key))
            assert.match(half.text, /\/campaigns\/0\/name has half a surrogate pair/)
          }
          const outside = yield* sendMessage('{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}')
          assert.deepInclude(decodeProblem(outside.json), { status: 400, code: "invalid_input" })
          assert.match(outside.text, /"pointer":"\/method"/)
        })
    )

    it.effect("answers with the id of the request, also with one of 16 digits", () =>
      Effect.gen(function* () {
        const response = yield* sendMessage('{"jsonrpc":"2.0","id":9007199254740991,"method":"ping"}')
        assert.deepStrictEqual(response.json, { jsonrpc: "2.0", id: Number.MAX_SAFE_INTEGER, result: {} })
        const refused = yield* sendMessage('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}')
        assert.match(refused.text, /\/id must be at most 9007199254740991, .*; send it as a string/)
        const fraction = yield* sendMessage(request("ping", {}, 1.5))
        assert.match(fraction.text, /\/id must be a string or an integer/)
      })
    )

    it.effect("announces tools and nothing else, in the revision that the client offers or in the newest", () =>
      Effect.gen(function* () {
        const client = { capabilities: {}, clientInfo: { name: "test", version: "1" } }
        for (const [offered, protocolVersion, members] of [
          ["2024-11-05", "2024-11-05", ["name", "version"]],
          ["2025-03-26", "2025-03-26", ["name", "version"]],
          ["2025-06-18", "2025-06-18", ["name", "version"]],
          ["2025-11-25", "2025-11-25", ["name", "version", "description"]],
          ["2026-07-28", "2025-11-25", ["name", "version", "description"]],
          ["1999-01-01", "2025-11-25", ["name", "version", "description"]]
        ] as const) {
          const { json } = yield* sendMessage(request("initialize", { ...client, protocolVersion: offered }))
          const { instructions, serverInfo, ...result } = decodeResult(json)
          assert.deepStrictEqual(result, { protocolVersion, capabilities: { tools: {} } })
          assert.hasAllKeys(serverInfo, [...members])
          assert.isString(instructions)
        }
        const { json } = yield* sendMessage(request("server/discover", { _meta: named }), headersOf("server/discover"))
        const { _meta, instructions, ...result } = decodeResult(json)
        assert.nestedPropertyVal(_meta, "io\\.modelcontextprotocol/serverInfo.name", "outreach-forecast")
        assert.isString(instructions)
        assert.deepStrictEqual(result, {
          resultType: "complete",
          ttlMs: 0,
          cacheScope: "private",
          supportedVersions: ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2026-07-28"],
          capabilities: { tools: {} }
        })
        for (const wrong of [
          {},
          { ...client, protocolVersion: 5 },
          { protocolVersion: "2025-11-25", capabilities: {} }
        ]) {
          assert.match((yield* sendMessage(request("initialize", wrong))).text, /-32602/)
        }
      })
    )

    it.effect("lists the members of a tool that its revision has, with a title in each but the first", () =>
      Effect.gen(function* () {
        const title = "Forecast a campaign"
        const hints = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
        const whole = { members: ["name", "title", "description", "inputSchema", "outputSchema", "annotations"], hints }
        for (const [version, { hints, members }] of [
          ["2024-11-05", { members: ["name", "description", "inputSchema"], hints: undefined }],
          [
            "2025-03-26",
            { members: ["name", "description", "inputSchema", "annotations"], hints: { title, ...whole.hints } }
          ],
          ["2025-06-18", whole],
          ["2025-11-25", whole],
          ["2026-07-28", whole]
        ] as const) {
          const isNamed = version === "2026-07-28"
          const message = request("tools/list", isNamed ? { _meta: named } : {})
          const headers = isNamed ? headersOf("tools/list") : { "mcp-protocol-version": version }
          for (const _ of ["built", "kept"]) {
            const { tools } = decodeTools(decodeResult((yield* sendMessage(message, headers)).json))
            assert.strictEqual(tools.length, 6)
            for (const tool of tools) assert.deepStrictEqual(Object.keys(tool), [...members], version)
            assert.deepStrictEqual(tools[0]?.["annotations"], hints, version)
          }
        }
        assert.match((yield* sendMessage(request("tools/list", { cursor: 5 }))).text, /-32602/)
        assert.match((yield* sendMessage(request("tools/list", { _meta: { progressToken: [] } }))).text, /-32602/)
        const unclear = request("tools/list", { _meta: { ...named, "io.modelcontextprotocol/clientCapabilities": 5 } })
        assert.match((yield* sendMessage(unclear, headersOf("tools/list"))).text, /-32602/)
      })
    )

    it.effect("has no methods for what it does not announce; its list of prompts is empty", () =>
      Effect.gen(function* () {
        for (const method of [
          "prompts/get",
          "resources/list",
          "resources/templates/list",
          "resources/read",
          "resources/subscribe",
          "completion/complete",
          "logging/setLevel",
          "subscriptions/listen",
          "constructor"
        ]) {
          const answer = yield* sendMessage(request(method))
          assert.strictEqual(answer.status, 200)
          const error = { code: -32_601, message: `Method not found: ${method}` }
          assert.deepStrictEqual(answer.json, { jsonrpc: "2.0", id: 1, error })
          const stateless = yield* sendMessage(request(method, { _meta: named }), headersOf(method))
          assert.strictEqual(stateless.status, 404)
          assert.deepStrictEqual(stateless.json, answer.json)
        }
        const prompts = yield* sendMessage(request("prompts/list"))
        assert.deepStrictEqual(prompts.json, { jsonrpc: "2.0", id: 1, result: { prompts: [] } })
      })
    )

    it.effect("ignores the arguments that clients add on their own, and no other unknown ones", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        const key = { "x-api-key": secret }
        const added = { toolCallId: "1", sessionId: "2", action: "3", chatInput: "4", tool: "5", random_string: "6" }
        yield* sendMessage(call("forecast", sample), key)
        const again = yield* free(id, sendMessage(call("forecast", { ...added, ...sample }), key))
        assert.match(again.text, /"replayed":true/)
        const half = JSON.stringify(call("usage", added)).replace('"4"', '"\\ud800"')
        for (const message of [
          half,
          call("benchmarks", added),
          call("compare_campaigns", { campaigns: [sample], ...added }),
          call("forecast", { ...sample, ...added, chatInput: "x".repeat(20_000) })
        ]) {
          assert.notMatch((yield* sendMessage(message, key)).text, /"isError"/)
        }
        const other = yield* sendMessage(call("usage", { ...added, session: "x" }), key)
        assert.match(other.text, /\/session is not a known field/)
        assert.notMatch(other.text, /sessionId/)
        const listed = decodeTools(decodeResult((yield* sendMessage(request("tools/list"))).json))
        for (const tool of listed.tools)
          assert.notMatch(JSON.stringify(tool["inputSchema"]), quoted(Object.keys(added)))
      })
    )

    it.effect("gives the event loop back between the messages of a list", () =>
      Effect.gen(function* () {
        const turns = vi.spyOn(globalThis, "setImmediate")
        const { json } = yield* sendMessage(Array.from({ length: 50 }, (_, id) => request("ping", {}, id)))
        assert.lengthOf(decodeAnswers(json), 50)
        assert.isAtLeast(turns.mock.calls.length, 50)
        turns.mockRestore()
      })
    )

    it.effect("refuses arguments that are nested as deep as possible, and continues to work", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey()
        for (const depth of [7000, 500_000]) {
          for (const args of [{ campaigns: "HERE" }, { campaigns: [sample], history: "HERE" }]) {
            const text = JSON.stringify(call("compare_campaigns", args))
            const deep = text.replace('"HERE"', "[".repeat(depth) + "]".repeat(depth))
            const response = yield* free(id, sendMessage(deep, { "x-api-key": secret }))
            assert.match(response.text, /"code":"invalid_input"/)
          }
        }
        assert.strictEqual((yield* sendMessage(request("ping"), { "x-api-key": secret })).status, 200)
      })
    )

    it.effect("accepts notifications, and responses to requests that it never made", () =>
      Effect.gen(function* () {
        for (const message of [
          { jsonrpc: "2.0", method: "notifications/initialized" },
          { jsonrpc: "2.0", method: "notifications/initialized", params: null },
          { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } },
          { jsonrpc: "2.0", id: 1, result: {} }
        ]) {
          const response = yield* sendMessage(message)
          assert.deepStrictEqual([response.status, response.text], [202, ""])
        }
      })
    )

    it.effect("takes parameters and arguments of null as left out", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        const key = { "x-api-key": secret }
        const initialize = {
          protocolVersion: "2025-06-18",
          capabilities: {},
          clientInfo: { name: "test", version: "1" },
          _meta: null
        }
        for (const [message, text] of [
          [{ jsonrpc: "2.0", id: 3, method: "tools/list", params: null }, /"id":3,"result":\{.*"tools":\[/],
          [{ jsonrpc: "2.0", id: 3, method: "tools/list", params: { cursor: null } }, /"tools":\[/],
          [{ jsonrpc: "2.0", id: 3, method: "ping", params: null }, /"result":\{\}/],
          [request("initialize", initialize), /"protocolVersion":"2025-06-18"/],
          [request("tools/call", { name: "usage", arguments: null }), /"credits_remaining":100/],
          [request("tools/call", { name: "usage", arguments: null, _meta: null }), /"credits_remaining":100/]
        ] as const) {
          const response = yield* sendMessage(message, key)
          assert.strictEqual(response.status, 200, response.text)
          assert.match(response.text, text)
        }
      })
    )

    it.effect("answers a list of messages in revision 2025-03-26, each charged by itself", () =>
      Effect.gen(function* () {
        const { id, secret } = yield* issueKey(2)
        const key = { "x-api-key": secret }
        const list = [
          request("ping", {}, "a"),
          { jsonrpc: "2.0", method: "notifications/initialized" },
          { ...call("forecast", sample), id: 2 },
          { ...call("forecast", sample), id: 3 },
          { ...call("forecast", { ...sample, emails_sent: 1 }), id: 4 },
          { ...call("forecast", { ...sample, emails_sent: 2 }), id: 5 },
          { jsonrpc: "2.0", id: 1, result: {} },
          request("tools/none", {}, 6)
        ]
        for (const version of [{}, { "mcp-protocol-version": "2025-03-26" }]) {
          const response = yield* sendMessage(list, { ...key, ...version })
          const answers = decodeAnswers(response.json)
          assert.deepStrictEqual(
            answers.map((answer) => answer.id),
            ["a", 2, 3, 4, 5, 6]
          )
          assert.match(JSON.stringify(answers[3]), /"credits_remaining":0/)
          assert.match(JSON.stringify(answers[4]), /usage_exhausted/)
          assert.match(JSON.stringify(answers[5]), /-32601/)
        }
        assert.strictEqual(yield* (yield* Credits).balance(id).pipe(Effect.map(({ remaining }) => remaining)), 0)
        const silent = yield* sendMessage([{ jsonrpc: "2.0", method: "notifications/initialized" }], key)
        assert.deepStrictEqual([silent.status, silent.text], [202, ""])
        const ping = request("ping")
        for (const [messages, pointers, version = "2025-03-26"] of [
          [[], [""]],
          [Array.from({ length: 51 }, () => ping), [""]],
          [[ping, request("initialize")], ["/1/method"]],
          [
            [5, ping, { ...ping, params: 5 }],
            ["/0", "/2/params"]
          ],
          [[ping], [""], "2025-06-18"]
        ] as const) {
          const refused = yield* sendMessage(messages, { ...key, "mcp-protocol-version": version })
          const problem = decodeProblem(refused.json)
          assert.strictEqual(problem.status, 400)
          assert.deepStrictEqual(
            problem.errors?.map(({ pointer }) => pointer),
            [...pointers]
          )
        }
        const large = yield* sendMessage([request("ping", { note: "x".repeat(64 * 1024) })], key)
        assert.include(decodeProblem(large.json), { status: 413, code: "payload_too_large" })
      })
    )

    it.effect("answers an invalid message with a problem", () =>
      Effect.gen(function* () {
        const json = { "content-type": "application/json" }
        for (const [message, headers, status, code] of [
          ["{ no", json, 400, "malformed_json"],
          ["", json, 400, "malformed_json"],
          ['{"jsonrpc":"2.0","id":1,"method":nothing}', json, 400, "malformed_json"],
          [{ id: 1, method: "ping" }, json, 400, "invalid_input"],
          [request("ping", []), json, 400, "invalid_input"],
          [request("ping", {}, null), json, 400, "invalid_input"],
          // Without a key no message may be this long.
          [request("x".repeat(20_000)), json, 413, "payload_too_large"],
          [call("forecast"), { "content-type": "text/plain" }, 415, "unsupported_media_type"],
          ["x".repeat(1_200_000), json, 413, "payload_too_large"],
          [call("benchmarks"), { ...json, origin: "https://elsewhere.example" }, 403, "cross_site"],
          [call("benchmarks"), { ...json, origin: "null" }, 403, "cross_site"]
        ] as const) {
          const response = yield* sendMessage(message, headers)
          assert.include(decodeProblem(response.json), { status, code })
        }
        for (const method of ["GET", "DELETE"]) {
          const response = yield* sendMessage("", {}, method)
          assert.strictEqual(response.status, 405)
          assert.strictEqual(response.headers.get("allow"), "POST, OPTIONS")
        }
      })
    )
  })

  it.effect("limits wrong keys and the requests of a key as every endpoint does", () =>
    Effect.gen(function* () {
      const from = (client: string, key: string) =>
        sendMessage(call("usage"), { "x-api-key": key, "x-forwarded-for": client })
      for (let i = 0; i < 3; i++) assert.match((yield* from("192.0.2.1", yield* unknownKey)).text, /invalid_key/)
      const later: Array<string> = []
      yield* Effect.forkChild(Effect.map(from("192.0.2.1", yield* unknownKey), ({ text }) => later.push(text)))
      const { secret } = yield* issueKey()
      const usage = yield* send("/api/v1/usage", { headers: { "x-api-key": secret, "x-forwarded-for": "192.0.2.2" } })
      assert.strictEqual(usage.status, 200)
      const four = Array.from({ length: 4 }, () => call("usage"))
      const list = yield* sendMessage(four, { "x-api-key": secret, "x-forwarded-for": "192.0.2.2" })
      assert.strictEqual(list.status, 200)
      const refused = yield* from("192.0.2.2", secret)
      assert.include(decodeProblem(refused.json), { status: 429, code: "rate_limited" })
      assert.strictEqual(refused.headers.get("retry-after"), "1")
      assert.deepStrictEqual(later, [])
      yield* TestClock.adjust("20 seconds")
      yield* until(() => later.length > 0)
      assert.match(later[0] ?? "", /invalid_key/)
    }).pipe(
      Effect.provide(
        httpApplication({
          env: { TRUSTED_PROXIES: "127.0.0.1", WRONG_KEYS_PER_MINUTE: "3", KEY_REQUESTS_PER_SECOND: "5" }
        })
      )
    )
  )

  it.effect("reads 16 KiB from a client without a usable key, and more with one, in a worker", () => {
    const { arrived, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const long = request("ping", { _meta: { note: "x".repeat(16 * 1024) } })
      for (const headers of [{}, { "x-api-key": yield* unknownKey }]) {
        const refused = yield* sendMessage(long, headers)
        assert.include(decodeProblem(refused.json), { status: 413, code: "payload_too_large" })
        assert.match(refused.text, /16 KiB/)
      }
      assert.strictEqual(arrived(), 0)
      const response = yield* sendMessage(long, { "x-api-key": secret })
      assert.include(decodeProblem(response.json), { status: 400, code: "invalid_input" })
      assert.match(response.text, /at most 16 KiB besides the arguments/)
      assert.strictEqual(arrived(), 1)
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

  it.effect("reads a long message once, in a worker, and a short one in the event loop", () => {
    const { begun, workers } = makeHeldWorkers()
    return Effect.gen(function* () {
      const { secret } = yield* issueKey(1000)
      const history = Array.from({ length: 100 }, (_, i) => ({
        emails_sent: 3000 + i,
        replies: 60,
        positive_replies: 20,
        meetings: 9
      }))
      const [long, short] = [history.map((row) => ({ ...row, name: "x".repeat(100) })), history.slice(0, 50)]
      for (const [tool, args] of [
        ["forecast", sample],
        ["reach_goal", { ...sample, goal: { clients: 4 } }],
        ["compare_campaigns", { campaigns: [sample] }]
      ] as const) {
        const before = begun()
        const ofShort = yield* sendMessage(call(tool, { ...args, history: short }), { "x-api-key": secret })
        assert.strictEqual(begun() - before, 1, tool)
        const ofLong = yield* sendMessage(call(tool, { ...args, history: long }), { "x-api-key": secret })
        assert.strictEqual(begun() - before, 1 + 2, tool)
        for (const { text } of [ofShort, ofLong]) assert.match(text, /"structuredContent":{/)
      }
      const before = begun()
      const fields = Object.fromEntries(Array.from({ length: 3000 }, (_, i) => [`field${i}`, 1]))
      const refused = yield* sendMessage(call("forecast", fields), { "x-api-key": secret })
      assert.lengthOf(refused.text.match(/"code":"(?:required|unknown_field)"/g) ?? [], 50)
      assert.strictEqual(begun() - before, 1)
      const list = [call("forecast", { ...sample, history: long }), call("usage", { long }), call("nothing", { long })]
      const answers = yield* sendMessage(list, { "x-api-key": secret })
      assert.match(answers.text, /"replayed":true.*payload_too_large.*-32602/)
      assert.strictEqual(begun() - before, 1 + 2)
    }).pipe(Effect.provide(httpApplication({ workers })))
  })

  it.effect(
    "answers 503 to a key with 16 long messages waiting to be read, but not to short ones or those of others",
    () => {
      const { arrived, holdAfter, release, workers } = makeHeldWorkers()
      return Effect.gen(function* () {
        const [busy, other] = [(yield* issueKey()).secret, (yield* issueKey()).secret]
        const long = call("forecast", { ...sample, note: "x".repeat(1024 * 1024) })
        const statuses: Array<number> = []
        const sendRequest = (message: object, key: string, client: string) =>
          sendMessage(message, { "x-api-key": key, "x-forwarded-for": client })
        yield* holdAfter(0)
        const asked = Effect.map(sendRequest(long, busy, "192.0.2.1"), ({ status }) => statuses.push(status))
        const waiting = yield* Effect.forkChild(Effect.replicateEffect(asked, 18, { concurrency: "unbounded" }))
        yield* until(() => arrived() === 16 && statuses.length === 2)
        assert.deepStrictEqual(statuses, [503, 503])
        assert.strictEqual((yield* sendRequest(request("ping"), busy, "192.0.2.1")).status, 200)
        const ofOther = yield* Effect.forkChild(sendRequest(long, other, "192.0.2.2"))
        yield* until(() => arrived() === 17)
        yield* release
        yield* Fiber.join(waiting)
        assert.match((yield* Fiber.join(ofOther)).text, /payload_too_large/)
        assert.strictEqual((yield* sendRequest(long, busy, "192.0.2.1")).status, 200)
      }).pipe(Effect.provide(httpApplication({ workers, env: { TRUSTED_PROXIES: "127.0.0.1" } })))
    }
  )

  it.effect("limits the messages of a client without a usable key, but not of one with a usable key", () =>
    Effect.gen(function* () {
      const { secret } = yield* issueKey()
      const from = (client: string, headers: Readonly<Record<string, string>> = {}) =>
        sendMessage(request("ping"), { "x-forwarded-for": client, ...headers })
      const two = yield* sendMessage([request("ping"), request("ping")], { "x-forwarded-for": "192.0.2.1" })
      assert.strictEqual(two.status, 200)
      assert.strictEqual((yield* from("192.0.2.1")).status, 200)
      const refused = yield* from("192.0.2.1")
      assert.include(decodeProblem(refused.json), { status: 429, code: "rate_limited" })
      assert.strictEqual(refused.headers.get("retry-after"), "20")
      assert.strictEqual((yield* from("192.0.2.1", { "x-api-key": secret })).status, 200)
      assert.strictEqual((yield* from("192.0.2.2")).status, 200)
      const wrong = { "x-api-key": yield* unknownKey }
      assert.strictEqual((yield* from("192.0.2.2", wrong)).status, 200)
      const list = [request("ping"), request("ping")]
      const refusedList = yield* sendMessage(list, { "x-forwarded-for": "192.0.2.2", ...wrong })
      assert.include(decodeProblem(refusedList.json), { status: 429, code: "rate_limited" })
      assert.strictEqual((yield* from("192.0.2.2", wrong)).status, 429)
    }).pipe(
      Effect.provide(httpApplication({ env: { TRUSTED_PROXIES: "127.0.0.1", KEYLESS_MESSAGES_PER_MINUTE: "3" } }))
    )
  )

  it.effect("reports an unreachable database to agents as a result", () =>
    Effect.gen(function* () {
      const outcome = yield* callTool(yield* connectAgent((yield* issueKey()).secret), "usage")
      assert.strictEqual(outcome.code, "unavailable")
    }).pipe(Effect.provide(httpApplication({ stores: storesWith(Ledger, { usages: () => Effect.die(outage) }) })))
  )
})
