import {
  DemoKeyRefused,
  InvalidSignature,
  OrderNotFound,
  PaymentsUnavailable,
  TooManyUnpaidOrders
} from "./OrderFailures.ts"
import { retryAfter } from "../http/ResponseHeaders.ts"
import { problem } from "../http/problems/problem.ts"

/** Why a message does not count as the payment provider's. */
const whyNotSigned: { readonly [reason in InvalidSignature["reason"]]: string } = {
  missing: "The message has no Stripe-Signature header.",
  mismatch:
    "The signature was not made with the configured secret. Compare STRIPE_WEBHOOK_SECRET with the webhook's signing secret.",
  too_old: "The signature is older than 5 minutes. Check the clock of this machine.",
  from_future: "The signature is from more than 5 minutes in the future. Check the clock of this machine."
}

/** Failures of orders and payments. */
export const orderProblems = {
  InvalidSignature: problem(InvalidSignature, {
    status: 400,
    code: "invalid_signature",
    title: "Invalid signature",
    retryable: false,
    detail: ({ reason }) => whyNotSigned[reason],
    example: new InvalidSignature({ reason: "mismatch" })
  }),
  DemoKeyRefused: problem(DemoKeyRefused, {
    status: 403,
    code: "demo_key",
    title: "Demo key",
    retryable: false,
    detail:
      "The demo key cannot buy credits. Order with a key of your own, or without one with name, email and company.",
    example: new DemoKeyRefused()
  }),
  OrderNotFound: problem(OrderNotFound, {
    status: 404,
    code: "order_not_found",
    title: "Order not found",
    retryable: false,
    detail: "No order with this id was placed with this key. Check the id, and send the key that placed the order.",
    example: new OrderNotFound({ id: "ord_3kTq0VbW9sXhY2Lm" })
  }),
  TooManyUnpaidOrders: problem(TooManyUnpaidOrders, {
    status: 409,
    code: "unpaid_orders",
    title: "Unpaid orders",
    retryable: false,
    detail: ({ most }) =>
      `This key has ${most} orders awaiting payment, which is the most it may have. Pay for one of them, or ask the ` +
      "operator to cancel it.",
    example: new TooManyUnpaidOrders({ most: 5 })
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
