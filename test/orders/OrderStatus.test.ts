import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Mailer, Postbox } from "../../src/mail/Mailer.ts"
import { deliverDue, MailUrls } from "../../src/mail/MailWorker.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { accessApplication, issueKey, post, send } from "../support/Http.ts"

const env = {
  PAYMENT_INSTRUCTIONS: "Pay into IBAN DE02 1203 <Bank>.",
  SUPPORT_EMAIL: "help@forecast.example",
  TERMS_URL: "https://seller.example/terms"
}
const terms = '<a href="https://seller.example/terms">Terms and refunds</a>'

let buyers = 0
const buyer = () => ({ name: "Ada", email: `buyer${++buyers}@example.com`, company: "Example" })

/** Orders without a key, and returns the order's ID with the path of its page from the email. */
const orderByMail = Effect.gen(function* () {
  const { json } = yield* post("/api/v1/orders", { body: JSON.stringify({ pack: "starter", ...buyer() }) })
  const [mail] = yield* (yield* Mails).list(undefined, 1)
  const link = new URL(Redacted.value(yield* (yield* MailUrls).make(mail?.link ?? assert.fail("no link"))))
  return { id: String(json["order_id"]), path: link.pathname, text: mail?.text ?? "" }
})

const fulfil = (id: string) =>
  Effect.flatMap(Orders, (orders) => orders.fulfil(id, { reference: `bank ${id}`, paidAt: 1_795_428_000_000 }))

describe("GET /api/v1/orders/{order_id}", () => {
  layer(accessApplication({ env }))((it) => {
    it.effect("answers 200 to the key that placed the order, with its status and what to do", () =>
      Effect.gen(function* () {
        const { secret } = yield* issueKey(7)
        const placed = yield* post("/api/v1/orders", { key: secret, body: '{"pack":"starter"}' })
        const id = String(placed.json["order_id"])
        const request = send(`/api/v1/orders/${id}`, { headers: { "x-api-key": secret } })
        const waiting = yield* request
        const instructions =
          `Pay 19 USD with ${id} as the reference. Pay into IBAN DE02 1203 <Bank>. Once the payment is confirmed, ` +
          "we add the credits and email you."
        assert.strictEqual(placed.json["instructions"], instructions)
        assert.deepStrictEqual(waiting.json, {
          ...placed.json,
          next_step: instructions,
          support_email: "help@forecast.example",
          created_at: "1970-01-01T00:00:00.000Z",
          paid_at: null,
          fulfilled_at: null
        })
        assert.strictEqual(waiting.headers.get("ratelimit"), '"credits";r=7')
        yield* fulfil(id)
        assert.include((yield* request).json, {
          status: "fulfilled",
          instructions: null,
          next_step: "The credits have been added. There is nothing left to do.",
          paid_at: "2026-11-23T10:00:00.000Z",
          fulfilled_at: "1970-01-01T00:00:00.000Z"
        })
      })
    )

    it.effect("answers 404 for the order of another key or of none, as for an unknown one, and 401 without a key", () =>
      Effect.gen(function* () {
        const [ada, eve] = [yield* issueKey(), yield* issueKey()]
        const placed = yield* post("/api/v1/orders", { key: ada.secret, body: '{"pack":"starter"}' })
        const { id } = yield* orderByMail
        const responses = []
        const mine = String(placed.json["order_id"])
        const listedFor = (key: string) =>
          Effect.map(send("/api/v1/orders", { headers: { "x-api-key": key } }), ({ json }) => json["orders"])
        const status = yield* send(`/api/v1/orders/${mine}`, { headers: { "x-api-key": ada.secret } })
        assert.deepStrictEqual(yield* listedFor(ada.secret), [status.json])
        assert.deepStrictEqual(yield* listedFor(eve.secret), [])
        for (const name of [mine, id, "ord_none"]) {
          const { problem } = yield* send(`/api/v1/orders/${name}`, { headers: { "x-api-key": eve.secret } })
          responses.push({ ...problem, request_id: "" })
          assert.strictEqual((yield* send(`/api/v1/orders/${name}`)).problem.code, "missing_key")
        }
        assert.include(responses[0], { status: 404, code: "order_not_found" })
        assert.deepStrictEqual([responses[1], responses[2]], [responses[0], responses[0]])
      })
    )
  })
})

