import { Clock, Context, Effect, Layer, Option } from "effect"
import { SecureRandom } from "effect/crypto"
import { Transaction } from "../database/Transaction.ts"
import { type ApiKey, isLive, type Owner } from "../keys/ApiKey.ts"
import { KeyRevoked } from "../KeyStanding.ts"
import type { KeyId } from "../KeyId.ts"
import * as KeySecret from "../keys/KeySecret.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { Mails } from "../mail/Mails.ts"
import { orderPlaced } from "./messages/orderPlaced.ts"
import { Settings } from "../Settings.ts"
import { oneBusinessDayAfter } from "./BusinessDays.ts"
import { type CreditPack, showPrice } from "../settings/CreditPack.ts"
import { Fulfilment, type Payment } from "./Fulfilment.ts"
import type { Order } from "./Order.ts"
import {
  DemoKeyRefused,
  OrderAlreadyFulfilled,
  OrderNotFound,
  OrderRefunded,
  PaymentAlreadyUsed,
  PaymentsUnavailable,
  type TooManyUnpaidOrders
} from "./OrderFailures.ts"
import { OrderStore } from "./OrderStore.ts"
import { maxOpeningTime, Payments } from "./payments/Payments.ts"
import { paymentInstructions } from "./paymentInstructions.ts"
import { makeUnpaidOrders } from "./unpaidOrders.ts"

/** An order, with payment instructions if it has no payment page. */
export interface PlacedOrder {
  readonly order: Order
  readonly instructions: string | undefined
}

/** Orders of credit packs, from placement to fulfilment. */
export class Orders extends Context.Service<
  Orders,
  {
    /**
     * Places an order for the owner of a key, or for an owner without one. A key can have only a few unpaid orders. The
     * payment is opened first: if that fails with PaymentsUnavailable, nothing is stored. `returnUrl` is the page to
     * which the buyer returns. `whenStored` runs in the transaction that stores the order and queues the mail that
     * confirms it; if it fails, the transaction is rolled back. It fails with KeyRevoked if the key was revoked while
     * the payment was opened.
     */
    readonly place: <E = never>(
      pack: CreditPack,
      buyer: ApiKey | Owner,
      returnUrl: string,
      whenStored?: (placed: PlacedOrder) => Effect.Effect<void, E>
    ) => Effect.Effect<PlacedOrder, PaymentsUnavailable | DemoKeyRefused | KeyRevoked | TooManyUnpaidOrders | E>
    /**
     * Fulfils an order whose payment the operator confirms, even a cancelled one. Repeating the same payment changes
     * nothing; a different one fails with OrderAlreadyFulfilled. A payment already used for another order fails with
     * PaymentAlreadyUsed, unless `isForSeveral`.
     */
    readonly fulfil: (
      id: string,
      payment: Omit<Payment, "confirmedBy">,
      isForSeveral?: boolean
    ) => Effect.Effect<Order, OrderNotFound | OrderAlreadyFulfilled | OrderRefunded | PaymentAlreadyUsed>
    /** Cancels an order that awaits payment. */
    readonly cancel: (id: string) => Effect.Effect<Order, OrderNotFound | OrderAlreadyFulfilled | OrderRefunded>
    readonly find: (id: string) => Effect.Effect<Order, OrderNotFound>
    /** Finds an order placed with a key, with its payment instructions. */
    readonly findOf: (keyId: KeyId, id: string) => Effect.Effect<PlacedOrder, OrderNotFound>
    /** The payment instructions of an order without a payment page; undefined if it has one. */
    readonly instructionsFor: (order: Order) => string | undefined
    /** The most recent orders of a key, newest first: those placed with it, and those whose credits it received. */
    readonly listOf: OrderStore["Service"]["listOf"]
    /** The most recent orders, newest first, in one state or all. */
    readonly list: OrderStore["Service"]["list"]
    /** The orders of a person by an address of their mailbox, newest first: placed with the address, or for one of its keys. */
    readonly ofMailbox: (address: string) => Effect.Effect<ReadonlyArray<Order>>
    /** The number of orders that await payment. */
    readonly unpaid: Effect.Effect<number>
    readonly disputed: OrderStore["Service"]["disputed"]
    /** Orders whose email was not sent within a business day of payment, or whose manual payment was not confirmed within that time. */
    readonly overdue: Effect.Effect<ReadonlyArray<Order>>
  }
