import { Clock, Effect } from "effect"
import { OrderPlacing } from "../../src/orders/OrderPlacingHttp.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import type { KeyId } from "../../src/KeyStatus.ts"
import { mailboxOf } from "../../src/keys/Mailbox.ts"
import { Orders } from "../../src/orders/Orders.ts"
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
    const placing = yield* OrderPlacing
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

const anyOrder = (outside: Outside) => outside.pick(outside.orders) ?? "ord_none"

/** The operator confirms a payment. */
export const fulfil = (outside: Outside): Action => {
  const orderId = anyOrder(outside)
  const run = Effect.gen(function* () {
    const paidAt = yield* Clock.currentTimeMillis
    const result = yield* Effect.result((yield* Orders).fulfil(orderId, { reference: `bank ${orderId}`, paidAt }))
    if (result._tag === "Success") outside.paid.add(orderId)
  })
  return { name: `fulfil ${orderId}`, mayWrite: ["credit_pack"], run }
}

/** The operator cancels an order. */
export const cancel = (outside: Outside): Action => {
  const orderId = anyOrder(outside)
  return { name: `cancel ${orderId}`, run: Effect.flatMap(Orders, ({ cancel }) => Effect.result(cancel(orderId))) }
}
