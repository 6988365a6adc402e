import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { RateLimiter } from "effect/persistence"
import { TestClock } from "effect/testing"
import { MailUrls } from "../../src/mail/MailWorker.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { storesWith } from "../support/Application.ts"
import { accessApplication, issueKey, newClient, post, send, submitForm } from "../support/Http.ts"

const path = "/api/v1/access-requests"
const confirmPath = `${path}/confirm`

const request = (body: unknown, ip = newClient()) =>
  post(path, { body: JSON.stringify(body), headers: { "x-forwarded-for": ip } })

const submit = (fields: Record<string, string>, headers?: Record<string, string>) =>
  submitForm("/access", fields, headers)

/** The token in the link of the newest email. */
const newestToken = Effect.gen(function* () {
  const mails = yield* Mails
  const links = yield* MailUrls
  const [mail] = yield* mails.list(undefined, 1)
  return (
    Redacted.value(yield* links.make(mail?.link ?? assert.fail("no link")))
      .split("/")
      .at(-1) ?? ""
  )
})

const confirm = (token: string) => post(confirmPath, { body: JSON.stringify({ token }) })

describe("POST /api/v1/access-requests", () => {
  it.effect("answers 202, whether the address is known or not", () =>
    Effect.gen(function* () {
      const { key } = yield* issueKey()
      const responses = []
      for (const email of ["new@example.com", "new@example.com", key.owner.email]) {
        const { json, status } = yield* request({ name: "Ada", email, company: "Example" })
        responses.push([status, JSON.stringify(json).replace(email, "EMAIL")])
      }
      const message = '{"status":"accepted","message":"We have sent an email with a link to EMAIL."}'
      assert.deepStrictEqual(responses, [
        [202, message],
        [202, message],
        [202, message]
      ])
      const mails = yield* Mails
      assert.deepStrictEqual(
        (yield* mails.list("queued", 10)).map(({ subject }) => subject),
        [
          "You already have an API key",
          "Confirm your address to see your API key",
          "Confirm your address to see your API key"
        ]
      )
    }).pipe(Effect.provide(accessApplication()))
  )

  layer(accessApplication())((it) => {
    it.effect("keeps an address as it was typed, except for the case of its host", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        yield* request({ name: " Ada ", email: "Ada+Test@Example.COM", company: "Example" })
        const [key] = yield* apiKeys.search("ada+test@example.com")
        assert.deepStrictEqual(key?.owner, { name: "Ada", email: "Ada+Test@example.com", company: "Example" })
      })
    )

    it.effect("answers 400 for an invalid name or address, and sends no email", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const before = yield* mails.list(undefined, 100)
        const good = { name: "Ada", email: "ada@example.com", company: "Example" }
        for (const [field, value] of [
          ["email", "ada.example.com"],
          ["email", "ada@example.com\r\nBcc: all@example.com"],
          ["email", `${"a".repeat(300)}@example.com`],
          ["email", "ada@@example.com"],
          ["email", "ada@example..com"],
          ["email", "ada lovelace@example.com"],
          // Text that email headers would interpret as another address, or as several.
          ["email", "n1<me@real.example>"],
          ["email", "x,victim@real.example"],
          ["email", "g:victim@real.example;"],
          ["email", "(c)victim@real.example"],
          ["email", '"a"@example.com'],
          ["email", "a@b,c"],
          ["email", "<@x>"],
          ["email", "ada.@example.com"],
          ["email", 5],
          ["name", ""],
          ["name", "   "],
          ["name", "x".repeat(201)],
          ["company", null]
        ] as const) {
          const response = yield* request({ ...good, [field]: value })
          assert.strictEqual(response.status, 400)
          assert.strictEqual(response.problem.errors?.[0]?.pointer, `/${field}`, String(value))
        }
        const number = yield* request({ ...good, email: 5 })
        assert.strictEqual(number.problem.errors?.[0]?.message, "must be a string, not a number")
        assert.strictEqual((yield* request({ ...good, phone: "1" })).problem.errors?.[0]?.code, "unknown_field")
        assert.deepStrictEqual(yield* mails.list(undefined, 100), before)
      })
    )

    it.effect("answers 429 rate_limited with Retry-After, by client and by address", () =>
      Effect.gen(function* () {
        const statuses = new Map<number, number>()
        const flooder = newClient()
        for (let i = 0; i < 25; i++) {
          const { status } = yield* request({ name: "x", email: `a${i}@flood.example`, company: "x" }, flooder)
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
        }
        assert.deepStrictEqual(
          [...statuses],
          [
            [202, 20],
            [429, 5]
          ]
        )
        const other = []
        for (let i = 0; i < 6; i++) {
          other.push(yield* request({ name: "x", email: "victim@example.com", company: "x" }))
        }
        assert.deepStrictEqual(
          other.map(({ status }) => status),
          [202, 202, 202, 202, 202, 429]
        )
        const limited = other.at(-1)
        assert.include(limited?.problem, { code: "rate_limited", retryable: true })
        assert.isAtLeast(Number(limited?.headers.get("retry-after")), 1)
        assert.isAtMost(Number(limited?.headers.get("retry-after")), 3600)
      })
    )
  })

  it.effect("does not count refused requests of a client, until its hour is over", () => {
    const counts = new Map<string, number>()
    const stores = storesWith(RateLimiter.RateLimiterStore, {
      fixedWindow: ({ key }) =>
        Effect.sync(() => {
          counts.set(key, (counts.get(key) ?? 0) + 1)
          return [counts.get(key) ?? 0, 3_600_000] as const
        })
    })
    return Effect.gen(function* () {
      const ip = "203.0.113.200"
      let asked = 0
      const sendRequest = Effect.suspend(() =>
        request({ name: "x", email: `a${asked++}@flood.example`, company: "x" }, ip)
      )
      for (let i = 0; i < 25; i++) assert.strictEqual((yield* sendRequest).status, i < 20 ? 202 : 429)
      assert.strictEqual(counts.get(`client ${ip}`), 21)
      yield* TestClock.adjust("59 minutes")
      assert.strictEqual((yield* sendRequest).headers.get("retry-after"), "60")
      assert.strictEqual(counts.get(`client ${ip}`), 21)
      counts.clear()
      yield* TestClock.adjust("1 minute")
      assert.strictEqual((yield* sendRequest).status, 202)
      assert.strictEqual(counts.get(`client ${ip}`), 1)
    }).pipe(Effect.provide(accessApplication({ stores })))
  })

  layer(accessApplication({ env: { TRUSTED_PROXIES: "" } }))("without trusted proxies", (it) => {
    it.effect("ignores X-Forwarded-For", () =>
      Effect.gen(function* () {
        for (let i = 0; i < 20; i++) yield* request({ name: "x", email: `b${i}@example.com`, company: "x" })
        const response = yield* request({ name: "x", email: "last@example.com", company: "x" })
        assert.strictEqual(response.status, 429)
      })
    )
  })
})