>()("outreach-forecast/orders/Orders") {
  static readonly layer = Layer.effect(
    Orders,
    Effect.gen(function* () {
      const { contact, holidays, limits } = yield* Settings
      const keys = yield* KeyStore
      const store = yield* OrderStore
      const payments = yield* Payments
      const mails = yield* Mails
      const fulfilment = yield* Fulfilment
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom
      const unpaid = makeUnpaidOrders(store, limits.unpaidOrdersPerKey)

      /** Fails if the key was revoked: the caller's record may be out of date, and the owner may even have been erased since. */
      const assertLive = Effect.fnUntraced(function* ({ id, secretPrefix: prefix }: ApiKey) {
        if (!Option.exists(yield* keys.findById(id), isLive)) return yield* new KeyRevoked({ prefix })
      })

      /** Opens a payment, and gives up after the time for that. */
      const openPayment: Payments["Service"]["open"] = (order, returnUrl) =>
        Effect.timeoutOrElse(payments.open(order, returnUrl), {
          duration: maxOpeningTime,
          orElse: () =>
            Effect.andThen(
              Effect.annotateLogs(Effect.logError("payment not opened"), { reason: "the provider did not answer" }),
              Effect.fail(new PaymentsUnavailable())
            )
        })

      const open = Effect.fnUntraced(function* <E>(
        pack: CreditPack,
        buyer: ApiKey | Owner,
        returnUrl: string,
        whenStored: (placed: PlacedOrder) => Effect.Effect<void, E>
      ) {
        const key = "owner" in buyer ? buyer : undefined
        const id = `ord_${yield* Effect.provideService(KeySecret.randomBase62(16), SecureRandom.SecureRandom, random)}`
        const owner = "owner" in buyer ? buyer.owner : buyer
        const { amount, credits, currency } = pack
        const { payUrl, sessionId } = yield* openPayment({ id, owner, credits, amount, currency }, returnUrl)
        const createdAt = yield* Clock.currentTimeMillis
        const order: Order = {
          id,
          keyId: key?.id,
          owner,
          pack: pack.id,
          credits,
          amount,
          currency,
          method: payments.method,
          sessionId,
          payUrl,
          invoiceUrl: undefined,
          state: "awaiting_payment",
          reference: undefined,
          createdAt,
          paidAt: undefined,
          fulfilledAt: undefined,
          dueAt: payments.method === "manual" ? oneBusinessDayAfter(createdAt, holidays) : undefined,
          mailId: undefined,
          creditedKeyId: undefined,
          disputeId: undefined,
          dispute: undefined
        }
        const placed: PlacedOrder = { order, instructions: paymentInstructions(order, contact) }
        const stored = Effect.gen(function* () {
          yield* store.insert(order)
          yield* mails.enqueue(
            owner.email,
            orderPlaced({ ...placed, name: key?.owner.name, id, credits, price: showPrice(pack) }),
            id
          )
          yield* whenStored(placed)
        })
        yield* transaction.run(
          key === undefined
            ? stored
            : assertLive(key).pipe(Effect.andThen(unpaid.allowOne(key.id)), Effect.andThen(stored))
        )
        return placed
      })

      const place = Effect.fn("Orders.place")(function* <E = never>(
        pack: CreditPack,
        buyer: ApiKey | Owner,
        returnUrl: string,
        whenStored: (placed: PlacedOrder) => Effect.Effect<void, E> = () => Effect.void
      ) {
        const placed = open(pack, buyer, returnUrl, whenStored)
        if (!("owner" in buyer)) return yield* placed
        if (buyer.isDemo) return yield* new DemoKeyRefused()
        return yield* unpaid.within(buyer.id, placed)
      })

      const find = Effect.fn("Orders.find")(function* (id: string) {
        const order = yield* store.find(id)
        return Option.isSome(order) ? order.value : yield* new OrderNotFound({ id })
      })

      const findOf = Effect.fn("Orders.findOf")(function* (keyId: KeyId, id: string) {
        const order = yield* find(id)
        if (order.keyId !== keyId) return yield* new OrderNotFound({ id })
        return { order, instructions: paymentInstructions(order, contact) }
      })

      const fulfil = Effect.fn("Orders.fulfil")(function* (
        id: string,
        payment: Omit<Payment, "confirmedBy">,
        isForSeveral = false
      ) {
        const order = yield* find(id)
        const { reference = "" } = order
        if (order.state === "refunded") return yield* new OrderRefunded({ id })
        if (order.state === "fulfilled") {
          return reference === payment.reference ? order : yield* new OrderAlreadyFulfilled({ id, reference })
        }
        const other = isForSeveral ? undefined : (yield* store.paidBy(payment.reference)).find((paid) => paid.id !== id)
        if (other !== undefined) {
          return yield* new PaymentAlreadyUsed({ reference: payment.reference, orderId: other.id })
        }
        return yield* fulfilment.pay(order, { ...payment, confirmedBy: "operator" })
      }, transaction.run)

      const cancel = Effect.fn("Orders.cancel")(function* (id: string) {
        const order = yield* find(id)
        const { reference = "", state } = order
        if (state === "fulfilled") return yield* new OrderAlreadyFulfilled({ id, reference })
        if (state === "refunded") return yield* new OrderRefunded({ id })
        const cancelled: Order = { ...order, state: "cancelled" }
        yield* store.update(cancelled)
        return cancelled
      }, transaction.run)

      const ofMailbox = Effect.fn("Orders.ofMailbox")(function* (address: string) {
        const mailbox = mailboxOf(address)
        const keyIds = (yield* keys.findByMailbox(mailbox)).map(({ id }) => id)
        return (yield* store.findOf(mailbox, keyIds)).toSorted((a, b) => b.createdAt - a.createdAt)
      })

      return Orders.of({
        place,
        fulfil,
        cancel,
        find,
        findOf,
        instructionsFor: (order) => paymentInstructions(order, contact),
        listOf: store.listOf,
        list: store.list,
        ofMailbox,
        unpaid: store.countUnpaid(),
        disputed: store.disputed,
        overdue: Effect.flatMap(Clock.currentTimeMillis, store.overdue)
      })
    })
  )
}
