import { hash } from "node:crypto"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import type { HttpServerRequest } from "effect/http"
import { PublicUrl } from "../http/RequestState.ts"
import { KeylessLimits } from "../http/KeylessLimits.ts"
import {
  Idempotency,
  type IdempotencyInProgress,
  type IdempotencyMismatch,
  isFormKey,
  type Keep
} from "../idempotency/Idempotency.ts"
import type { IdempotentRequest } from "../idempotency/IdempotentAnswers.ts"
import type { ApiKey, Owner } from "../keys/ApiKey.ts"
import type { InvalidInput } from "../input/InvalidInput.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import type { RateLimited } from "../Limits.ts"
import { Settings } from "../Settings.ts"
import { orderAnswer, OrderAnswerJson } from "./OrderAnswer.ts"
import { OrderInPlacing } from "./OrderFailures.ts"
import { OrderDecoders } from "./OrderRequest.ts"
import { Orders, type PlacingFailure } from "./Orders.ts"

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

/** The answer to an order, as JSON. */
interface PlacedOrder {
  readonly answer: string
  readonly isReplay: boolean
}

type Failure = PlacingFailure | InvalidInput | IdempotencyMismatch
type FailureWithoutKey = Failure | RateLimited

/** Places orders, for the API and for forms. A retry gets the first answer again. */
export class OrderPlacing extends Context.Service<
  OrderPlacing,
  {
    /** Places an order with a key. */
    readonly forKey: (
      pack: string,
      buyer: ApiKey,
      idempotencyKey: string | undefined
    ) => Effect.Effect<PlacedOrder, Failure | IdempotencyInProgress>
    /** Places an order without a key, within the limits of clients and addresses. */
    readonly forOwner: (
      pack: string,
      buyer: Owner,
      idempotencyKey: string | undefined
    ) => Effect.Effect<PlacedOrder, FailureWithoutKey | IdempotencyInProgress, HttpServerRequest.HttpServerRequest>
    /** Places the order of a form from a user who is signed in with a key, and returns the path of its page. */
    readonly forFormOfKey: (pack: string, buyer: ApiKey, key: string) => Effect.Effect<string, Failure | OrderInPlacing>
    /** Places the order of a form without a key, and returns the path of its page. */
    readonly forFormOfOwner: (
      pack: string,
      buyer: Owner,
      key: string
    ) => Effect.Effect<string, FailureWithoutKey | OrderInPlacing, HttpServerRequest.HttpServerRequest>
  }
>()("outreach-forecast/orders/OrderPlacing") {
  static readonly layer = Layer.effect(
    OrderPlacing,
    Effect.gen(function* () {
      const settings = yield* Settings
      const publicUrl = yield* PublicUrl
      const idempotency = yield* Idempotency
      const keylessLimits = yield* KeylessLimits
      const orders = yield* Orders
      const { packOf } = yield* OrderDecoders

      const place = Effect.fnUntraced(function* (pack: string, buyer: ApiKey | Owner, keep: Keep) {
        return yield* orders.place(yield* packOf(pack), buyer, `${publicUrl}/credits`, (order) =>
          Effect.tap(Effect.orDie(encodeAnswer(orderAnswer(order, settings))), keep)
        )
      })

      const placeForOwner = Effect.fnUntraced(function* (pack: string, owner: Owner, keep: Keep) {
        yield* keylessLimits.mail(`order ${mailboxOf(owner.email)}`, ordersPerHour)
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
        request: IdempotentRequest | undefined,
        run: (keep: Keep) => Effect.Effect<string, E, R>
      ) =>
        Effect.gen(function* () {
          const { answer } = yield* idempotency
            .untilAnswered(request, idempotency.once(request, run))
            .pipe(Effect.catchTag("IdempotencyInProgress", () => new OrderInPlacing()))
          const { order_id } = yield* Effect.orDie(decodeAnswer(answer))
          return Redacted.value(yield* orders.makePath(order_id))
        })

      return OrderPlacing.of({
        forKey: (pack, buyer, key) => idempotency.once(byApi(key, pack, buyer), (keep) => place(pack, buyer, keep)),
        forOwner: (pack, buyer, key) =>
          idempotency.once(byApi(key, pack, buyer), (keep) => placeForOwner(pack, buyer, keep)),
        forFormOfKey: (pack, buyer, key) => asPlaced(byForm(key, pack, buyer), (keep) => place(pack, buyer, keep)),
        forFormOfOwner: (pack, buyer, key) =>
          asPlaced(byForm(key, pack, buyer), (keep) => placeForOwner(pack, buyer, keep))
      })
    })
  ).pipe(Layer.provide([OrderDecoders.layer, KeylessLimits.layer]))
}
