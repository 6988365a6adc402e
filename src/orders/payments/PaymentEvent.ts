/**
 * An event of the payment provider. Events may be delivered more than once and in any order; `id` identifies them, and
 * `orderId` is undefined if an event is not about an order. Amounts are in minor units, times in milliseconds UTC.
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
  | { readonly kind: "invoiced"; readonly invoiceUrl: string }
  | { readonly kind: "other"; readonly type: string }
)
