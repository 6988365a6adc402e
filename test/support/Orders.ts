import { Effect, Layer } from "effect"
import type { ApiKey, Owner } from "../../src/keys/ApiKey.ts"
import type { Order } from "../../src/orders/Order.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { Payments } from "../../src/orders/payments/Payments.ts"
import type { CreditPack } from "../../src/settings/CreditPack.ts"

/** An order of the pack `starter` that awaits its payment, with changes. */
export const orderOf = (id: string, changes: Partial<Order> = {}): Order => ({
  id: `ord_${id}`,
  keyId: undefined,
  owner: { name: "Ada", email: "ada@example.com", company: "Example" },
  pack: "starter",
  credits: 500,
  amount: 1900,
  currency: "USD",
  method: "manual",
  sessionId: undefined,
  payUrl: undefined,
  invoiceUrl: undefined,
  state: "awaiting_payment",
  isTrial: false,
  reference: undefined,
  createdAt: 1_795_219_200_000,
  paidAt: undefined,
  fulfilledAt: undefined,
  dueAt: undefined,
  mailId: undefined,
  creditedKeyId: undefined,
  disputeId: undefined,
  dispute: undefined,
  ...changes
})

/** Payments that the operator confirms, of which each opens after an effect. */
export const paymentsAfter = (meanwhile: Effect.Effect<unknown>) =>
  Layer.effect(
    Payments,
    Effect.map(Payments, (manual) =>
      Payments.of({ ...manual, open: (...order) => Effect.andThen(meanwhile, manual.open(...order)) })
    )
  ).pipe(Layer.provide(Payments.layerManual))

/** Places an order. */
export const placeOrder = (pack: CreditPack, buyer: ApiKey | Owner) =>
  Effect.flatMap(Orders, ({ place }) => place(pack, buyer, "https://forecast.example/credits", Effect.succeed))