describe("the page of an order", () => {
  layer(accessApplication({ env }))((it) => {
    it.effect("shows the buyer what to do, and later that nothing is left to do", () =>
      Effect.gen(function* () {
        const { id, path, text } = yield* orderByMail
        assert.include(text, "Pay into IBAN DE02 1203 <Bank>.")
        assert.include(text, "Terms and refunds: https://seller.example/terms")
        const waiting = yield* send(path)
        assert.strictEqual(waiting.status, 200)
        assert.strictEqual(waiting.headers.get("referrer-policy"), "no-referrer")
        assert.strictEqual(waiting.headers.get("cache-control"), "no-store")
        for (const part of [
          `<dd>${id}</dd>`,
          "<h1>Your order</h1>",
          "Waiting for payment",
          "Pay into IBAN DE02 1203 &lt;Bank&gt;.",
          terms,
          `href="mailto:help@forecast.example?subject=${id}"`
        ]) {
          assert.include(waiting.text, part)
        }
        yield* fulfil(id)
        const paid = yield* send(path)
        assert.include(paid.text, "Paid, credits added")
        assert.include(paid.text, "23 November 2026 at 10:00 UTC")
        assert.include(paid.text, "<h1>Your receipt</h1>")
        assert.notInclude(paid.text, "IBAN")
        // The page does not belong to the key.
        assert.notMatch(paid.text, /ofk_/)
      })
    )

    it.effect("is the receipt that the email about added credits links to, to a new key as to one in use", () =>
      Effect.gen(function* () {
        const { letters } = yield* Postbox
        const { key, secret } = yield* issueKey(7)
        const placed = yield* post("/api/v1/orders", { key: secret, body: '{"pack":"starter"}' })
        for (const [id, to] of [
          [(yield* orderByMail).id, `buyer${buyers}@example.com`],
          [String(placed.json["order_id"]), key.owner.email]
        ] as const) {
          yield* fulfil(id)
          yield* Effect.repeat(deliverDue, { while: (count) => count > 0 })
          const { html, text } = letters.findLast((letter) => letter.to === to) ?? assert.fail("no email")
          const link = /save it as PDF,[^\n]*\s+https:\/\/forecast\.example(\S+)/.exec(text)?.[1] ?? assert.fail(text)
          assert.include(html, `href="https://forecast.example${link}"`)
          const receipt = yield* send(link)
          assert.include(receipt.text, "<h1>Your receipt</h1>")
          assert.include(receipt.text, `<dd>${id}</dd>`)
          assert.include(text, "Paid: 19 USD")
          // Of the two links, only one ends.
          if (to !== key.owner.email) assert.include(text, "The link to your key works for 24 hours")
        }
      }).pipe(Effect.provide(Mailer.layerMemory))
    )

    it.effect("answers 404 for a wrong secret, the secret of another order, and no secret", () =>
      Effect.gen(function* () {
        const [one, other] = [yield* orderByMail, yield* orderByMail]
        const secretOf = (path: string) => path.split("/").at(-1) ?? ""
        for (const wrong of [
          `/orders/${one.id}/${secretOf(other.path)}`,
          `${one.path}x`,
          one.path.slice(0, -1),
          `/orders/${one.id}/${"A".repeat(43)}`,
          `/orders/ord_none/${secretOf(one.path)}`
        ]) {
          const response = yield* send(wrong)
          assert.strictEqual(response.status, 404, wrong)
          assert.include(response.text, "recognize this link")
          assert.notInclude(response.text, one.id)
        }
        assert.strictEqual((yield* send(`/orders/${one.id}`)).status, 404)
        assert.strictEqual((yield* send(one.path, { method: "POST" })).status, 405)
        assert.strictEqual((yield* send(one.path)).status, 200)
      })
    )
  })
})

describe("an order of a trial, which has no way to pay", () => {
  layer(accessApplication())((it) => {
    it.effect("claims no payment on any page, in the API or in an email, before or after its credits are added", () =>
      Effect.gen(function* () {
        const notice = "This service is a trial: nothing is charged, and its operator adds the credits."
        const added = "Added by the operator of this trial; nothing was charged."
        const credits = yield* send("/credits")
        assert.include(credits.text, notice)
        assert.notMatch(credits.text, /payment|receipt/)

        const { letters } = yield* Postbox
        const { key, secret } = yield* issueKey(7)
        const headers = { "x-api-key": secret }
        const placed = yield* post("/api/v1/orders", { key: secret, body: '{"pack":"starter"}' })
        assert.include(placed.json, { instructions: notice, next_step: notice })
        const id = String(placed.json["order_id"])
        const other = yield* orderByMail
        assert.include(other.text, notice)
        assert.include((yield* send(other.path)).text, notice)

        for (const order of [id, other.id]) yield* fulfil(order)
        const { json } = yield* send(`/api/v1/orders/${id}`, { headers })
        assert.include(json, { status: "fulfilled", paid_at: null, next_step: `${added} There is nothing left to do.` })
        const page = yield* send(other.path)
        assert.include(page.text, "<h1>Your order</h1>")
        assert.include(page.text, "<dd>Credits added</dd>")
        assert.include(page.text, added)
        assert.notMatch(page.text, /Paid|[Pp]ayment|receipt/)
        const signedIn = yield* send("/key", {
          method: "POST",
          headers: { "sec-fetch-site": "same-origin" },
          body: new URLSearchParams({ api_key: secret })
        })
        const cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? assert.fail("no cookie")
        const own = yield* send("/key", { headers: { cookie } })
        assert.include(own.text, "<span>Credits added</span>")
        assert.notMatch(own.text, /Paid|receipt/)

        yield* Effect.repeat(deliverDue, { while: (count) => count > 0 })
        for (const to of [key.owner.email, `buyer${buyers}@example.com`]) {
          const { subject, text } = letters.findLast((letter) => letter.to === to) ?? assert.fail("no email")
          assert.strictEqual(subject, "Your forecast credits are here")
          assert.include(text, added)
          assert.notMatch(text, /Paid|USD|receipt/)
        }
      }).pipe(Effect.provide(Mailer.layerMemory))
    )
  })
})

