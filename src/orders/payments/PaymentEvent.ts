/**
 * What the payment provider tells of an order. Each message has an id, and may come again and in any order; `orderId` is
 * undefined where it is about something else. Amounts are in minor units, times milliseconds UTC.
 */
export type PaymentEvent = {
  readonly id: string
  readonly orderId: string | undefined
} & (
  | {
      readonly kind: "paid"
      readonly sessionId: string
      readonly reference: string
      readonly amount: number
      readonly currency: string
      readonly at: number
    }
  | { readonly kind: "failed"; readonly sessionId: string }
  | { readonly kind: "refunded"; readonly reference: string | undefined; readonly isWhole: boolean }
  | { readonly kind: "other"; readonly type: string }
)
