import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Option, Redacted, References } from "effect"
import { TestClock } from "effect/testing"
import { ApiKeys } from "../../../src/keys/ApiKeys.ts"
import { Credits } from "../../../src/credits/Credits.ts"
import { Mails } from "../../../src/mail/Mails.ts"
import { Orders } from "../../../src/orders/Orders.ts"
import { Payments } from "../../../src/orders/payments/Payments.ts"
import { Erasure } from "../../../src/extensions/privacy/Erasure.ts"
import { httpApplication, issueKey, post, send } from "../../support/Http.ts"
import { orderOf } from "../../support/Orders.ts"
import {
  deliver,
  deliverText,
  FakeStripe,
  signed,
  stripeEvent,
  stripePayments,
  stripeSecrets,
  unreachableStripe
} from "../support/Stripe.ts"

const options = { payments: stripePayments, env: { SUPPORT_EMAIL: "help@forecast.example" } }

const server = httpApplication(options).pipe(Layer.provideMerge(FakeStripe.layer))

/** A second after the events were created. */
const now = TestClock.setTime(1_795_428_001_000)

/** Orders the pack `starter` with a new key. */
const order = Effect.gen(function* () {
  const { id, secret } = yield* issueKey(0)
  const { json } = yield* post("/api/v1/orders", { key: secret, body: '{"pack":"starter"}' })
  const orders = yield* Orders
  return { ...(yield* orders.find(String(json["order_id"]))), keyId: id }
})

type Ordered = Effect.Success<typeof order>

let events = 0
const sessionEvent = (ordered: Ordered, type: string, changes: Readonly<Record<string, unknown>> = {}) =>
  stripeEvent(`evt_${++events}`, `checkout.session.${type}`, {
    id: ordered.sessionId,
    payment_status: "paid",
    amount_total: 1900,
    currency: "usd",
    payment_intent: "pi_1",
    metadata: { order_id: ordered.id },
    ...changes
  })

const refundEvent = (ordered: Ordered, changes: Readonly<Record<string, unknown>> = {}) =>
  stripeEvent(`evt_${++events}`, "charge.refunded", {
    id: "ch_1",
    refunded: true,
    payment_intent: "pi_1",
    metadata: { order_id: ordered.id },
    ...changes
  })

/** The state of an order, and the credits of its key. */
const outcome = Effect.fnUntraced(function* ({ id, keyId }: Ordered) {
  const orders = yield* Orders
  const credits = yield* Credits
  return `${(yield* orders.find(id)).state} ${(yield* credits.balance(keyId)).remaining}`
})

