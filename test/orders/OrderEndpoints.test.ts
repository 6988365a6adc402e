import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { accessApplication, httpApplication, issueKey, newClient, post, send, submitForm } from "../support/Http.ts"

const path = "/api/v1/orders"
const ada = { name: "Ada", email: "ada@example.com", company: "Example" }

const order = (body: unknown, key?: string, ip = newClient()) =>
  post(path, { key, body: JSON.stringify(body), headers: { "x-forwarded-for": ip } })

const submit = (fields: Record<string, string>, headers?: Record<string, string>) =>
  submitForm("/credits", fields, headers)

const countOrders = Effect.gen(function* () {
  const orders = yield* Orders
  return (yield* orders.list(undefined, 1000)).length
})

describe("GET /api/v1/credit-packs", () => {
  layer(httpApplication({ env: { CREDIT_PACKS: "one:1:0.50:EUR,many:100000:12000:JPY" } }))((it) => {
    it.effect("lists the configured packs, without a key", () =>
      Effect.gen(function* () {
        const { json, status } = yield* send("/api/v1/credit-packs")
        assert.strictEqual(status, 200)
        assert.deepStrictEqual(json, {
          packs: [
            { id: "one", credits: 1, price: 0.5, currency: "EUR" },
            { id: "many", credits: 100_000, price: 12_000, currency: "JPY" }
          ]
        })
      })
    )
  })
})

describe("POST /api/v1/orders", () => {
  layer(accessApplication())((it) => {
    it.effect("answers 201 with a key, for its owner, and shows its balance", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { id, key, secret } = yield* issueKey(7)
        const { headers, json, status } = yield* order({ pack: "growth" }, secret)
        const { created_at, order_id, ...response } = json
        assert.strictEqual(status, 201)
        assert.match(String(order_id), /^ord_[0-9A-Za-z]{16}$/)
        assert.match(String(created_at), /^\d{4}-.*Z$/)
        const instructions = "This service is a trial: nothing is charged, and its operator adds the credits."
        assert.deepStrictEqual(response, {
          status: "awaiting_payment",
          pack: "growth",
          credits: 2500,
          price: 79,
          currency: "USD",
          pay_url: null,
          instructions,
          next_step: instructions,
          support_email: null,
          paid_at: null,
          fulfilled_at: null
        })
        assert.strictEqual(headers.get("ratelimit"), '"credits";r=7')
        assert.deepInclude(yield* orders.find(String(order_id)), { keyId: id, owner: key.owner })
      })
    )

    it.effect("answers 201 without a key, whether the address is known or not; an empty key counts as none", () =>
      Effect.gen(function* () {
        const mails = yield* Mails
        const orders = yield* Orders
        const { key } = yield* issueKey()
        const responses = []
        for (const [email, secret] of [
          ["New@Example.com", undefined],
          [key.owner.email, ""]
        ] as const) {
          const { headers, json, status } = yield* order({ pack: "starter", ...ada, email }, secret)
          assert.isNull(headers.get("ratelimit"))
          const id = String(json["order_id"])
          const { keyId, owner } = yield* orders.find(id)
          assert.deepStrictEqual([keyId, owner.email], [undefined, email.replace("Example", "example")])
          responses.push([status, JSON.stringify(json).replaceAll(id, "ID")])
        }
        assert.strictEqual(responses[0]?.[0], 201)
        assert.deepStrictEqual(responses[0], responses[1])
        // Each gets an email that confirms the order, at the given address.
        assert.deepStrictEqual(
          (yield* mails.list(undefined, 2)).map(({ link, subject, to }) => [link?.kind, subject, to]),
          [key.owner.email, "New@example.com"].map((to) => ["order", "Your order of 500 forecast credits", to])
        )
      })
    )

    it.effect("answers 401 for a key that is unknown or revoked, before the body is checked", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const { id, secret } = yield* issueKey()
        assert.strictEqual((yield* order({ pack: "none" }, `${secret}x`)).problem.code, "invalid_key")
        yield* apiKeys.revoke(id, "owner")
        const revoked = yield* order({ pack: "none" }, secret)
        assert.include(revoked.problem, { status: 401, code: "key_revoked" })
        assert.strictEqual(revoked.headers.get("www-authenticate"), "ApiKey")
      })
    )

    it.effect("answers 403 for a key whose plan is inactive, and for the demo key", () =>
      Effect.gen(function* () {
        const apiKeys = yield* ApiKeys
        const { id, secret } = yield* issueKey()
        yield* apiKeys.setKeyPlan(id, "inactive")
        const inactive = yield* order({ pack: "starter" }, secret)
        assert.include(inactive.problem, { status: 403, code: "plan_inactive" })
        yield* apiKeys.prepareDemoKey
        const before = yield* countOrders
        const demo = yield* order({ pack: "starter" }, "demo")
        assert.include(demo.problem, { status: 403, code: "demo_key" })
        assert.include(demo.problem.detail, "Order with a key of your own")
        assert.strictEqual(yield* countOrders, before)
      })
    )

    it.effect("answers 400 for an unknown pack, and lists the known ones", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey()
        for (const response of [yield* order({ pack: "huge" }, secret), yield* order({ pack: "huge", ...ada })]) {
          assert.include(response.problem, { status: 400, code: "invalid_input" })
          assert.deepStrictEqual(response.problem.errors, [
            { pointer: "/pack", message: "must be one of starter, growth, scale", code: "out_of_range" }
          ])
        }
      })
    )

    it.effect("answers 400 with every error: the buyer is required without a key, and forbidden with one", () =>
      Effect.gen(function* () {
        const before = yield* countOrders
        const { secret } = yield* issueKey()
        const anonymous = yield* order({ email: "nobody", phone: "1" })
        const unseen = yield* order({ pack: "starter", ...ada, name: "\u0000\u200B", company: "\u202E " })
        assert.deepStrictEqual(
          unseen.problem.errors?.map(({ message, pointer }) => `${pointer} ${message}`),
          ["/name must not be empty", "/company must not be empty"]
        )
        assert.deepStrictEqual(
          anonymous.problem.errors?.map(({ code, pointer }) => `${pointer} ${code}`),
          ["/pack required", "/name required", "/email invalid_format", "/company required", "/phone unknown_field"]
        )
        const keyed = yield* order({ pack: "starter", name: "Ada", email: 5 }, secret)
        assert.deepStrictEqual(
          keyed.problem.errors?.map(({ message, pointer }) => `${pointer} ${message}`),
          [
            "/name must be left out: the key identifies the buyer",
            "/email must be left out: the key identifies the buyer"
          ]
        )
        assert.strictEqual(keyed.headers.get("ratelimit"), '"credits";r=100')
        assert.strictEqual((yield* post(path, { key: secret, body: "{" })).problem.code, "malformed_json")
        const text = { key: secret, headers: { "content-type": "text/plain" } }
        assert.strictEqual((yield* post(path, text)).problem.code, "unsupported_media_type")
        assert.strictEqual((yield* post(path, { body: "x".repeat(17_000) })).problem.code, "payload_too_large")
        assert.strictEqual(yield* countOrders, before)
      })
    )

    it.effect("answers 429 rate_limited with Retry-After to a client without a key, but not with one", () =>
      Effect.gen(function* () {
        const flooder = newClient()
        const { secret } = yield* issueKey()
        const statuses = []
        for (let i = 0; i < 21; i++)
          statuses.push(
            (yield* order({ pack: "starter", ...ada, email: `${i}@example.com` }, undefined, flooder)).status
          )
        assert.deepStrictEqual(statuses, [...Array.from({ length: 20 }, () => 201), 429])
        const limited = yield* order({ pack: "starter", ...ada }, undefined, flooder)
        assert.include(limited.problem, { code: "rate_limited", retryable: true })
        assert.isAtLeast(Number(limited.headers.get("retry-after")), 1)
        assert.strictEqual((yield* order({ pack: "starter" }, secret, flooder)).status, 201)
      })
    )
  })
})

