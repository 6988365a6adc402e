import { Effect, Layer, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { PaymentEvents } from "../../orders/PaymentEvents.ts"
import { Payments } from "../../orders/payments/Payments.ts"
import { NotFound } from "../../http/problems/HttpFailures.ts"
import { LargeBodies } from "../../http/LargeBodies.ts"
import { readText } from "../../http/RequestBody.ts"

/** The largest accepted message of Stripe, in KiB. */
const limit = 256

/** Accepts Stripe's messages as raw bytes, as they were signed. Without Stripe there is no such route. */
export const layer = HttpRouter.use(
  Effect.fnUntraced(function* (router) {
    const largeBodies = yield* LargeBodies
    const payments = yield* Payments
    const paymentEvents = yield* PaymentEvents

    const receive = Effect.gen(function* () {
      if (Option.isNone(payments.readEvent)) return yield* new NotFound()
      const request = yield* HttpServerRequest.HttpServerRequest
      const body = yield* largeBodies.receive(request, undefined, (count) => readText(request, limit, count))
      const event = yield* payments.readEvent.value(body, request.headers["stripe-signature"] ?? "")
      yield* paymentEvents.apply(event)
      return HttpServerResponse.jsonUnsafe({ received: true })
    })

    yield* router.add("POST", "/webhooks/stripe", receive)
  })
).pipe(Layer.provide(LargeBodies.layer))