describe("POST /api/v1/access-requests/confirm", () => {
  layer(accessApplication())((it) => {
    it.effect("shows a key that works, until it is used; then 410, and 404 for an invalid link", () =>
      Effect.gen(function* () {
        yield* request({ name: "Ada", email: "ada@example.com", company: "Example" })
        const token = yield* newestToken
        const first = yield* confirm(token)
        const second = yield* confirm(token)
        assert.deepStrictEqual([first.status, second.status], [200, 200])
        assert.strictEqual(second.json["credits_remaining"], 100)
        const key = String(second.json["api_key"])
        assert.strictEqual((yield* post("/api/v1/forecast", { key: String(first.json["api_key"]) })).status, 401)
        const forecast = yield* post("/api/v1/forecast", { key })
        assert.deepInclude(forecast.json["usage"], { requests: 1, credits_remaining: 99 })
        const used = yield* confirm(token)
        assert.include(used.problem, { status: 410, code: "link_gone" })
        for (const wrong of ["", "short", `${token}x`, token.toLowerCase(), "a".repeat(43)]) {
          assert.include((yield* confirm(wrong)).problem, { status: 404, code: "link_unknown" })
        }
        assert.strictEqual((yield* post(confirmPath, { body: '{"token":5}' })).status, 400)
      })
    )
  })
})

