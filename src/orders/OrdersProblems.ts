import {
  DemoKeyRefused,
  InvalidSignature,
  OrderInPlacing,
  OrderNotFound,
  PaymentsUnavailable,
  TooManyUnpaidOrders
} from "./OrderFailures.ts"
import { retryAfter } from "../http/ResponseHeaders.ts"
import { problem } from "../http/problems/problem.ts"

/** The reasons why a message is not accepted as the payment provider's. */
const whyNotSigned: { readonly [reason in InvalidSignature["reason"]]: string } = {
  missing: "The message has no Stripe-Signature header.",
  mismatch:
    "The signature was not made with the configured secret. Compare STRIPE_WEBHOOK_SECRET with the webhook's signing secret.",
  too_old: "The signature is older than 5 minutes. Check the clock of this machine.",
  from_future: "The signature is from more than 5 minutes in the future. Check the clock of this machine."
}

/** The problems of orders and payments. */
export const OrderProblem = {
  InvalidSignature: problem(InvalidSignature, {
    status: 400,
    code: "invalid_signature",
    title: "Invalid signature",
    detail: ({ reason }) => whyNotSigned[reason],
    explanation: {
      when: "A message to the payment provider's webhook is not signed by the provider. API callers never get this.",
      why: "The signature is missing, was not made with the configured secret, or its time is more than 5 minutes away from the machine's clock.",
      whatToDo:
        "If you are the operator, compare `STRIPE_WEBHOOK_SECRET` with the webhook's secret at Stripe, and check the machine's clock.",
      remedy: "correct the request"
    },
    example: new InvalidSignature({ reason: "mismatch" })
  }),
  DemoKeyRefused: problem(DemoKeyRefused, {
    status: 403,
    code: "demo_key",
    title: "Demo key",
    detail:
      "The demo key cannot buy credits. Order with a key of your own, or without one with name, email and company.",
    example: new DemoKeyRefused()
  }),
  OrderNotFound: problem(OrderNotFound, {
    status: 404,
    code: "order_not_found",
    title: "Order not found",
    detail: "This key placed no order with this ID. Check the ID, and send the key that placed the order.",
    explanation: {
      when: "`GET /api/v1/orders/{order_id}` was sent for an order that was not placed with this key.",
      why: "The ID is mistyped, another key placed the order, or it was placed without a key.",
      whatToDo:
        "Check the ID and the key. An order that was placed without a key has a page: the email that confirms the order links to it.",
      remedy: "check the ID, and send the key that placed the order"
    },
    example: new OrderNotFound()
  }),
  TooManyUnpaidOrders: problem(TooManyUnpaidOrders, {
    status: 409,
    code: "unpaid_orders",
    title: "Unpaid orders",
    detail: ({ most }) =>
      `This key has ${most} orders awaiting payment, which is the most it may have. Pay for one of them, or ask the ` +
      "operator to cancel it.",
    explanation: {
      when: "An order was placed with a key that already has as many unpaid orders as it may; `message` says how many.",
      why: "Each order opens a payment, and more than a few unpaid ones suggest a program stuck in a loop.",
      whatToDo:
        "Pay one of them, or ask the operator to cancel it. To retry an order whose response was lost, send it with the same `Idempotency-Key`: that does not create a second one.",
      remedy: "pay one of the key's orders, or have it cancelled"
    },
    example: new TooManyUnpaidOrders({ most: 5 })
  }),
  OrderInPlacing: problem(OrderInPlacing, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail:
      "Your order is still being placed, because the payment provider is slow. Wait a minute, then send the form again: it makes only one order.",
    headers: retryAfter.of(60),
    example: new OrderInPlacing()
  }),
  PaymentsUnavailable: problem(PaymentsUnavailable, {
    status: 503,
    code: "unavailable",
    title: "Service unavailable",
    retryable: true,
    detail: "Payments cannot be taken right now, and nothing was ordered. Try again in a minute.",
    headers: retryAfter.of(60),
    example: new PaymentsUnavailable()
  })
}
