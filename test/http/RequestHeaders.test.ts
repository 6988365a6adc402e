import { assert, describe, it } from "@effect/vitest"
import { HttpServerRequest } from "effect/http"
import { senderOf } from "../../src/http/RequestHeaders.ts"

const of = (headers: Readonly<Record<string, string>>, publicUrl = "https://forecast.example") =>
  senderOf(HttpServerRequest.fromWeb(new Request("https://any.example/", { method: "POST", headers })), publicUrl)

describe("the site that a request comes from", () => {
  it("is determined from the headers of browsers, first of all Sec-Fetch-Site", () => {
    for (const [headers, expected] of [
      [{}, "program"],
      [{ origin: "https://forecast.example" }, "here"],
      [{ origin: "https://forecast.example", "sec-fetch-site": "same-origin" }, "here"],
      // The page withholds its address; a foreign host name resolves to the service; the service has two names.
      [{ origin: "null", "sec-fetch-site": "same-origin" }, "other name"],
      [{ host: "evil.example", origin: "https://evil.example", "sec-fetch-site": "same-origin" }, "other name"],
      [{ host: "other.example", origin: "https://other.example" }, "other name"],
      [{ host: "other.example", origin: "http://other.example" }, "elsewhere"],
      [{ origin: "https://evil.example" }, "elsewhere"],
      [{ origin: "https://forecast.example", "sec-fetch-site": "same-site" }, "elsewhere"],
      [{ origin: "null", "sec-fetch-site": "cross-site" }, "elsewhere"],
      [{ "sec-fetch-site": "cross-site" }, "elsewhere"],
      [{ "sec-fetch-site": "none" }, "unknown"],
      [{ origin: "null" }, "unknown"]
    ] as const) {
      assert.strictEqual(of(headers), expected, JSON.stringify(headers))
    }
  })
})
