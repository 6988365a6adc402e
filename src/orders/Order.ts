import { Schema } from "effect"
import { nullable } from "../database/Statements.ts"
import { erasedOwner, StoredOwner } from "../keys/ApiKey.ts"
import { KeyId } from "../KeyStatus.ts"
import { dayLength, dayOf } from "../text/Times.ts"

/**
 * `awaiting_payment` until the order is paid or cancelled, then `fulfilled` or `cancelled`; `refunded` is final. A
 * payment is accepted even after a cancellation.
 */
export const OrderState = Schema.Literals(["awaiting_payment", "fulfilled", "cancelled", "refunded"]).annotate({
  title: "OrderState"
})
export type OrderState = typeof OrderState.Type

/** The party that confirms a payment: the operator, or Stripe. */
export const PaymentMethod = Schema.Literals(["manual", "stripe"])
export type PaymentMethod = typeof PaymentMethod.Type

/** The state of a dispute: `won` if the payment stays with the operator. */
export const Dispute = Schema.Literals(["open", "won", "lost"])
export type Dispute = typeof Dispute.Type

/**
 * An order of a credit pack, with the terms of the pack at that time. Times are in milliseconds UTC; `amount` is in
 * minor units of the currency.
 */
export const Order = Schema.Struct({
  id: Schema.String,
  /** The key that the order was placed with, if any. */
  keyId: nullable(KeyId),
  owner: StoredOwner,
  pack: Schema.String,
  credits: Schema.Int,
  amount: Schema.Int,
  currency: Schema.String,
  method: PaymentMethod,
  /** Stripe's Checkout session, and the URL of its payment page. */
  sessionId: nullable(Schema.String),
  payUrl: nullable(Schema.String),
  /** The URL of the invoice that Stripe created. */
  invoiceUrl: nullable(Schema.String),
  state: OrderState,
  /** True if the operator of a trial added the credits: nothing was paid, though it was confirmed like a payment. */
  isTrial: Schema.Boolean,
  /** Identifies the payment: the operator's text, or Stripe's payment intent. */
  reference: nullable(Schema.String),
  createdAt: Schema.Int,
  paidAt: nullable(Schema.Int),
  fulfilledAt: nullable(Schema.Int),
  /** The deadline for sending the email or, while a manual order awaits payment, for the operator's confirmation. */
  dueAt: nullable(Schema.Int),
  mailId: nullable(Schema.String),
  /** The key that the credits were added to. */
  creditedKeyId: nullable(KeyId),
  /** Stripe's ID of the latest dispute about the payment, and its state. */
  disputeId: nullable(Schema.String),
  dispute: nullable(Dispute)
})
export type Order = typeof Order.Type

/** True if an order belongs to a key: placed with it, or its credits went to it. */
export const isOrderOf = ({ creditedKeyId, keyId }: Order, key: KeyId): boolean =>
  keyId === key || creditedKeyId === key

/** The due date of the email of an order that is no longer owed to anyone: the end of the year 9999. */
const never = 253_402_300_799_999

/** The reference of a payment. Stripe's stays, so that a refund finds its order; an operator's may name the buyer. */
const withoutText = ({ method, reference }: Order) =>
  reference === undefined || (method === "stripe" && /^(?:pi|cs)_\w+$/.test(reference)) ? reference : "erased"

/** An order that is no longer to be paid: cancelled if it awaits payment, otherwise as it is. */
export const cancelledOrder = (order: Order): Order =>
  order.state === "awaiting_payment" ? { ...order, state: "cancelled" } : order

/** An order without its buyer, who was erased; cancelled if it awaits payment. */
export const erasedOrder = (order: Order): Order => ({
  ...cancelledOrder(order),
  owner: erasedOwner(order.id),
  reference: withoutText(order),
  payUrl: undefined,
  invoiceUrl: undefined,
  dueAt: never
})

/** 1970-01-01 was a Thursday. */
const isBusinessDay = (millis: number, holidays: ReadonlySet<string>) =>
  ![2, 3].includes(Math.floor(millis / dayLength) % 7) && !holidays.has(dayOf(millis))

const nextBusinessDay = (millis: number, holidays: ReadonlySet<string>): number =>
  isBusinessDay(millis + dayLength, holidays) ? millis + dayLength : nextBusinessDay(millis + dayLength, holidays)

/**
 * One business day after a time, both in milliseconds UTC: the same time on the next business day. Saturdays, Sundays
 * and `holidays` are not business days; a time on one of them counts as 00:00 of the next business day.
 */
export const oneBusinessDayAfter = (millis: number, holidays: ReadonlySet<string>): number =>
  nextBusinessDay(
    isBusinessDay(millis, holidays) ? millis : nextBusinessDay(millis - (millis % dayLength), holidays),
    holidays
  )
