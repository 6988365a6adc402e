import { Effect } from "effect"
import { Transaction } from "../../src/database/Transaction.ts"
import type { ApiKey, Owner } from "../../src/keys/ApiKey.ts"
import { Mails } from "../../src/mail/Mails.ts"
import { orderPlaced } from "../../src/orders/orderMessages.ts"
import type { Order } from "../../src/orders/Order.ts"
import { Orders } from "../../src/orders/Orders.ts"
import type { CreditPack } from "../../src/settings/CreditPack.ts"
import { Settings } from "../../src/Settings.ts"

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

/** Opens an order, and stores it with the email that confirms it. */
export const placeOrder = Effect.fnUntraced(function* (pack: CreditPack, buyer: ApiKey | Owner) {
  const mails = yield* Mails
  const orders = yield* Orders
  const transaction = yield* Transaction
  const settings = yield* Settings
  const opened = yield* orders.open(pack, buyer, "https://forecast.example/credits")
  const stored = Effect.tap(orders.place(opened), (order) =>
    mails.enqueue(order.owner.email, orderPlaced(order, settings), { kind: "order", id: order.id })
  )
  return yield* transaction.run(stored)
}, Effect.scoped)
