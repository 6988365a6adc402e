import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Grants } from "../credits/Grants.ts"
import { Transaction } from "../database/Transaction.ts"
import { AccessRequests } from "../keys/AccessRequests.ts"
import { type ApiKey, isLive, type Owner } from "../keys/ApiKey.ts"
import { type Actor, AuditLog } from "../keys/AuditLog.ts"
import { LinkUnknown } from "../keys/KeyFailures.ts"
import { type KeyId, KeyRevoked } from "../KeyStatus.ts"
import { hashOf } from "../keys/KeySecrets.ts"
import { newToken, randomBase62 } from "../Randomness.ts"
import { KeyStore } from "../keys/KeyStore.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { Mails } from "../mail/Mails.ts"
import { type CreditPack, showPrice } from "../settings/CreditPack.ts"
import { isTrial, orderingOf } from "../settings/Ordering.ts"
import { Settings } from "../Settings.ts"
import { makeSlots } from "../Limits.ts"
import { cancelledOrder, erasedOrder, oneBusinessDayAfter, type Order } from "./Order.ts"
import { creditsAdded, orderPlaced, paymentDisputed } from "./orderMessages.ts"
import {
  DemoKeyRefused,
  OrderAlreadyFulfilled,
  OrderNotFound,
  OrderRefunded,
  PaymentAlreadyUsed,
  PaymentsUnavailable,
  TooManyUnpaidOrders
} from "./OrderFailures.ts"
import { OrderStore } from "./OrderStore.ts"
import { maxOpeningTime, type PaymentEventOf, Payments } from "./payments/Payments.ts"

/** A payment: its reference, its time (milliseconds UTC), and who confirmed it. */
export interface Payment {
  readonly reference: string
  readonly paidAt: number
  readonly confirmedBy: Actor
}

/** The reasons why an order is not placed. */
export type PlacingFailure = PaymentsUnavailable | DemoKeyRefused | TooManyUnpaidOrders | KeyRevoked

/**
 * Orders of credit packs, from placement to fulfilment. Nothing else changes an order. What takes an order runs in the
 * caller's transaction, in which the order was read.
 */