describe("an order by Stripe", () => {
  layer(server)((it) => {
    it.effect("opens a Checkout session for the order, with its price and its id", () =>
      Effect.gen(function* () {
        const { calls } = yield* FakeStripe
        const { key, secret } = yield* issueKey()
        const { json, status } = yield* post("/api/v1/orders", { key: secret, body: '{"pack":"starter"}' })
        assert.strictEqual(status, 201)
        const call = calls.at(-1) ?? assert.fail("no call")
        assert.deepInclude(json, {
          status: "awaiting_payment",
          pay_url: `https://checkout.example/c/pay/cs_test_${calls.length}`,
          instructions: null
        })
        const id = String(json["order_id"])
        assert.strictEqual(call.path, "/v1/checkout/sessions")
        const { cancel_url: cancelUrl = "", success_url: successUrl = "", ...fields } = call.fields
        assert.deepStrictEqual(fields, {
          mode: "payment",
          client_reference_id: id,
          customer_email: key.owner.email,
          "line_items[0][quantity]": "1",
          "line_items[0][price_data][currency]": "usd",
          "line_items[0][price_data][unit_amount]": "1900",
          "line_items[0][price_data][product_data][name]": "500 forecast credits",
          "metadata[order_id]": id,
          "payment_intent_data[metadata][order_id]": id,
          "invoice_creation[enabled]": "true",
          "invoice_creation[invoice_data][metadata][order_id]": id
        })
        assert.match(successUrl, /^http:\/\/127\.0\.0\.1:\d+\/credits\?payment=done$/)
        assert.match(cancelUrl, /^http:\/\/127\.0\.0\.1:\d+\/credits\?payment=cancelled$/)
        assert.strictEqual(call.headers["idempotency-key"], id)
        assert.strictEqual(call.headers["authorization"], `Bearer ${stripeSecrets.secretKey}`)
        assert.isUndefined(call.headers["x-stripe-client-telemetry"])
      })
    )

    it.effect("links from its page to the payment", () =>
      Effect.gen(function* () {
        const { calls } = yield* FakeStripe
        const { headers, status } = yield* send("/credits", {
          method: "POST",
          body: new URLSearchParams({ pack: "starter", name: "Ada", email: "ada@example.com", company: "Example" })
        })
        assert.strictEqual(status, 303)
        const { text } = yield* send(headers.get("location") ?? "")
        assert.include(text, `href="https://checkout.example/c/pay/cs_test_${calls.length}">Pay 19 USD</a>`)
      })
    )

    it.effect("answers 503 unavailable while Stripe is down or refuses, and stores nothing", () =>
      Effect.gen(function* () {
        const { response } = yield* FakeStripe
        const orders = yield* Orders
        const before = yield* orders.list(undefined, 100)
        const { secret } = yield* issueKey()
        for (const status of [400, 401, 500]) {
          response.status = status
          const refused = yield* post("/api/v1/orders", { key: secret, body: '{"pack":"starter"}' })
          assert.include(refused.problem, { status: 503, code: "unavailable", retryable: true })
          assert.strictEqual(refused.headers.get("retry-after"), "60")
          assert.notInclude(refused.text, stripeSecrets.secretKey)
        }
        const page = yield* send("/credits", {
          method: "POST",
          body: new URLSearchParams({ pack: "starter", name: "Ada", email: "ada@example.com", company: "Example" })
        })
        assert.strictEqual(page.status, 503)
        assert.strictEqual(page.headers.get("retry-after"), "60")
        assert.include(page.text, "Payments cannot be taken right now, and nothing was ordered.")
        response.status = 200
        assert.deepStrictEqual(yield* orders.list(undefined, 100), before)
      })
    )
  })
})

