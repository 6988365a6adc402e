import { assert, describe, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlError } from "effect/sql"
import { DatabaseUnavailable } from "../../src/database/Failures.ts"
import { Draining } from "../../src/http/server/Draining.ts"
import { KeyStore } from "../../src/keys/KeyStore.ts"
import { errorPage } from "../../src/site/ErrorPages.ts"
import { storesWith } from "../support/Application.ts"
import { baseUrl, httpApplication } from "../support/Http.ts"
import { type ServiceResponse, sendTo } from "../support/Requests.ts"

/** The Accept header of Chromium when it opens an address. */
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

interface MeteredRequest {
  readonly accept?: string
  readonly method?: string
  readonly body?: URLSearchParams
  readonly headers?: Record<string, string>
}

const request = Effect.fnUntraced(function* (
  path: string,
  { accept = browser, headers, ...init }: MeteredRequest = {}
) {
  return yield* sendTo(yield* baseUrl, path, { ...init, headers: { ...headers, accept } })
})

const assertPage = ({ headers, status, text }: ServiceResponse, expected: number, title: string) => {
  assert.strictEqual(status, expected)
  assert.match(headers.get("content-type") ?? "", /^text\/html/)
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/)
  assert.strictEqual(headers.get("cache-control"), "no-store")
  assert.include(text, `<h1>${title}</h1>`)
  assert.include(text, `Request ID: <code>${headers.get("x-request-id")}</code>`)
}

/** A form that reaches the store of keys. */
const form = {
  method: "POST",
  body: new URLSearchParams({ name: "Ada", email: "ada@example.com", company: "Example" })
}

describe("an error in a browser", () => {
  it("says how long to wait in seconds, and from two minutes on in minutes, rounded up", () => {
    const problem = {
      type: "",
      title: "",
      status: 429,
      detail: "",
      code: "rate_limited",
      message: "",
      retryable: true,
      request_id: ""
    }
    const waits = ["1", "119", "120", "121"].map((seconds) => {
      const { body } = errorPage(problem, { "retry-after": seconds })
      const text = body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : ""
      return /Try again in ([^.]*)\./.exec(text)?.[1]
    })
    assert.deepStrictEqual(waits, ["1 second", "119 seconds", "2 minutes", "3 minutes"])
  })

  layer(httpApplication())((it) => {
    it.effect("is a page for 404 and 405, with the headers of the problem", () =>
      Effect.gen(function* () {
        assertPage(yield* request("/nope"), 404, "Page not found")
        const notAllowed = yield* request("/api/v1/forecast")
        assertPage(notAllowed, 405, "This address is not a page")
        assert.strictEqual(notAllowed.headers.get("allow"), "POST, OPTIONS")
      })
    )

    it.effect("is a page for any other problem too, in its own words, and escapes what the caller sent", () =>
      Effect.gen(function* () {
        const missing = yield* request("/api/v1/credits/ledger")
        assertPage(missing, 401, "Missing API key")
        assert.strictEqual(missing.headers.get("www-authenticate"), "ApiKey")
        const large = { method: "POST", body: new URLSearchParams({ name: "x".repeat(17_000) }) }
        assertPage(yield* request("/access", large), 413, "Payload too large")
        assert.notInclude((yield* request("/<script>alert(1)</script>")).text, "alert(1)")
      })
    )

    it.effect("is a page wherever a page is expected, whatever its client accepts", () =>
      Effect.gen(function* () {
        const accept = "*/*"
        assertPage(yield* request("/confirm/unknown", { accept }), 404, "Link unknown")
        const elsewhere = { accept, method: "POST", headers: { origin: "https://elsewhere.example" } }
        for (const path of ["/access", "/key", "/confirm/unknown"]) {
          assertPage(yield* request(path, elsewhere), 403, "This form came from another site")
        }
      })
    )

    it.effect("is a problem for programs: clients that equally accept JSON, accept anything, or send a key", () =>
      Effect.gen(function* () {
        for (const accept of ["*/*", "application/json", "text/html;q=0.5,application/json", "text/html;q=0", ""]) {
          assert.strictEqual((yield* request("/nope", { accept })).problem.code, "not_found", accept)
        }
        const keyed = yield* request("/api/v1/usage", { headers: { "x-api-key": "wrong" } })
        assert.strictEqual(keyed.problem.code, "invalid_key")
      })
    )

    it.effect("has only the headers of the page for HEAD", () =>
      Effect.gen(function* () {
        const { headers, status, text } = yield* request("/nope", { method: "HEAD" })
        assert.deepStrictEqual([status, headers.get("content-type")?.slice(0, 9), text], [404, "text/html", ""])
      })
    )
  })

  it.effect("is a page for 500 that reveals nothing about the fault", () =>
    Effect.gen(function* () {
      const response = yield* request("/access", form)
      assertPage(response, 500, "Something went wrong")
      assert.notInclude(response.text, "secret details")
    }).pipe(
      Effect.provide(
        httpApplication({
          stores: storesWith(KeyStore, { findByEmail: () => Effect.die(new Error("secret details of the fault")) })
        })
      )
    )
  )

  it.effect("is a page for 503 while the database is down and while the service stops", () => {
    const cause = new SqlError.SqlError({ reason: new SqlError.LockTimeoutError({ cause: "locked" }) })
    const stores = storesWith(KeyStore, { findByEmail: () => Effect.die(new DatabaseUnavailable({ cause })) })
    return Effect.gen(function* () {
      const title = "The service is temporarily unavailable"
      const response = yield* request("/access", form)
      assertPage(response, 503, title)
      assert.strictEqual(response.headers.get("retry-after"), "1")
      const draining = yield* Draining
      yield* draining.drain
      assertPage(yield* request("/"), 503, title)
      assert.strictEqual((yield* request("/", { accept: "*/*" })).problem.code, "unavailable")
    }).pipe(Effect.provide(httpApplication({ stores })))
  })
})
