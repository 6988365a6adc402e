import { hash } from "node:crypto"
import { Effect, Redacted, Schema } from "effect"
import { PublicUrl } from "../http/RequestState.ts"
import { makeKeylessLimits } from "../http/KeylessMails.ts"
import {
  Idempotency,
  type IdempotencyInProgress,
  isFormKey,
  type Keep,
  untilAnswered
} from "../idempotency/Idempotency.ts"
import type { IdempotentRequest } from "../idempotency/IdempotentAnswers.ts"
import type { ApiKey, Owner } from "../keys/ApiKey.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { Settings } from "../Settings.ts"
import { orderAnswer, OrderAnswerJson } from "./OrderAnswer.ts"
import { OrderInPlacing } from "./OrderFailures.ts"
import { makeOrderDecoders } from "./OrderRequest.ts"
import { Orders } from "./Orders.ts"

/** Identifies a retried order: its fingerprint covers the pack and the buyer. */
const requestOf = (key: string, pack: string, buyer: ApiKey | Owner): IdempotentRequest => {
  const { company, email: typed, name } = "owner" in buyer ? buyer.owner : buyer
  const email = typed.toLowerCase()
  return {
    // The stored answer outlives an erased person by a day, so it must not name them.
    scope: "owner" in buyer ? buyer.id : hash("sha256", email, "base64url"),
    operation: "POST /api/v1/orders",
    key,
    fingerprint: hash("sha256", JSON.stringify([pack, name, email, company]), "base64url")
  }
}

/** The most orders per address and hour without a key; each sends an email. Access requests count by themselves. */
const ordersPerHour = 5

const decodeAnswer = Schema.decodeEffect(OrderAnswerJson)
const encodeAnswer = Schema.encodeEffect(OrderAnswerJson)

/** Places orders, for the API and for forms. */
export const makeOrderPlacing = Effect.gen(function* () {
  const settings = yield* Settings
  const publicUrl = yield* PublicUrl
  const idempotency = yield* Idempotency
  const { countMail } = yield* makeKeylessLimits
  const orders = yield* Orders
  const { packOf } = yield* makeOrderDecoders

  const place = Effect.fnUntraced(function* (pack: string, buyer: ApiKey | Owner, keep: Keep) {
    return yield* orders.place(yield* packOf(pack), buyer, `${publicUrl}/credits`, (order) =>
      Effect.tap(Effect.orDie(encodeAnswer(orderAnswer(order, settings))), keep)
    )
  })

  const placeForOwner = Effect.fnUntraced(function* (pack: string, owner: Owner, keep: Keep) {
    yield* countMail(`order ${mailboxOf(owner.email)}`, ordersPerHour)
    return yield* place(pack, owner, keep)
  })

  const byApi = (key: string | undefined, pack: string, buyer: ApiKey | Owner) =>
    key === undefined ? undefined : requestOf(key, pack, buyer)

  /** A form sent twice is one order; if it was changed in between, it is another order in spite of the same key. */
  const byForm = (key: string, pack: string, buyer: ApiKey | Owner) => {
    if (!isFormKey(key)) return undefined
    const request = requestOf(key, pack, buyer)
    return { ...request, key: `form ${key} ${request.fingerprint}` }
  }

  /** The path of the page of an order that is placed: of two identical forms, both get that of the first. */
  const asPlaced = <E extends { readonly _tag: string }, R>(
    placing: Effect.Effect<{ readonly answer: string }, E | IdempotencyInProgress, R>
  ) =>
    Effect.gen(function* () {
      const { answer } = yield* untilAnswered(placing).pipe(
        Effect.catchTag("IdempotencyInProgress", () => new OrderInPlacing())
      )
      const { order_id } = yield* Effect.orDie(decodeAnswer(answer))
      return Redacted.value(yield* orders.makePath(order_id))
    })

  /** Places an order with a key. A retry gets the first answer again. */
  const forKey = (request: IdempotentRequest | undefined, pack: string, buyer: ApiKey) =>
    idempotency.once(request, (keep) => place(pack, buyer, keep))

  /** The same without a key, within the limits of clients and addresses. */
  const forOwner = (request: IdempotentRequest | undefined, pack: string, buyer: Owner) =>
    idempotency.once(request, (keep) => placeForOwner(pack, buyer, keep))

  return {
    /** Places an order with a key; the answer is JSON. */
    forKey: (pack: string, buyer: ApiKey, idempotencyKey: string | undefined) =>
      forKey(byApi(idempotencyKey, pack, buyer), pack, buyer),
    /** Places an order without a key; the answer is JSON. */
    forOwner: (pack: string, buyer: Owner, idempotencyKey: string | undefined) =>
      forOwner(byApi(idempotencyKey, pack, buyer), pack, buyer),
    /** Places the order of a form without a key, and returns the path of its page. */
    forFormOfOwner: (pack: string, buyer: Owner, key: string) =>
      asPlaced(forOwner(byForm(key, pack, buyer), pack, buyer)),
    /** Places the order of a form from a user who is signed in with a key, and returns the path of its page. */
    forFormOfKey: (pack: string, buyer: ApiKey, key: string) => asPlaced(forKey(byForm(key, pack, buyer), pack, buyer))
  }
})