describe("POST /webhooks/stripe", () => {
  layer(server)((it) => {
    it.effect("answers 200 to a payment, adds the credits, queues an email, and records the session as reference", () =>
      Effect.gen(function* () {
        yield* now
        const mails = yield* Mails
        const orders = yield* Orders
        const ordered = yield* order
        const { json, status } = yield* deliver(sessionEvent(ordered, "completed"))
        assert.deepStrictEqual([status, json], [200, { received: true }])
        assert.strictEqual(yield* outcome(ordered), "fulfilled 500")
        const { mailId, paidAt, reference } = yield* orders.find(ordered.id)
        assert.deepStrictEqual([paidAt, reference], [1_795_428_000_000, "pi_1"])
        assert.strictEqual((yield* mails.list("queued", 1))[0]?.id, mailId)
      })
    )

    it.effect("counts an asynchronous payment when it succeeds, and ends the order when it fails", () =>
      Effect.gen(function* () {
        yield* now
        const [first, second, third] = [yield* order, yield* order, yield* order]
        for (const ordered of [first, second]) {
          yield* deliver(sessionEvent(ordered, "completed", { payment_status: "unpaid" }))
          assert.strictEqual(yield* outcome(ordered), "awaiting_payment 0")
        }
        yield* deliver(sessionEvent(first, "async_payment_succeeded"))
        yield* deliver(sessionEvent(first, "async_payment_failed"))
        yield* deliver(sessionEvent(second, "async_payment_failed"))
        yield* deliver(sessionEvent(third, "expired"))
        assert.deepStrictEqual(yield* Effect.forEach([first, second, third], outcome), [
          "fulfilled 500",
          "cancelled 0",
          "cancelled 0"
        ])
      })
    )

    it.effect(
      "answers 400 invalid_signature for a message that is unsigned, wrongly signed, changed, too old or from the future",
      () =>
        Effect.gen(function* () {
          yield* now
          const ordered = yield* order
          const event = sessionEvent(ordered, "completed")
          const unsigned = yield* send("/webhooks/stripe", { method: "POST", body: JSON.stringify(event) })
          const nonsense = yield* send("/webhooks/stripe", {
            method: "POST",
            headers: { "stripe-signature": "t=1,v1=x" },
            body: JSON.stringify(event)
          })
          const forged = yield* deliver(event, { secret: "whsec_other" })
          const old = yield* deliver(event, { age: 301 })
          const future = yield* deliver(event, { age: -301 })
          for (const [response, text] of [
            [unsigned, "no Stripe-Signature header"],
            [nonsense, "STRIPE_WEBHOOK_SECRET"],
            [forged, "STRIPE_WEBHOOK_SECRET"],
            [old, "older than 5 minutes. Check the clock"],
            [future, "more than 5 minutes in the future. Check the clock"]
          ] as const) {
            assert.include(response.problem, { status: 400, code: "invalid_signature" })
            assert.include(response.problem.detail, text)
          }
          assert.strictEqual(yield* outcome(ordered), "awaiting_payment 0")
          for (const age of [-299, 299]) assert.strictEqual((yield* deliver(event, { age })).status, 200)
          assert.strictEqual(yield* outcome(ordered), "fulfilled 500")
        })
    )

    it.effect("answers 400 for another amount or currency than was ordered, and names both", () =>
      Effect.gen(function* () {
        yield* now
        const ordered = yield* order
        const amount = yield* deliver(sessionEvent(ordered, "completed", { amount_total: 100 }))
        const currency = yield* deliver(sessionEvent(ordered, "completed", { currency: "eur" }))
        assert.include(amount.problem, { status: 400, code: "invalid_input" })
        assert.include(amount.problem.detail, "must be 1900 USD in minor units as ordered, not 100 USD")
        assert.include(currency.problem.detail, "not 1900 EUR")
        assert.strictEqual(yield* outcome(ordered), "awaiting_payment 0")
      })
    )

    it.effect("answers 400 for a signed message that is not as Stripe sends it, and names the fields", () =>
      Effect.gen(function* () {
        yield* now
        const ordered = yield* order
        for (const body of ["{", "null", '"evt_1"', '{"object":"v2.core.event"}']) {
          const { problem } = yield* deliverText(body)
          assert.include(problem, { status: 400, code: "invalid_input" }, body)
        }
        const event = sessionEvent(ordered, "completed")
        for (const [changed, pointer] of [
          [{ ...event, id: undefined }, "/id"],
          [{ ...event, id: "evt_\u0000" }, "/id"],
          [{ ...event, type: 1 }, "/type"],
          [{ ...event, created: undefined }, "/created"],
          [{ ...event, created: 1e300 }, "/created"],
          [{ ...event, created: 1.5 }, "/created"],
          [{ ...event, data: undefined }, "/data"],
          [{ ...event, data: { object: null } }, "/data/object"],
          [sessionEvent(ordered, "completed", { id: "cs_\u0000" }), "/data/object/id"],
          [sessionEvent(ordered, "completed", { payment_intent: "pi_\u0000" }), "/data/object/payment_intent"],
          [sessionEvent(ordered, "completed", { payment_intent: { id: 1 } }), "/data/object/payment_intent"],
          [sessionEvent(ordered, "completed", { currency: 1 }), "/data/object/currency"],
          [sessionEvent(ordered, "expired", { metadata: { order_id: "\u0000" } }), "/data/object/metadata/order_id"],
          [sessionEvent(ordered, "expired", { metadata: { order_id: "\uD800" } }), "/data/object/metadata/order_id"],
          [refundEvent(ordered, { refunded: "true" }), "/data/object/refunded"],
          [refundEvent(ordered, { metadata: undefined }), "/data/object/metadata"],
          [
            stripeEvent("evt_0", "invoice.paid", { metadata: null, hosted_invoice_url: "https://x.example/\u0000" }),
            "/data/object/hosted_invoice_url"
          ]
        ] as const) {
          const { problem } = yield* deliver(changed)
          assert.include(problem, { status: 400, code: "invalid_input" })
          assert.match(problem.errors?.map(({ pointer }) => pointer).join() ?? "", new RegExp(`^${pointer}(?:/id)?`))
        }
        assert.strictEqual(yield* outcome(ordered), "awaiting_payment 0")
      })
    )

    it.effect("answers 200 and does nothing for another session, order or product, and for other events", () =>
      Effect.gen(function* () {
        yield* now
        const ordered = yield* order
        for (const event of [
          sessionEvent(ordered, "completed", { id: "cs_test_unknown" }),
          sessionEvent(ordered, "completed", { metadata: { order_id: "ord_unknown" } }),
          sessionEvent(ordered, "completed", { metadata: {} }),
          sessionEvent(ordered, "completed", { metadata: null }),
          refundEvent(ordered, { metadata: {} }),
          stripeEvent("evt_product", "product.created", { id: "prod_1" })
        ]) {
          assert.strictEqual((yield* deliver(event)).status, 200)
        }
        assert.strictEqual(yield* outcome(ordered), "awaiting_payment 0")
      })
    )

    it.effect(
      "takes the credits back after a full refund, not after a partial one, even if it arrives before the payment",
      () =>
        Effect.gen(function* () {
          yield* now
          const [later, first] = [yield* order, yield* order]
          yield* deliver(sessionEvent(later, "completed"))
          yield* deliver(refundEvent(later, { refunded: false }))
          assert.strictEqual(yield* outcome(later), "fulfilled 500")
          yield* deliver(refundEvent(later))
          assert.strictEqual(yield* outcome(later), "refunded 0")
          yield* deliver(refundEvent(first))
          yield* deliver(sessionEvent(first, "completed"))
          assert.strictEqual(yield* outcome(first), "refunded 0")
        })
    )

    it.effect("links the receipt to the invoice that Stripe has made, in whichever order the two arrive", () =>
      Effect.gen(function* () {
        yield* now
        const orders = yield* Orders
        const invoiceOf = ({ id }: Ordered, changes: Readonly<Record<string, unknown>> = {}) =>
          stripeEvent(`evt_${++events}`, "invoice.paid", {
            id: "in_1",
            metadata: { order_id: id },
            hosted_invoice_url: `https://invoice.example/i/${id}`,
            ...changes
          })
        const [first, later, none, other] = [yield* order, yield* order, yield* order, yield* order]
        yield* deliver(invoiceOf(first))
        assert.strictEqual(yield* outcome(first), "awaiting_payment 0")
        for (const ordered of [first, later, none, other]) yield* deliver(sessionEvent(ordered, "completed"))
        for (const event of [
          invoiceOf(later),
          invoiceOf(none, { hosted_invoice_url: null }),
          invoiceOf(none, { hosted_invoice_url: "javascript:alert(1)" }),
          invoiceOf(none, { metadata: null }),
          invoiceOf(none, { metadata: { order_id: "ord_unknown" } })
        ]) {
          assert.strictEqual((yield* deliver(event)).status, 200)
        }
        const urls = Effect.forEach([first, later, none], ({ id }) =>
          Effect.map(orders.find(id), ({ invoiceUrl }) => invoiceUrl)
        )
        assert.deepStrictEqual(yield* urls, [
          `https://invoice.example/i/${first.id}`,
          `https://invoice.example/i/${later.id}`,
          undefined
        ])
        const { erase } = yield* Erasure
        for (const { keyId } of [later, other]) yield* erase(keyId, "operator")
        assert.isUndefined((yield* orders.find(later.id)).invoiceUrl)
        assert.strictEqual((yield* deliver(invoiceOf(other))).status, 200)
        assert.isUndefined((yield* orders.find(other.id)).invoiceUrl)
        const page = yield* send(Redacted.value(yield* orders.makePath(first.id)))
        assert.include(page.text, `<a href="https://invoice.example/i/${first.id}">Invoice from Stripe</a>`)
      })
    )

    it.effect(
      "records a dispute and its end, and emails the operator once, in whichever order they and the payment arrive",
      () =>
        Effect.gen(function* () {
          yield* now
          const orders = yield* Orders
          const disputeOf = (reference: string, type: "created" | "closed", status: string) =>
            stripeEvent(`evt_${++events}`, `charge.dispute.${type}`, {
              id: `dp_${reference}`,
              payment_intent: reference,
              status,
              amount: 1900,
              currency: "usd",
              reason: "product_not_received",
              evidence_details: { due_by: 1_796_000_000 },
              metadata: {}
            })
          const [open, won, lost, early] = [yield* order, yield* order, yield* order, yield* order]
          const tooEarly = disputeOf(early.id, "created", "needs_response")
          const { response } = yield* FakeStripe
          response.status = 400
          assert.strictEqual((yield* deliver(tooEarly)).status, 503)
          response.status = 200
          response.body = '{"object":"list"}'
          assert.strictEqual((yield* deliver(tooEarly)).status, 503)
          response.body = undefined
          assert.strictEqual((yield* deliver(tooEarly)).status, 200)
          for (const ordered of [open, won, lost, early]) {
            yield* deliver(sessionEvent(ordered, "completed", { payment_intent: ordered.id }))
          }
          const created = disputeOf(open.id, "created", "needs_response")
          const responses = yield* Effect.all(
            [
              created,
              created,
              disputeOf(won.id, "created", "needs_response"),
              disputeOf(won.id, "closed", "won"),
              disputeOf(lost.id, "closed", "lost"),
              disputeOf(lost.id, "created", "needs_response"),
              disputeOf("pi_of_another_product", "created", "needs_response")
            ].map((event) => deliver(event))
          )
          assert.deepStrictEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
          const found = yield* Effect.forEach([open, won, lost, early], ({ id }) => orders.find(id))
          assert.deepStrictEqual(
            found.map(({ dispute, disputeId, id }) => [disputeId === `dp_${id}`, dispute]),
            [
              [true, "open"],
              [true, "won"],
              [true, "lost"],
              [true, "open"]
            ]
          )
          assert.sameMembers(
            (yield* orders.disputed).map(({ id }) => id),
            [open.id, early.id]
          )
          assert.strictEqual(yield* outcome(lost), "fulfilled 500")
          const mails = yield* Effect.flatMap(Mails, ({ list }) => list("queued", 100, ["help@forecast.example"]))
          assert.sameMembers(
            mails.map(({ subject }) => subject),
            [open, won, lost, early].map(({ id }) => `Payment disputed: order ${id}`)
          )
          assert.include(mails[0]?.text, "Amount: 19 USD\n")
          assert.include(mails[0]?.text, "Reason: product not received\nAnswer by: ")
          assert.include(mails[0]?.text, "https://dashboard.stripe.com/disputes")
        })
    )

    it.effect("grants once if each message arrives five times at once in random order", () =>
      Effect.gen(function* () {
        yield* now
        const credits = yield* Credits
        const ordered = yield* order
        const reported = ["completed", "expired", "async_payment_succeeded"].map((type) => sessionEvent(ordered, type))
        const shuffled = Array.from({ length: 15 }, (_, i) => reported[(i * 7) % 3])
        const responses = yield* Effect.all(
          shuffled.map((event) => deliver(event)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
        assert.strictEqual(yield* outcome(ordered), "fulfilled 500")
        assert.lengthOf(yield* credits.history(ordered.keyId, 10), 1)
      })
    )

    it.effect("gives a buyer without a key a new one after the payment", () =>
      Effect.gen(function* () {
        yield* now
        const apiKeys = yield* ApiKeys
        const orders = yield* Orders
        const owner = { name: "Eve", email: "eve@example.com", company: "Example" }
        const { json } = yield* post("/api/v1/orders", { body: JSON.stringify({ pack: "starter", ...owner }) })
        const placed = yield* orders.find(String(json["order_id"]))
        assert.deepStrictEqual(yield* apiKeys.search(owner.email), [])
        const paid = { metadata: { order_id: placed.id }, id: placed.sessionId }
        const { keyId } = yield* order
        yield* deliver(sessionEvent({ ...placed, keyId }, "completed", paid))
        const [key] = yield* apiKeys.search(owner.email)
        assert.deepInclude(key, { state: "unconfirmed", owner })
      })
    )

    it.effect("answers 413 for more than 256 KiB, 405 for another method", () =>
      Effect.gen(function* () {
        yield* now
        const large = yield* deliver({ text: "x".repeat(256 * 1024) })
        assert.include(large.problem, { status: 413, detail: "The request body is larger than 256 KiB." })
        assert.strictEqual((yield* deliver(stripeEvent("evt_0", "x", { text: "x".repeat(100 * 1024) }))).status, 200)
        const get = yield* send("/webhooks/stripe")
        assert.deepStrictEqual([get.status, get.headers.get("allow")], [405, "POST, OPTIONS"])
      })
    )
  })
})

/** Bodies of responses with status 200 that are not those of Stripe. */
const unexpected = {
  "{}": /^The response of Stripe is not as expected at \/[a-z/,]/,
  '{"object":"list","data":null,"email":"ada@example.com"}': /not as expected at \//,
  '{"data":[{"metadata":{"order_id":7}}],"id":"","url":null}': /not as expected at \//,
  "[]": /not as expected at /,
  null: /./,
  "<h1>Maintenance</h1>": /Invalid JSON/
}

describe("payments", () => {
  it.live("log an unexpected response of Stripe, and fail so that it sends its event again", () =>
    Effect.gen(function* () {
      const { response } = yield* FakeStripe
      const reasons: Array<string> = []
      const logger = Logger.make(({ fiber, message }) => {
        reasons.push(`${String(message)}: ${String(fiber.getRef(References.CurrentLogAnnotations)["reason"])}`)
      })
      const { close, open, readEvent } = yield* Payments
      const dispute = stripeEvent("evt_1", "charge.dispute.created", {
        id: "dp_1",
        payment_intent: "pi_1",
        status: "needs_response",
        amount: 1900,
        currency: "usd",
        reason: "fraudulent",
        evidence_details: { due_by: null }
      })
      const { body, headers } = yield* signed(JSON.stringify(dispute))
      const read = Option.getOrThrow(readEvent)(body, headers["stripe-signature"])
      for (const [text, reason] of Object.entries(unexpected)) {
        response.body = text
        for (const [event, call] of [
          ["dispute not matched to its order", Effect.asVoid(read)],
          ["payment not opened", Effect.asVoid(open(orderOf("1"), "https://forecast.example"))]
        ] as const) {
          const failure = yield* Effect.flip(call).pipe(Effect.provide(Logger.layer([logger])))
          assert.strictEqual(failure._tag, "PaymentsUnavailable", text)
          const line = reasons.at(-1) ?? ""
          assert.isTrue(line.startsWith(`${event}: `), line)
          assert.match(line.slice(event.length + 2), reason)
          assert.notInclude(line, "ada@example.com")
        }
      }
      // A session that Stripe refuses to expire is closed only if Stripe says that it has expired.
      response.status = 400
      response.body = undefined
      assert.strictEqual((yield* Effect.flip(close("cs_1")))._tag, "PaymentsUnavailable")
      response.status = 200
      assert.deepInclude(yield* read, { kind: "disputed", orderId: "pi_1" })
    }).pipe(Effect.provide(stripePayments.pipe(Layer.provideMerge(FakeStripe.layer))))
  )

  it.live("log why Stripe cannot be reached", () =>
    Effect.gen(function* () {
      const reasons: Array<unknown> = []
      const logger = Logger.make(({ fiber }) => {
        reasons.push(fiber.getRef(References.CurrentLogAnnotations)["reason"])
      })
      const opened = Effect.flatMap(Payments, ({ open }) => open(orderOf("1"), "https://forecast.example"))
      const failure = yield* opened.pipe(Effect.flip, Effect.provide([unreachableStripe, Logger.layer([logger])]))
      assert.strictEqual(failure._tag, "PaymentsUnavailable")
      assert.match(String(reasons), /connect ECONNREFUSED 127\.0\.0\.1:1$/)
    })
  )
})

describe("POST /webhooks/stripe", () => {
  it.effect("answers 404 if Stripe is not configured", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* deliver({ id: "evt_1" })).problem.code, "not_found")
    }).pipe(Effect.provide(httpApplication()))
  )
})