describe("the page /credits where credits are sold", () => {
  layer(accessApplication({ env: { PAYMENT_INSTRUCTIONS: "To account 1" } }))((it) => {
    it.effect("lists the price of each pack", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/credits")
        for (const pack of [
          "<strong>19 USD</strong>\n<b>500 credits</b>",
          "<strong>79 USD</strong>\n<b>2,500 credits</b>",
          "<strong>249 USD</strong>\n<b>10,000 credits</b>"
        ]) {
          assert.include(text, pack)
        }
        assert.notInclude(text, "trial")
      })
    )
  })
})

describe("the page /credits", () => {
  layer(accessApplication())((it) => {
    it.effect("lists the packs of a trial without prices, and shows the result of a payment", () =>
      Effect.gen(function* () {
        const { headers, status, text } = yield* send("/credits")
        assert.strictEqual(status, 200)
        assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'/)
        assert.include(text, "This service is a trial: nothing is charged")
        for (const credits of ["500", "2,500", "10,000"]) assert.include(text, `<strong>${credits} credits</strong>`)
        assert.notMatch(text, /USD|cents|less each/)
        assert.notInclude(text, 'role="status"')
        assert.include((yield* send("/credits?payment=done")).text, "Once the payment is confirmed")
        assert.include((yield* send("/credits?payment=cancelled")).text, "You have not been charged.")
        assert.notInclude((yield* send("/credits?payment=%3Cscript%3E")).text, 'role="status"')
      })
    )

    it.effect("shows who is signed in, and what the key has left", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const { secret, key } = yield* issueKey(1839)
        const signIn = (api_key: string) =>
          Effect.map(submitForm("/key", { api_key }, { "sec-fetch-site": "same-origin" }), ({ headers }) => ({
            cookie: headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie")
          }))
        const session = yield* signIn(secret)
        const { text } = yield* send("/credits", { headers: session })
        for (const value of Object.values(key.owner)) assert.include(text, `value="${value}"`)
        assert.include(text, `<code>${key.secretPrefix}…</code> has 1,839 credits.`)
        assert.notInclude(text, "Start with 100 free credits")
        const own = { ...key.owner, pack: "starter" }
        const wrong = yield* submit({ ...own, company: "", pack: "none" }, session)
        assert.strictEqual(wrong.status, 400)
        assert.include(
          wrong.text,
          'name="company" type="text" autocomplete="organization" maxlength="254" required value=""'
        )
        const { headers, status } = yield* submit(own, session)
        assert.strictEqual(status, 303)
        const placed = (yield* orders.list(undefined, 100)).find(({ id }) => headers.get("location")?.includes(id))
        assert.deepInclude(placed, { keyId: key.id, owner: key.owner })
        const branch = yield* submit({ ...own, company: "Example Branch" }, session)
        const ofBranch = (yield* orders.list(undefined, 100)).find(({ id }) =>
          branch.headers.get("location")?.includes(id)
        )
        assert.deepInclude(ofBranch, { keyId: undefined, owner: { ...key.owner, company: "Example Branch" } })
        const most = []
        for (let i = 0; i < 12; i++) most.push(yield* submit(own, session))
        assert.include(most.at(-1)?.text, "orders awaiting payment, which is the most it may have.")
        assert.strictEqual(most.at(-1)?.status, 409)

        const other = (yield* send("/credits")).text
        assert.notInclude(other, key.owner.email)
        assert.include(other, "Start with 100 free credits")
        assert.notInclude((yield* send("/credits", { headers: { cookie: "session=none" } })).text, key.owner.email)
        yield* (yield* ApiKeys).prepareDemoKey
        const demo = yield* send("/credits", { headers: yield* signIn("demo") })
        assert.notInclude(demo.text, "demo@localhost")
      })
    )

    it.effect("accepts an order, or shows errors next to the fields and keeps what was typed", () =>
      Effect.gen(function* () {
        const orders = yield* Orders
        const before = yield* countOrders
        const wrong = yield* submit({ pack: "scale", name: "<b>", email: "nobody", company: "" })
        assert.strictEqual(wrong.status, 400)
        assert.include(wrong.text, 'value="scale" required checked')
        assert.include(wrong.text, 'value="&lt;b&gt;"')
        assert.include(wrong.text, '<p class="error" id="company-error">Company must not be empty.</p>')
        assert.include(wrong.text, 'value="nobody" aria-invalid="true" aria-describedby="email-error" autofocus>')
        const none = yield* submit({ ...ada })
        assert.include(none.text, 'role="radiogroup" aria-invalid="true" aria-describedby="pack-error">')
        assert.include(none.text, '<input id="pack" autofocus type="radio"')
        assert.include(
          none.text,
          '<p class="error" id="pack-error">The pack must be one of starter, growth, scale.</p>'
        )
        assert.strictEqual(yield* countOrders, before)

        const right = yield* submit({ pack: "growth", ...ada, website: "" })
        // Reloading the resulting page does not order again.
        assert.strictEqual(right.status, 303)
        const path = right.headers.get("location") ?? ""
        const placed = (yield* orders.list(undefined, 100)).find(({ id }) => path.startsWith(`/orders/${id}/`))
        assert.deepInclude(placed, { pack: "growth", owner: ada })
        const { text } = yield* send(path)
        assert.include(text, "This service is a trial: nothing is charged, and its operator adds the credits.")
      })
    )

    it.effect("refuses orders from a program or another site, and too many from one client", () =>
      Effect.gen(function* () {
        const before = yield* countOrders
        assert.strictEqual((yield* submit({ pack: "growth", ...ada, website: "https://spam.example" })).status, 200)
        const toEndpoint = yield* submitForm(path, { pack: "growth", ...ada })
        assert.strictEqual(toEndpoint.problem.code, "unsupported_media_type")
        const foreign = yield* submit({ pack: "growth", ...ada }, { "sec-fetch-site": "cross-site" })
        assert.strictEqual(foreign.status, 403)
        assert.strictEqual(yield* countOrders, before)
        const flooder = newClient()
        for (let i = 0; i < 20; i++) {
          yield* submit({ pack: "growth", ...ada, email: `${i}@example.com` }, { "x-forwarded-for": flooder })
        }
        const limited = yield* submit({ pack: "growth", ...ada }, { "x-forwarded-for": flooder })
        assert.strictEqual(limited.status, 429)
        assert.include(limited.text, "Nothing was done. Try again in")
        assert.isAtLeast(Number(limited.headers.get("retry-after")), 1)
      })
    )
  })
})
