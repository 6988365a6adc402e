import { afterEach, assert, describe, it, vi } from "@effect/vitest"
import { Client, type ClientOptions, InvalidArgumentError } from "../../../clients/typescript/src/index.ts"
import { inspectAll } from "../../support/Client.ts"
import { sample } from "../../support/Samples.ts"

const messageOf = (options: ClientOptions): string => {
  try {
    return inspectAll(new Client(options))
  } catch (error) {
    assert.instanceOf(error, InvalidArgumentError)
    return error.message
  }
}

describe("Client", () => {
  afterEach(() => {
    vi.unstubAllEnvs()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
    vi.useRealTimers()
  })

  it("takes its key from SERVICE_API_KEY, and names the variable if it is not set", () => {
    vi.stubEnv("SERVICE_API_KEY", undefined)
    const missing = "There is no API key: pass apiKey, or set the variable SERVICE_API_KEY"
    assert.throws(() => new Client(), InvalidArgumentError, missing)
    assert.throws(() => new Client({ apiKey: "" }), InvalidArgumentError, missing)
    vi.stubEnv("SERVICE_API_KEY", "ofk_live_secret")
    assert.instanceOf(new Client(), Client)
    vi.stubEnv("SERVICE_API_KEY", "ofk_live_secret\n")
    assert.throws(() => new Client(), /^The API key must be visible ASCII/)
  })

  it("takes its address from SERVICE_BASE_URL, and names the variable if it is invalid", () => {
    vi.stubEnv("SERVICE_BASE_URL", undefined)
    assert.strictEqual(new Client({ apiKey: "key" }).baseUrl, "http://127.0.0.1:3000")
    vi.stubEnv("SERVICE_BASE_URL", "https://forecast.example/")
    assert.strictEqual(new Client({ apiKey: "key" }).baseUrl, "https://forecast.example")
    assert.strictEqual(new Client({ apiKey: "key", baseUrl: "http://[::1]:3000" }).baseUrl, "http://[::1]:3000")
    vi.stubEnv("SERVICE_BASE_URL", "forecast.example")
    assert.throws(() => new Client({ apiKey: "key" }), "SERVICE_BASE_URL must be an http or https address")
  })

  it("works without environment variables, or if access to them is denied", () => {
    const hidden = new Proxy({}, { get: () => assert.fail("Requires env access, run again with the --allow-env flag") })
    for (const process of [undefined, { env: hidden }]) {
      vi.stubGlobal("process", process)
      try {
        assert.strictEqual(new Client({ apiKey: "key" }).baseUrl, "http://127.0.0.1:3000")
        assert.throws(() => new Client(), /^There is no API key/)
      } finally {
        vi.unstubAllGlobals()
      }
    }
  })

  it("gives each forecast an idempotency key of its own in a runtime without crypto", async () => {
    const keys: Array<string | null> = []
    const send: typeof fetch = (_, request) => {
      keys.push(new Headers(request?.headers).get("idempotency-key"))
      return Promise.resolve(Response.json({}))
    }
    const client = new Client({ apiKey: "key", fetch: send })
    for (const crypto of [undefined, {}]) {
      vi.stubGlobal("crypto", crypto)
      // oxlint-disable-next-line no-await-in-loop
      for (let call = 0; call < 20; call++) await client.forecast(sample)
    }
    // A generator that starts equally in two processes.
    vi.spyOn(Math, "random").mockReturnValue(0.5)
    for (const now of [0, 1_790_000_000_000, 1_790_000_000_001]) {
      vi.useFakeTimers({ toFake: ["Date"], now })
      // oxlint-disable-next-line no-await-in-loop
      await client.goal({ ...sample, goal: { clients: 1 } })
    }
    assert.lengthOf(new Set(keys), 43)
    for (const key of keys) assert.match(key ?? "", /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/)
  })

  it("never shows its key", () => {
    for (const apiKey of [
      "ofk_live_secret",
      "ofk_live_secret\r\nx: y",
      "ofk_live_secret ",
      "ofk_live_secret\0",
      "ü_secret"
    ]) {
      assert.notInclude(messageOf({ apiKey }), "secret")
    }
  })

  it("refuses an address that is not that of a service, without showing it", () => {
    const refusals = {
      "must be an http or https address": [
        "",
        "127.0.0.1:3000",
        "ftp://secret.example",
        "file:///secret",
        "http://",
        "http://secret.example\r\nx: y",
        " http://secret.example",
        "http://secret.example/a\tb"
      ],
      "is the address in front of /api/v1: leave that out": [
        "https://secret.example/api/v1",
        "https://secret.example/prefix/api/v1/"
      ],
      "must have no user name, password, query or fragment": [
        "http://user:secret@forecast.example",
        "http://secret@forecast.example",
        "https://forecast.example/?secret",
        "https://forecast.example/?",
        "https://forecast.example/#secret"
      ]
    }
    for (const [why, addresses] of Object.entries(refusals)) {
      for (const baseUrl of addresses) {
        assert.strictEqual(messageOf({ apiKey: "key", baseUrl }), `baseUrl ${why}`, baseUrl)
      }
    }
    for (const baseUrl of ["http://[::1]:3000", "https://forecast.example/behind/proxy/", "HTTPS://FORECAST.EXAMPLE"]) {
      assert.instanceOf(new Client({ apiKey: "key", baseUrl }), Client)
    }
  })

  it("refuses an invalid timeout or number of retries", () => {
    for (const timeout of [0, -1, NaN, Infinity, 601, 20_000]) {
      assert.strictEqual(
        messageOf({ apiKey: "key", timeout }),
        "timeout must be a number of seconds (not of milliseconds) above 0 and at most 600"
      )
    }
    for (const maxRetries of [-1, 0.5, NaN, Infinity]) {
      assert.strictEqual(messageOf({ apiKey: "key", maxRetries }), "maxRetries must be a whole number of 0 or more")
    }
  })

  it("refuses to run in a browser, where everybody could read the key, and runs where Node.js simulates one", () => {
    vi.stubGlobal("window", globalThis)
    vi.stubGlobal("document", {})
    assert.instanceOf(new Client({ apiKey: "key" }), Client)
    for (const process of [undefined, { env: {} }, { env: {}, versions: {} }]) {
      vi.stubGlobal("process", process)
      assert.throws(() => new Client({ apiKey: "key" }), /^A browser must not have the API key/)
    }
  })
})
