import { Schema } from "effect"
import type { Owner } from "../keys/ApiKey.ts"
import type { KeyId } from "../keys/KeyId.ts"

/**
 * `awaiting_payment` until it is paid or given up, then `fulfilled` or `cancelled`; `refunded` for good. A payment counts
 * also after a cancellation.
 */
export const OrderState = Schema.Literals(["awaiting_payment", "fulfilled", "cancelled", "refunded"])
export type OrderState = typeof OrderState.Type

/** Who confirms a payment: the operator, or Stripe. */
export type PaymentMethod = "manual" | "stripe"

/**
 * A pack that somebody ordered, as it was offered then. Times are milliseconds UTC; `amount` is in minor units of the
 * currency.
 */
export interface Order {
  readonly id: string
  /** The key that it was ordered with, if any. */
  readonly keyId: KeyId | undefined
  readonly owner: Owner
  readonly pack: string
  readonly credits: number
  readonly amount: number
  readonly currency: string
  readonly method: PaymentMethod
  /** Stripe's Checkout session, and the address where it is paid. */
  readonly sessionId: string | undefined
  readonly payUrl: string | undefined
  readonly state: OrderState
  /** What names the payment: the operator's text, or Stripe's payment intent. */
  readonly reference: string | undefined
  readonly createdAt: number
  readonly paidAt: number | undefined
  readonly fulfilledAt: number | undefined
  /** By when its mail is due, or, while a manual order awaits its payment, by when the operator has to look. */
  readonly dueAt: number | undefined
  readonly mailId: string | undefined
  /** The key that got the credits. */
  readonly creditedKeyId: KeyId | undefined
}