export class Orders extends Context.Service<
  Orders,
  {
    /**
     * Places an order of the owner of a key, or of an owner without one: opens its payment, then stores it with the email
     * that confirms it and what `answer` writes, all or nothing. Returns what `answer` returns. `returnUrl` is the page to
     * which the buyer returns. A key can have only a few unpaid orders, including those that are being placed. Fails with
     * KeyRevoked if the key was revoked while the payment was opened.
     */
    readonly place: <A, E, R>(
      pack: CreditPack,
      buyer: ApiKey | Owner,
      returnUrl: string,
      answer: (order: Order) => Effect.Effect<A, E, R>
    ) => Effect.Effect<A, E | PlacingFailure, R>
    /**
     * Adds the credits to the order's key, otherwise to the live key of its address, otherwise to a new one, and queues
     * the email about it, with a link that reveals a secret of that key. Callers check the order's state first.
     */
    readonly pay: (order: Order, payment: Payment) => Effect.Effect<Order>
    /**
     * Keeps the payment of an order whose buyer was erased: no key can get the credits, but the refund has to find the
     * order.
     */
    readonly keepPayment: (order: Order, payment: Omit<Payment, "confirmedBy">) => Effect.Effect<void>
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
    /** Cancels an order whose payment has failed or expired, if it awaits payment. */
    readonly failed: (order: Order) => Effect.Effect<void>
    /** Takes back the remaining credits, if they were added. */
    readonly refund: (order: Order, reference: string | undefined) => Effect.Effect<void>
    /** Adds the page of its invoice to an order. */
    readonly invoice: (order: Order, invoiceUrl: string) => Effect.Effect<void>
    /** Sets the state of the latest dispute about an order's payment, and emails the operator about a new one. */
    readonly dispute: (order: Order, dispute: PaymentEventOf<"disputed">) => Effect.Effect<void>
    /** Cancels an order that awaits payment. */
    readonly cancel: (id: string) => Effect.Effect<Order, OrderNotFound | OrderAlreadyFulfilled | OrderRefunded>
    /**
     * Removes a person from their orders, those of the mailbox or of one of the keys, and cancels those that await
     * payment; in the caller's transaction. Returns the orders as they were.
     */
    readonly erase: (mailbox: string, keyIds: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<Order>>
    /**
     * Creates a new path of an order's page, `/orders/{id}/{secret}`, with a secret of 256 random bits that is stored
     * as a hash: anyone with the path can see the order. Earlier ones stay valid.
     */
    readonly makePath: (id: string) => Effect.Effect<Redacted.Redacted>
    /** Finds an order by its ID and a secret. Fails with LinkUnknown if they do not match. */
    readonly findBySecret: (id: string, secret: Redacted.Redacted) => Effect.Effect<Order, LinkUnknown>
    readonly find: (id: string) => Effect.Effect<Order, OrderNotFound>
    /** Finds an order placed with a key. */
    readonly findOf: (keyId: KeyId, id: string) => Effect.Effect<Order, OrderNotFound>
    /** The most recent orders of a key, newest first: those placed with it, and those whose credits it received. */
    readonly listOf: OrderStore["Service"]["listOf"]
    /** The most recent orders, newest first, in one state or all. */
    readonly list: OrderStore["Service"]["list"]
    /** The orders of a person by an address of their mailbox, newest first: for the address, or one of its keys. */
    readonly ofMailbox: (address: string) => Effect.Effect<ReadonlyArray<Order>>
    /** The number of orders that await payment. */
    readonly unpaid: Effect.Effect<number>
    readonly disputed: OrderStore["Service"]["disputed"]
    /** Orders whose email or whose confirmation by hand is overdue: either is due within a business day. */
    readonly overdue: Effect.Effect<ReadonlyArray<Order>>
  }
>()("outreach-forecast/orders/Orders") {
  static readonly layer = Layer.effect(
    Orders,
    Effect.gen(function* () {
      const settings = yield* Settings
      const { holidays, limits } = settings
      const { supportEmail } = settings.contact
      const store = yield* OrderStore
      const keys = yield* KeyStore
      const accessRequests = yield* AccessRequests
      const grants = yield* Grants
      const mails = yield* Mails
      const audit = yield* AuditLog
      const payments = yield* Payments
      const transaction = yield* Transaction
      const random = yield* SecureRandom.SecureRandom

      const { unpaidOrdersPerKey: most } = limits
      const refusal = () => new TooManyUnpaidOrders({ most })
      /** The orders that this process is opening, by key. */
      const opening = makeSlots({ each: most, refusal })

      /** Fails if a key may not have this many orders in addition to the stored ones. */
      const allow = Effect.fnUntraced(function* (keyId: KeyId, more: number) {
        if ((yield* store.countUnpaid(keyId)) + more > most) return yield* refusal()
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

      /** A new order whose payment is open; nothing is stored. */
      const open = Effect.fn("Orders.open")(function* (
        { amount, credits, currency, id: pack }: CreditPack,
        buyer: ApiKey | Owner,
        returnUrl: string
      ) {
        const id = `ord_${yield* randomBase62(random, 16)}`
        const owner = "owner" in buyer ? buyer.owner : buyer
        const { payUrl, sessionId } = yield* openPayment({ id, owner, credits, amount, currency }, returnUrl)
        const createdAt = yield* Clock.currentTimeMillis
        const order: Order = {
          id,
          keyId: "owner" in buyer ? buyer.id : undefined,
          owner,
          pack,
          credits,
          amount,
          currency,
          method: payments.method,
          sessionId,
          payUrl,
          invoiceUrl: undefined,
          state: "awaiting_payment",
          isTrial: false,
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
        return order
      })

      /** Stores a new order with the email that confirms it, unless its key may no longer order. */
      const insert = Effect.fnUntraced(function* (order: Order) {
        const { id, keyId, owner } = order
        if (keyId !== undefined) {
          // The owner may even have been erased since the order was opened.
          const key = yield* keys.findById(keyId)
          if (!Option.exists(key, isLive)) {
            const prefix = Option.match(key, { onNone: () => "", onSome: ({ secretPrefix }) => secretPrefix })
            return yield* new KeyRevoked({ prefix })
          }
          // Other instances may have stored orders in the meantime.
          yield* allow(keyId, 1)
        }
        yield* store.insert(order)
        yield* mails.enqueue(owner.email, orderPlaced(order, settings), { kind: "order", id })
        return order
      })

      const place = Effect.fn("Orders.place")(function* <A, E, R>(
        pack: CreditPack,
        buyer: ApiKey | Owner,
        returnUrl: string,
        answer: (order: Order) => Effect.Effect<A, E, R>
      ) {
        const placed = Effect.flatMap(open(pack, buyer, returnUrl), (order) =>
          transaction.run(Effect.flatMap(insert(order), answer))
        )
        if (!("owner" in buyer)) return yield* placed
        const { id, isDemo } = buyer
        if (isDemo) return yield* new DemoKeyRefused()
        return yield* opening.use(id, () => Effect.andThen(allow(id, opening.of(id)), placed))
      })

      /** The key that gets the credits: the order's own, unless it has been revoked since. */
      const keyOf = Effect.fnUntraced(function* ({ keyId, owner }: Order) {
        const own = keyId === undefined ? Option.none() : yield* keys.findById(keyId)
        return Option.isSome(own) && isLive(own.value) ? own.value : yield* accessRequests.keyFor(owner)
      })

      const pay = Effect.fn("Orders.pay")(function* (order: Order, { confirmedBy, paidAt, reference }: Payment) {
        const key = yield* keyOf(order)
        const isInTrial = order.method === "manual" && isTrial(orderingOf(settings))
        const { remaining } = yield* grants.addPack(key.id, order.credits, `order:${order.id}`)
        const link = yield* accessRequests.newLink(key)
        const message = creditsAdded({
          orderId: order.id,
          // A stranger may have chosen the name in an order for the address of an existing key.
          name: key.state === "usable" ? key.owner.name : undefined,
          credits: order.credits,
          balance: remaining,
          price: isInTrial ? undefined : showPrice(order),
          prefix: key.secretPrefix,
          isUsable: key.state === "usable"
        })
        const fulfilled: Order = {
          ...order,
          state: "fulfilled",
          isTrial: isInTrial,
          reference,
          paidAt,
          fulfilledAt: yield* Clock.currentTimeMillis,
          dueAt: oneBusinessDayAfter(paidAt, holidays),
          mailId: yield* mails.enqueue(order.owner.email, message, { kind: "reveal", id: link.id }),
          creditedKeyId: key.id
        }
        yield* store.update(fulfilled)
        yield* audit.append(key.id, confirmedBy, "credits_bought")
        return fulfilled
      })

      /** Cancels an order if it awaits payment. Returns the order as it is then. */
      const cancelUnpaid = Effect.fnUntraced(function* (order: Order) {
        const cancelled = cancelledOrder(order)
        if (cancelled !== order) yield* store.update(cancelled)
        return cancelled
      })

      const failed = Effect.fn("Orders.failed")(function* (order: Order) {
        if ((yield* cancelUnpaid(order)) !== order) yield* Effect.logInfo("order cancelled")
      })

      const refund = Effect.fn("Orders.refund")(function* (order: Order, reference: string | undefined) {
        const { creditedKeyId } = order
        if (creditedKeyId !== undefined) {
          yield* grants.takeBack(creditedKeyId, order.credits, `refund:${order.id}`)
          yield* audit.append(creditedKeyId, "service", "credits_refunded")
        }
        yield* store.update({ ...order, state: "refunded", reference: order.reference ?? reference })
      })

      const dispute = Effect.fn("Orders.dispute")(function* (order: Order, event: PaymentEventOf<"disputed">) {
        const { disputeId, state } = event
        yield* store.update({ ...order, disputeId, dispute: state })
        if (disputeId === order.disputeId || Option.isNone(supportEmail)) return
        const message = paymentDisputed({ ...event, orderId: order.id, price: showPrice(event) })
        yield* mails.enqueue(supportEmail.value, message)
      })

      const erase = Effect.fn("Orders.erase")(function* (mailbox: string, keyIds: ReadonlyArray<KeyId>) {
        const found = yield* store.findOf(mailbox, keyIds)
        yield* Effect.forEach(found, (order) => store.update(erasedOrder(order)), { discard: true })
        return found
      })

      const makePath = Effect.fn("Orders.makePath")(function* (id: string) {
        const secret = yield* newToken(random)
        yield* store.addSecret(hashOf(secret), id, yield* Clock.currentTimeMillis)
        return Redacted.make(`/orders/${id}/${Redacted.value(secret)}`)
      })

      const findBySecret = Effect.fn("Orders.findBySecret")(function* (id: string, secret: Redacted.Redacted) {
        const order = yield* store.findBySecret(id, hashOf(secret))
        return Option.isSome(order) ? order.value : yield* new LinkUnknown()
      })

      const find = Effect.fn("Orders.find")(function* (id: string) {
        const order = yield* store.find(id)
        return Option.isSome(order) ? order.value : yield* new OrderNotFound()
      })

      const findOf = Effect.fn("Orders.findOf")(function* (keyId: KeyId, id: string) {
        const order = yield* find(id)
        return order.keyId === keyId ? order : yield* new OrderNotFound()
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
        return yield* pay(order, { ...payment, confirmedBy: "operator" })
      }, transaction.run)

      const cancel = Effect.fn("Orders.cancel")(function* (id: string) {
        const order = yield* find(id)
        const { reference = "", state } = order
        if (state === "fulfilled") return yield* new OrderAlreadyFulfilled({ id, reference })
        if (state === "refunded") return yield* new OrderRefunded({ id })
        return yield* cancelUnpaid(order)
      }, transaction.run)

      const ofMailbox = Effect.fn("Orders.ofMailbox")(function* (address: string) {
        const mailbox = mailboxOf(address)
        const keyIds = (yield* keys.findByMailbox(mailbox)).map(({ id }) => id)
        return (yield* store.findOf(mailbox, keyIds)).toSorted((a, b) => b.createdAt - a.createdAt)
      })

      return Orders.of({
        place,
        pay,
        keepPayment: (order, { paidAt, reference }) => store.update({ ...order, reference, paidAt }),
        fulfil,
        failed,
        refund,
        invoice: (order, invoiceUrl) => store.update({ ...order, invoiceUrl }),
        dispute,
        cancel,
        erase,
        makePath,
        findBySecret,
        find,
        findOf,
        listOf: store.listOf,
        list: store.list,
        ofMailbox,
        unpaid: store.countUnpaid(),
        disputed: store.disputed,
        overdue: Effect.flatMap(Clock.currentTimeMillis, store.overdue)
      })
    })
  ).pipe(Layer.provide([AccessRequests.layer, Grants.layer, Mails.layer]))
}
