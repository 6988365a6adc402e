import { Schema } from "effect"

/** No order has this ID. It does not contain the ID, which callers choose, because traces contain its message. */
export class OrderNotFound extends Schema.TaggedError<OrderNotFound>()("OrderNotFound", {}) {
  override get message() {
    return "No order has this ID"
  }
}

/** The order is fulfilled already, for the payment `reference`. */
export class OrderAlreadyFulfilled extends Schema.TaggedError<OrderAlreadyFulfilled>()("OrderAlreadyFulfilled", {
  id: Schema.String,
  reference: Schema.String
}) {
  override get message() {
    return `${this.id} is fulfilled already, for the payment ${this.reference}; nothing was changed`
  }
}

/** The payment `reference` was for another order, and was not declared to be for this one too. */
export class PaymentAlreadyUsed extends Schema.TaggedError<PaymentAlreadyUsed>()("PaymentAlreadyUsed", {
  reference: Schema.String,
  orderId: Schema.String
}) {
  override get message() {
    return `The payment ${this.reference} was already used for ${this.orderId}; nothing was changed. If it is for both orders, add --again`
  }
}

/** The order's payment was refunded, which is final. */
export class OrderRefunded extends Schema.TaggedError<OrderRefunded>()("OrderRefunded", { id: Schema.String }) {
  override get message() {
    return `${this.id} was refunded; place a new order for a new payment`
  }
}

/** The demo key cannot buy credits: its balance is reset at each start. */
export class DemoKeyRefused extends Schema.TaggedError<DemoKeyRefused>()("DemoKeyRefused", {}) {}

/** The key has the maximum number of orders awaiting payment; nothing was ordered. */
export class TooManyUnpaidOrders extends Schema.TaggedError<TooManyUnpaidOrders>()("TooManyUnpaidOrders", {
  most: Schema.Int
}) {}

/** The payment provider did not respond or did not open a payment; nothing was stored. */
export class PaymentsUnavailable extends Schema.TaggedError<PaymentsUnavailable>()("PaymentsUnavailable", {}) {}

/** The first of two identical forms is still being placed. */
export class OrderInPlacing extends Schema.TaggedError<OrderInPlacing>()("OrderInPlacing", {}) {}

/** An event is not from the payment provider: its signature is missing, wrong, too old, or from the future. */
export class InvalidSignature extends Schema.TaggedError<InvalidSignature>()("InvalidSignature", {
  reason: Schema.Literals(["missing", "mismatch", "too_old", "from_future"])
}) {}
