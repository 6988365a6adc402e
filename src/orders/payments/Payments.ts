import { Context, Effect, Layer, Option } from "effect"
import type { InvalidInput } from "../../input/InvalidInput.ts"
import { Settings, type StripeAccount } from "../../Settings.ts"
import { showPrice } from "../CreditPack.ts"
import type { Order, PaymentMethod } from "../Order.ts"
import type { InvalidSignature, PaymentsUnavailable } from "../OrderFailures.ts"
import { makeStripePayments } from "./StripePayments.ts"

/** What an order needs to be paid: an address to pay at, or what to do. */
export interface OpenedPayment {
  readonly payUrl: string | undefined
  readonly sessionId: string | undefined
  readonly instructions: string | undefined
}

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

/** How orders are paid. */
export class Payments extends Context.Service<
  Payments,
  {
    readonly method: PaymentMethod
    /**
     * Opens the payment of an order that is not stored yet; the buyer comes back to the page `returnUrl`. Fails with
     * PaymentsUnavailable.
     */
    readonly open: (
      order: Pick<Order, "id" | "amount" | "currency" | "credits" | "owner">,
      returnUrl: string
    ) => Effect.Effect<OpenedPayment, PaymentsUnavailable>
    /**
     * Reads a message of the provider, if it sends any. Fails with InvalidSignature where it is not the provider's, and
     * with InvalidInput where it is no event.
     */
    readonly readEvent: Option.Option<
      (body: string, signature: string) => Effect.Effect<PaymentEvent, InvalidSignature | InvalidInput>
    >
  }
>()("outreach-forecast/orders/Payments") {
  /** The operator confirms payments by hand. */
  static readonly layerManual = Layer.succeed(Payments, {
    method: "manual",
    open: (order) =>
      Effect.succeed({
        payUrl: undefined,
        sessionId: undefined,
        instructions:
          `Pay ${showPrice(order)} to the operator of this service, with ${order.id} as the reference. ` +
          "When the operator has confirmed the payment, the credits are added and a mail tells you."
      }),
    readEvent: Option.none()
  })

  /** By Stripe, whose address is `stripeUrl` in tests. */
  static readonly layerStripe = (account: StripeAccount, stripeUrl?: string) =>
    Layer.effect(Payments, makeStripePayments(account, stripeUrl))

  /** By Stripe where its secrets are set, else by the operator. */
  static readonly layer = Layer.unwrap(
    Effect.map(Settings, ({ stripe }) =>
      Option.match(stripe, {
        onNone: () => Payments.layerManual,
        onSome: (account) => Payments.layerStripe(account)
      })
    )
  )
}