describe("the page /credits of a service without instructions", () => {
  const pageOf = (set: Record<string, string>) =>
    Effect.map(send("/credits"), ({ text }) => text).pipe(
      Effect.provide(accessApplication({ env: { ...set } }), { local: true })
    )
  const production = {
    APP_ENV: "production",
    PUBLIC_URL: "https://forecast.example",
    DATABASE_URL: "sqlite:unused.db"
  }

  it.live("names a contact, and in production sells nothing if there is none", () =>
    Effect.gen(function* () {
      const asking = yield* pageOf({ ...production, SUPPORT_EMAIL: "help@forecast.example" })
      assert.include(asking, 'To buy credits, write to <a href="mailto:help@forecast.example">')
      assert.include(asking, "249 USD")
      assert.notInclude(asking, 'name="pack"')
      const answering = yield* pageOf({ ...production, MAIL_FROM: "Outreach Forecast <hello@forecast.example>" })
      assert.include(answering, 'To buy credits, write to <a href="mailto:hello@forecast.example">')
      const closed = yield* pageOf({ ...production, MAIL_FROM: "no-reply@forecast.example" })
      assert.include(closed, "Credits are not on sale here yet.")
      assert.notInclude(closed, "<form")
    })
  )
})

describe("the form of the page /credits", () => {
  layer(accessApplication({ env }))((it) => {
    const submit = (fields: Record<string, string>) =>
      send("/credits", { method: "POST", body: new URLSearchParams(fields) })
    const count = Effect.flatMap(Orders, (orders) => Effect.map(orders.list(undefined, 100), ({ length }) => length))

    it.effect("says what a forecast costs with each pack, and what the pack is enough for", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/credits")
        for (const part of [terms, "17% less each", "34% less each", "plan 20 campaigns", "plan 2,000 campaigns"])
          assert.include(text, part)
        for (const price of ["3.8 cents", "3.16 cents", "2.49 cents"]) assert.include(text, `${price} each`)
      })
    )

    it.effect("places one order however often it is sent, and another after a change", () =>
      Effect.gen(function* () {
        const { text } = yield* send("/credits")
        const key = /name="idempotency_key" value="([\w-]{22})"/.exec(text)?.[1] ?? assert.fail("no key")
        assert.notInclude((yield* send("/credits")).text, key)
        const fields = { ...buyer(), pack: "starter", idempotency_key: key }
        const before = yield* count
        const [first, second] = [yield* submit(fields), yield* submit(fields)]
        const pathOf = ({ headers }: typeof first) => headers.get("location") ?? assert.fail("no location")
        const idIn = (text: string) => /ord_\w{16}/.exec(text)?.[0] ?? assert.fail("no id")
        assert.deepStrictEqual([first.status, second.status], [303, 303])
        assert.strictEqual(idIn(pathOf(second)), idIn(pathOf(first)))
        assert.strictEqual(yield* count, before + 1)
        // Each links to the page of the order.
        for (const response of [first, second])
          assert.include((yield* send(pathOf(response))).text, `<dd>${idIn(pathOf(first))}</dd>`)
        yield* submit({ ...fields, pack: "growth" })
        assert.strictEqual(yield* count, before + 2)
        for (const odd of ["", "x", "../..", "x".repeat(300)]) {
          assert.strictEqual((yield* submit({ ...fields, ...buyer(), idempotency_key: odd })).status, 303)
        }
      })
    )

    it.effect(
      "answers 429 for too many orders for one address, whichever clients send them; it gets an email for each order",
      () =>
        Effect.gen(function* () {
          const one = buyer()
          const statuses = []
          for (let i = 0; i < 6; i++) {
            const headers = { "x-forwarded-for": `203.0.113.${i}` }
            const body = new URLSearchParams({ ...one, pack: "starter" })
            statuses.push((yield* send("/credits", { method: "POST", headers, body })).status)
          }
          assert.deepStrictEqual(statuses, [303, 303, 303, 303, 303, 429])
        })
    )
  })
})
