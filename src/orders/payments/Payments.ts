import { Context, Effect, Layer, Option } from "effect"
import type { InvalidInput } from "../../input/InvalidInput.ts"
import type { Dispute, Order, PaymentMethod } from "../Order.ts"
import { type InvalidSignature, PaymentsUnavailable } from "../OrderFailures.ts"

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
  | {
      readonly kind: "disputed"
      readonly disputeId: string
      readonly reference: string | undefined
      readonly state: Dispute
      readonly amount: number
      readonly currency: string
      /** The provider's name for the buyer's reason. */
      readonly reason: string
      /** The time after which the provider takes no answer, if it takes one. */
      readonly answerBy: number | undefined
    }
  | { readonly kind: "other"; readonly type: string }
)

/** An event of one kind. */
export type PaymentEventOf<Kind extends PaymentEvent["kind"]> = Extract<PaymentEvent, { readonly kind: Kind }>

/**
 * The most time that opening a payment takes, in milliseconds; then it fails. The timeout of each call to the provider
 * follows from it; a form that was sent twice waits longer (`Idempotency.untilAnswered`).
 */
export const maxOpeningTime = 16_000

/** The payments of orders. */
export class Payments extends Context.Service<
  Payments,
  {
    readonly method: PaymentMethod
    /**
     * Opens the payment of an order that is not stored yet; the buyer returns to the page `returnUrl`. Without
     * a payment page, the buyer follows the operator's instructions. Fails with PaymentsUnavailable if the provider does
     * not open one.
     */
    readonly open: (
      order: Pick<Order, "id" | "amount" | "currency" | "credits" | "owner">,
      returnUrl: string
    ) => Effect.Effect<Pick<Order, "payUrl" | "sessionId">, PaymentsUnavailable>
    /**
     * Closes the payment of an order that must no longer be paid. Fails with PaymentsUnavailable if the provider does
     * not close it, for example because it has been paid in the meantime.
     */
    readonly close: (sessionId: string) => Effect.Effect<void, PaymentsUnavailable>
    /**
     * Decodes an event of the provider, if it sends any. Fails with InvalidSignature if the provider did not sign it,
     * with InvalidInput if it is not an event, and with PaymentsUnavailable if the provider does not tell its order.
     */
    readonly readEvent: Option.Option<
      (
        body: string,
        signature: string
      ) => Effect.Effect<PaymentEvent, InvalidSignature | InvalidInput | PaymentsUnavailable>
    >
  }
>()("outreach-forecast/orders/Payments") {
  /** The operator confirms payments by hand. */
  static readonly layerManual = Layer.succeed(Payments, {
    method: "manual",
    open: () => Effect.succeed({ payUrl: undefined, sessionId: undefined }),
    // Opened by a provider that is no longer configured.
    close: () => Effect.fail(new PaymentsUnavailable()),
    readEvent: Option.none()
  })
}
