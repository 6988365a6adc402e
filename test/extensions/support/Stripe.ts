import { createServer } from "node:http"
import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { Stripe } from "stripe"
import * as StripePayments from "../../../src/extensions/stripe/StripePayments.ts"
import { send } from "../../support/Http.ts"
import { listen } from "../../support/Sockets.ts"

/** The secrets of an invented Stripe account. */
export const stripeSecrets = {
  secretKey: "sk_test_canary51H8x",
  webhookSecret: "whsec_canary9Qd2"
}

const account = {
  secretKey: Redacted.make(stripeSecrets.secretKey),
  webhookSecret: Redacted.make(stripeSecrets.webhookSecret)
}

/** A call that the server received: its path, headers and form fields. */
export interface StripeCall {
  readonly path: string | undefined
  readonly headers: Readonly<Record<string, unknown>>
  readonly fields: Readonly<Record<string, string>>
}

/** A real HTTP server in Stripe's place. */
export class FakeStripe extends Context.Service<
  FakeStripe,
  {
    readonly url: string
    readonly calls: Array<StripeCall>
    /** The status of the responses: with 200 it opens Checkout sessions, and finds that of a payment whose ID is the
     * order's; otherwise it refuses and quotes the key. A body replaces that of the responses. */
    readonly response: { status: number; body?: string | undefined }
  }
>()("outreach-forecast/test/FakeStripe") {
  static readonly layer = Layer.effect(
    FakeStripe,
    Effect.gen(function* () {
      const calls: Array<StripeCall> = []
      const nextResponse: FakeStripe["Service"]["response"] = { status: 200 }
      const server = createServer((request, response) => {
        let text = ""
        request.setEncoding("utf8").on("data", (chunk: string) => {
          text += chunk
        })
        request.on("end", () => {
          const fields = Object.fromEntries(new URLSearchParams(text))
          calls.push({ path: request.url, headers: request.headers, fields })
          const id = `cs_test_${calls.length}`
          const session = { id, object: "checkout.session", url: `https://checkout.example/c/pay/${id}` }
          const payment = new URL(request.url ?? "", "http://stripe").searchParams.get("payment_intent")
          const body =
            nextResponse.status === 200
              ? payment === null
                ? session
                : { object: "list", data: [{ ...session, metadata: { order_id: payment } }] }
              : { error: { type: "invalid_request_error", message: `No: ${stripeSecrets.secretKey}` } }
          response
            .writeHead(nextResponse.status, { "content-type": "application/json" })
            .end(nextResponse.body ?? JSON.stringify(body))
        })
      })
      return FakeStripe.of({ url: yield* listen(server), calls, response: nextResponse })
    })
  )
}

/** Payments through the fake Stripe. */
export const stripePayments = Layer.unwrap(
  Effect.map(FakeStripe, ({ url }) => StripePayments.layer(account, url))
).pipe(Layer.provide(FakeStripe.layer))

/** Payments through a Stripe that does not respond. */
export const unreachableStripe = StripePayments.layer(account, "http://127.0.0.1:1")

/** An event as Stripe sends it. */
export const stripeEvent = (id: string, type: string, object: Readonly<Record<string, unknown>>) => ({
  id,
  object: "event",
  type,
  created: 1_795_428_000,
  data: { object }
})

/** A signed request to the webhook; `age` is that of the signature, in seconds. */
export const signed = Effect.fnUntraced(function* (
  body: string,
  { age = 0, secret = stripeSecrets.webhookSecret }: { readonly age?: number; readonly secret?: string } = {}
) {
  // The library treats 0, at which a test's clock starts, as a missing time.
  const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000) - age || 1
  const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp })
  return { method: "POST", headers: { "stripe-signature": signature, "content-type": "application/json" }, body }
})

/** Sends a signed text to the webhook of the test's server. */
export const deliverText = (...message: Parameters<typeof signed>) =>
  Effect.flatMap(signed(...message), (request) => send("/webhooks/stripe", request))

/** Sends a signed event to the webhook of the test's server. */
export const deliver = (event: unknown, options?: Parameters<typeof signed>[1]) =>
  deliverText(JSON.stringify(event), options)
