import { Clock, Effect } from "effect"
import { makeOrderPlacing } from "../../src/orders/orderPlacing.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { mailboxOf } from "../../src/keys/Mailbox.ts"
import { Orders } from "../../src/orders/Orders.ts"
import { PaymentEvents } from "../../src/orders/PaymentEvents.ts"
import type { PaymentEvent } from "../../src/orders/payments/Payments.ts"
import { placeOrder } from "../../test/support/Orders.ts"
import { type Action, holdOver, type Known } from "./Action.ts"
import type { Outside } from "./Outside.ts"
import { owners } from "./People.ts"
import { hold } from "./Steps.ts"
import { pack } from "./World.ts"

/** An order with a key, through the API. A retry gets the stored answer. */
const orderByKey = (outside: Outside, keyId: KeyId, key: string | undefined, isLast = false): Action => {
  const repeatId = key === undefined ? undefined : `${keyId} POST /api/v1/orders ${key}`
  const run = Effect.gen(function* () {
    const found = yield* Effect.result((yield* ApiKeys).find(keyId))
    if (found._tag === "Failure" || found.success.state !== "usable") return
    const placing = yield* makeOrderPlacing
    const result = yield* Effect.result(placing.forKey(pack.id, found.success, key))
    if (repeatId === undefined) return
    if (result._tag === "Failure") return holdOver(repeatId, isLast, result.failure)
    const { answer } = result.success
    hold(outside.answers.get(repeatId)?.answer === answer, `${repeatId} was answered again, with another order`)
  })
  const again = key === undefined || isLast ? [] : [orderByKey(outside, keyId, key, true)]
  return { name: `order ${repeatId ?? keyId}`, repeatId, again, run }
}

/** An order, with a key or by someone without one. */
export const order = (outside: Outside, known: Known | undefined): Action => {
  if (known !== undefined && outside.chance(0.6)) {
    return orderByKey(outside, known.keyId, outside.chance(0.3) ? undefined : `${outside.upTo(2)}`)
  }
  const [first] = owners
  const owner = outside.pick(owners) ?? first
  if (owner === undefined) throw new Error("Nobody orders")
  return {
    name: `order of ${owner.email}`,
    brings: mailboxOf(owner.email),
    run: Effect.result(placeOrder(pack, owner))
  }
}

/** Applies an event of the payment provider; one with another amount must be refused. */
export const deliver = (event: PaymentEvent, isWrong = false): Action => ({
  name: `${event.kind} ${event.id} ${event.orderId}`,
  mayWrite: ["credit_pack", "adjustment"],
  run: Effect.gen(function* () {
    const result = yield* Effect.result((yield* PaymentEvents).apply(event))
    hold(isWrong || result._tag === "Success", `${event.id} was refused`)
  })
})

/** An event of the payment provider, new or redelivered. */
export const webhook = (outside: Outside): Action | undefined => {
  const old = outside.chance(0.4) ? outside.pick(outside.events) : undefined
  if (old !== undefined) return deliver(old)
  const checkout = outside.pick(outside.checkouts)
  if (checkout === undefined) return undefined
  const { amount, currency, id: orderId, sessionId } = checkout
  const id = `evt_${outside.events.length}`
  const drawn = outside.random()
  const reference = outside.chance(0.1) ? `pi_other_${orderId}` : `pi_${orderId}`
  if (drawn < 0.05) {
    return deliver({ id: `${id}_wrong`, orderId, kind: "paid", sessionId, reference, amount: 1, currency, at: 0 }, true)
  }
  const event: PaymentEvent =
    drawn < 0.7
      ? { id, orderId, kind: "paid", sessionId, reference, amount, currency, at: 0 }
      : drawn < 0.8
        ? { id, orderId, kind: "failed", sessionId }
        : { id, orderId, kind: "refunded", reference, isWhole: drawn < 0.95 }
  outside.events.push(event)
  return deliver(event)
}

const anyOrder = (outside: Outside) => outside.pick(outside.checkouts)?.id ?? "ord_none"

/** The operator confirms a payment. */
export const fulfil = (outside: Outside): Action => {
  const orderId = anyOrder(outside)
  const run = Effect.gen(function* () {
    const paidAt = yield* Clock.currentTimeMillis
    yield* Effect.result((yield* Orders).fulfil(orderId, { reference: `bank ${orderId}`, paidAt }))
  })
  return { name: `fulfil ${orderId}`, mayWrite: ["credit_pack"], run }
}

/** The operator cancels an order. */
export const cancel = (outside: Outside): Action => {
  const orderId = anyOrder(outside)
  return { name: `cancel ${orderId}`, run: Effect.flatMap(Orders, ({ cancel }) => Effect.result(cancel(orderId))) }
}
