import { Clock, Context, Effect, Layer } from "effect"
import { Ledger } from "../../credits/Ledger.ts"
import { Transaction } from "../../database/Transaction.ts"
import { type ApiKey, erasedOwner, revoked } from "../../keys/ApiKey.ts"
import type { KeyId } from "../../KeyStatus.ts"
import { type Actor, AuditLog } from "../../keys/AuditLog.ts"
import { DemoKeyProtected } from "../../keys/KeyFailures.ts"
import { KeyStore } from "../../keys/KeyStore.ts"
import { mailboxOf } from "../../keys/Mailbox.ts"
import { SubKeyStore } from "../../keys/SubKeyStore.ts"
import { RevealLinks } from "../../keys/RevealLinks.ts"
import { Outbox } from "../../mail/Outbox.ts"
import type { Order } from "../../orders/Order.ts"
import { Orders } from "../../orders/Orders.ts"
import { Payments } from "../../orders/payments/Payments.ts"

/** The number of records from which a person's data was removed. */
export interface Erased {
  readonly keys: number
  readonly orders: number
  readonly mails: number
  /** The number of cancelled orders that can still be paid, because the provider did not close their payments. */
  readonly openPayments: number
}

/** Removes a person's data, and keeps the data for the books: credits, usage, and the amounts of orders. */
export class Erasure extends Context.Service<
  Erasure,
  {
    /**
     * Revokes the key and every other one of its mailbox with their sub-keys, and removes name, address and company
     * from them, from their orders and from the mails to them, the names of the sub-keys, and what an operator wrote
     * about them: notes, and references of adjustments and payments; in one transaction. Orders that await payment are
     * cancelled, and queued emails are not sent. The ledger keeps a hash of the mailbox, so that its preview credits
     * are not granted twice. Then closes the payments of the cancelled orders; if one is paid anyway, the operator must
     * refund it.
     */
    readonly erase: (keyId: KeyId, actor: Actor) => Effect.Effect<Erased, DemoKeyProtected>
  }
>()("outreach-forecast/privacy/Erasure") {
  static readonly layer = Layer.effect(
    Erasure,
    Effect.gen(function* () {
      const keys = yield* KeyStore
      const subKeys = yield* SubKeyStore
      const links = yield* RevealLinks
      const orders = yield* Orders
      const outbox = yield* Outbox
      const payments = yield* Payments
      const audit = yield* AuditLog
      const ledger = yield* Ledger
      const transaction = yield* Transaction

      const eraseKey = Effect.fnUntraced(function* (key: ApiKey, now: number, actor: Actor) {
        yield* keys.deleteSecretsOf(key.id)
        yield* subKeys.eraseOf(key.id, now)
        yield* links.voidAllOf(key.id, now)
        yield* keys.update({ ...revoked(key), owner: erasedOwner(key.id) })
        yield* audit.eraseNotes(key.id)
        yield* ledger.eraseReferences(key.id)
        yield* audit.append(key.id, actor, "erased")
      })

      const eraseAll = Effect.fn("Erasure.eraseAll")(function* (keyId: KeyId, actor: Actor) {
        const key = yield* keys.get(keyId)
        if (key.isDemo) return yield* new DemoKeyProtected()
        const now = yield* Clock.currentTimeMillis
        const mailbox = mailboxOf(key.owner.email)
        const all = (yield* keys.findByMailbox(mailbox)).filter(({ isDemo }) => !isDemo)
        for (const each of all) yield* eraseKey(each, now, actor)
        const placed = yield* orders.erase(
          mailbox,
          all.map(({ id }) => id)
        )
        const addresses = new Set([...all, ...placed].map(({ owner }) => owner.email))
        const mails = yield* outbox.erase([...addresses])
        const payable = placed.filter(({ state }) => state === "awaiting_payment" || state === "cancelled")
        return { erased: { keys: all.length, orders: placed.length, mails }, payable }
      }, transaction.run)

      /** True if the provider's payment of an order is still open. */
      const staysOpen = ({ id, reference, sessionId }: Order) =>
        sessionId === undefined || reference !== undefined
          ? Effect.succeed(false)
          : Effect.match(Effect.annotateLogs(payments.close(sessionId), { order: id }), {
              onFailure: () => true,
              onSuccess: () => false
            })

      const erase = Effect.fn("Erasure.erase")(function* (keyId: KeyId, actor: Actor) {
        const { erased, payable } = yield* eraseAll(keyId, actor)
        // Outside the transaction, which may be retried: a closed payment stays closed.
        const open = yield* Effect.filter(payable, staysOpen)
        return { ...erased, openPayments: open.length }
      })

      return Erasure.of({ erase })
    })
  ).pipe(Layer.provide(Orders.layer))
}