describe("a link that reveals a key", () => {
  it.effect("reveals 20 secrets in an hour, by page and API together; the last one works", () =>
    Effect.gen(function* () {
      yield* request({ name: "Ada", email: "often@example.com", company: "Example" })
      const token = yield* newestToken
      for (let i = 0; i < 19; i++) assert.strictEqual((yield* confirm(token)).status, 200)
      const last = yield* send(`/confirm/${token}`, { method: "POST" })
      const refused = yield* confirm(token)
      assert.include(refused.problem, { status: 429, code: "rate_limited", retryable: true })
      assert.isAtLeast(Number(refused.headers.get("retry-after")), 3000)
      const page = yield* send(`/confirm/${token}`, { method: "POST" })
      assert.strictEqual(page.status, 429)
      assert.match(page.text, /Nothing was done\. Try again in \d+ minutes/)
      const key = /id="key">(ofk_test_\w{38})</.exec(last.text)?.[1] ?? ""
      assert.strictEqual((yield* post("/api/v1/forecast", { key })).status, 200)
    }).pipe(Effect.provide(accessApplication()))
  )
})

describe("the pages for requesting access", () => {
  it.effect("accept the form from anyone, but send no email to a program that fills in the hidden field", () =>
    Effect.gen(function* () {
      const mails = yield* Mails
      const fields = { name: "Ada", email: "form@example.com", company: "Example" }
      const person = yield* submit({ ...fields, website: "" })
      const program = yield* submit({ ...fields, website: "https://spam.example" })
      for (const { headers, status } of [person, program]) {
        // Reloading the resulting page does not send it again.
        assert.strictEqual(status, 303)
        assert.strictEqual(headers.get("location"), "/access/sent")
      }
      const sent = (yield* send("/access/sent")).text
      assert.include(sent, "Check your inbox")
      assert.include(sent, "no mail server: its emails are files in <code>")
      assert.lengthOf(yield* mails.list(undefined, 10), 1)
    }).pipe(Effect.provide(accessApplication()))
  )

  layer(accessApplication())((it) => {
    it.effect("show errors next to the fields and keep what was typed", () =>
      Effect.gen(function* () {
        const response = yield* submit({ name: '<b>"Ada"', email: "nobody", company: "" })
        assert.strictEqual(response.status, 400)
        assert.match(response.headers.get("content-type") ?? "", /^text\/html/)
        assert.include(response.text, 'value="&lt;b&gt;&quot;Ada&quot;"')
        // The first invalid field has the focus, and shows its error.
        assert.include(response.text, 'value="nobody" aria-invalid="true" aria-describedby="email-error" autofocus>')
        assert.lengthOf(response.text.match(/ autofocus/g) ?? [], 1)
        assert.include(response.text, 'action="/access"')
        assert.include(response.text, '<p class="error" id="company-error">Company must not be empty.</p>')
        assert.notInclude(response.text, 'id="name-error"')
      })
    )

    it.effect("ask whether another address was meant, and accept either answer or none", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const sentTo = Effect.map(mails.list(undefined, 100), (all) => all.map(({ to }) => to))
        const fields = { name: "Maya", email: "maya@gmial.com", company: "Example" }
        const before = yield* sentTo
        const asked = yield* submit(fields)
        assert.strictEqual(asked.status, 400)
        assert.include(asked.text, "Did you mean maya@gmail.com?")
        for (const value of Object.values(fields)) assert.include(asked.text, `value="${value}"`)
        assert.lengthOf(asked.text.match(/ autofocus/g) ?? [], 1)
        assert.deepStrictEqual(yield* sentTo, before)

        const again = { ...fields, address_as_typed: fields.email }
        const other = yield* submit({ ...again, email: "maya@hotmial.com", suggested_address: "maya@gmail.com" })
        assert.include(other.text, "Did you mean maya@hotmail.com?")
        const wrong = yield* submit({ ...again, company: "" })
        assert.strictEqual(wrong.status, 400)
        assert.deepStrictEqual(yield* sentTo, before)

        assert.strictEqual((yield* submit(again)).status, 303)
        assert.strictEqual((yield* submit({ ...again, suggested_address: "" })).status, 303)
        assert.strictEqual((yield* submit({ ...again, suggested_address: "maya@gmail.com" })).status, 303)
        assert.deepStrictEqual((yield* sentTo).slice(0, 3), ["maya@gmail.com", "maya@gmial.com", "maya@gmial.com"])
      })
    )

    it.effect("include one for the form alone, which can be opened by its address; the endpoint refuses forms", () =>
      Effect.gen(function* () {
        const { status, text } = yield* send("/access")
        assert.strictEqual(status, 200)
        assert.include(text, "<h1>Get an API key</h1>")
        assert.notInclude(text, "autofocus")
        const mails = yield* Mails
        const before = (yield* mails.list(undefined, 10)).length
        const fields = { name: "Ada", email: "program@example.com", company: "Example" }
        assert.strictEqual((yield* submitForm(path, fields)).problem.code, "unsupported_media_type")
        assert.lengthOf(yield* mails.list(undefined, 10), before)
      })
    )

    it.effect("show the key on POST only, and say what to do if that is not possible", () =>
      Effect.gen(function* () {
        yield* request({ name: "Ada", email: "page@example.com", company: "Example" })
        const page = `/confirm/${yield* newestToken}`
        for (const method of ["GET", "HEAD"]) {
          const { headers, status } = yield* send(page, { method })
          assert.strictEqual(status, 200)
          assert.strictEqual(headers.get("cache-control"), "no-store")
          assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
          assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/)
        }
        const revealed = yield* send(page, { method: "POST", headers: { "sec-fetch-site": "same-origin" } })
        assert.strictEqual(revealed.status, 200)
        const key = /id="key">(ofk_test_\w{38})</.exec(revealed.text)?.[1] ?? ""
        assert.include(revealed.text, "100 forecast credits")
        for (const call of [
          `-H &#39;x-api-key: ${key}&#39;`,
          `Client(api_key=&quot;${key}&quot;,`,
          `apiKey: &quot;${key}&quot;,`
        ])
          assert.include(revealed.text, call)
        assert.strictEqual((yield* post("/api/v1/forecast", { key })).status, 200)
        const disconnect = yield* send(page)
        assert.strictEqual(disconnect.status, 410)
        assert.include(disconnect.text, "The key that this link showed is in use.")
        assert.include(disconnect.text, 'href="/#access"')
        assert.strictEqual((yield* send("/confirm/unknown")).status, 404)
        assert.strictEqual(
          (yield* send("/confirm/unknown", { method: "PUT" })).headers.get("allow"),
          "POST, GET, HEAD, OPTIONS"
        )
      })
    )

    it.effect("accept a form over plain HTTP, where a page without a referrer has the origin null", () =>
      Effect.gen(function* () {
        const fields = { name: "Ada", email: "plain@example.com", company: "Example" }
        assert.strictEqual((yield* submit(fields, { origin: "null" })).status, 303)
        const page = `/confirm/${yield* newestToken}`
        assert.strictEqual((yield* send(page, { method: "POST", headers: { origin: "null" } })).status, 200)
      })
    )

    it.effect("count an IPv6 network as one client, and say when to retry", () =>
      Effect.gen(function* () {
        const statuses = []
        for (let i = 1; i <= 21; i++) {
          const fields = { name: "x", email: `v6-${i}@example.com`, company: "x" }
          statuses.push(yield* submit(fields, { "x-forwarded-for": `2001:db8:0:1::${i.toString(16)}` }))
        }
        assert.deepStrictEqual([statuses.at(-2)?.status, statuses.at(-1)?.status], [303, 429])
        assert.isAtLeast(Number(statuses.at(-1)?.headers.get("retry-after")), 1)
        assert.match(statuses.at(-1)?.text ?? "", /Nothing was done\. Try again in \d+ minutes/)
        const other = yield* submit(
          { name: "x", email: "v6@example.com", company: "x" },
          { "x-forwarded-for": "2001:db8:0:102::1" }
        )
        assert.strictEqual(other.status, 303)
      })
    )

    it.effect("answer 403 to a form that another site sent, and do nothing", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const before = (yield* mails.list(undefined, 10)).length
        const fields = { name: "Ada", email: "csrf@example.com", company: "Example" }
        const foreign = [
          { "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site" },
          { origin: "https://evil.example" },
          { origin: "null", "sec-fetch-site": "cross-site" }
        ]
        for (const headers of foreign) assert.strictEqual((yield* submit(fields, headers)).status, 403)
        assert.lengthOf(yield* mails.list(undefined, 10), before)
        yield* request({ name: "Ada", email: "csrf@example.com", company: "Example" })
        const page = `/confirm/${yield* newestToken}`
        for (const headers of foreign) {
          const response = yield* send(page, { method: "POST", headers })
          assert.strictEqual(response.status, 403)
          assert.notInclude(response.text, "ofk_test_")
        }
      })
    )
  })
})
