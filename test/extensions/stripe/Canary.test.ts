import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { watched } from "../../support/Canary.ts"
import { post } from "../../support/Http.ts"
import { slowly } from "../../support/slowly.ts"
import { deliver as deliverEvent, FakeStripe, stripeEvent, stripePayments, stripeSecrets } from "../support/Stripe.ts"

describe("the secrets of a Stripe account", slowly, () => {
  it.effect("are in no response, log, trace, email or database file, whatever Stripe quotes", () =>
    watched(
      ({ deliver, keyIn, responses, secrets }) =>
        Effect.gen(function* () {
          // A payment that Stripe refuses quoting the key, one that it opens, and valid and invalid messages.
          const { response } = yield* FakeStripe
          const ordered = { pack: "starter", name: "Eve", email: "eve@example.com", company: "Example" }
          const order = post("/api/v1/orders", { body: JSON.stringify(ordered) })
          response.status = 400
          const refused = yield* order
          assert.strictEqual(refused.status, 503)
          response.status = 200
          const { json, text } = yield* order
          const session = {
            id: /cs_test_\d+/.exec(text)?.[0],
            payment_status: "paid",
            amount_total: 1900,
            currency: "usd",
            metadata: { order_id: json["order_id"] }
          }
          yield* deliver
          const event = stripeEvent("evt_1", "checkout.session.completed", session)
          responses.push(refused.text, text, (yield* deliverEvent(event, { secret: "whsec_other" })).text)
          responses.push((yield* deliverEvent({ ...event, type: stripeSecrets.webhookSecret })).text)
          assert.strictEqual((yield* deliverEvent(event)).status, 200)
          const token = yield* deliver
          keyIn((yield* post("/api/v1/access-requests/confirm", { body: JSON.stringify({ token }) })).text)
          assert.strictEqual(secrets.size, 6)
        }),
      { payments: stripePayments, secrets: Object.values(stripeSecrets) }
    ).pipe(Effect.provide(FakeStripe.layer))
  )
})
