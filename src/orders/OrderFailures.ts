import { Schema } from "effect"

/** No order has this id. */
export class OrderNotFound extends Schema.TaggedError<OrderNotFound>()("OrderNotFound", { id: Schema.String }) {
  override get message() {
    return `No order has the id ${this.id}; "orders list" shows them`
  }
}

/** The order was fulfilled before, for the payment `reference`. */
export class OrderAlreadyFulfilled extends Schema.TaggedError<OrderAlreadyFulfilled>()("OrderAlreadyFulfilled", {
  id: Schema.String,
  reference: Schema.String
}) {
  override get message() {
    return `${this.id} was fulfilled before, for the payment ${this.reference}; nothing is changed`
  }
}

/** The order's payment was given back; nothing more comes of it. */
export class OrderRefunded extends Schema.TaggedError<OrderRefunded>()("OrderRefunded", { id: Schema.String }) {
  override get message() {
    return `${this.id} was refunded; take a new order for a new payment`
  }
}

/** The demo key buys nothing: its credits are set anew at each start. */
export class DemoKeyRefused extends Schema.TaggedError<DemoKeyRefused>()("DemoKeyRefused", {}) {}

/** The payment provider does not answer, or refuses to open a payment; nothing was stored. */
export class PaymentsUnavailable extends Schema.TaggedError<PaymentsUnavailable>()("PaymentsUnavailable", {}) {}

/** A message is not from the payment provider: without a signature, with a wrong one, or too old. */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>()("InvalidSignature", {
  reason: Schema.Literals(["missing", "mismatch", "too_old"])
}) {}
