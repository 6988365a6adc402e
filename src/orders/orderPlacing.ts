import { Effect, Redacted, Schedule, Schema } from "effect"
import type { IdempotentRequest } from "../idempotency/IdempotentAnswers.ts"
import { Idempotency, type IdempotencyInProgress } from "../idempotency/Idempotency.ts"
import type { ApiKey, Owner } from "../keys/ApiKey.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { OrderLinks } from "./OrderLinks.ts"
import { Orders, type PlacedOrder } from "./Orders.ts"
import { OrderAnswer } from "./OrderSchemas.ts"
import { PublicUrl } from "../http/PublicUrl.ts"
import { isFormKey } from "../idempotency/IdempotencyKey.ts"
import { orderAnswer } from "./orderAnswers.ts"
import { makeOrderDecoders, requestOf } from "./orderRequests.ts"
import { RequestLimits } from "../http/limits/RequestLimits.ts"

/** How many orders an address can get in an hour without a key, each with a mail. They do not count as requests for a key. */
const ordersPerHour = 5

const decodeAnswer = Schema.decodeUnknownEffect(Schema.fromJsonString(OrderAnswer))

/** The one place where orders are placed, by the API and by forms. */
export const makeOrderPlacing = Effect.gen(function* () {
  const publicUrl = yield* PublicUrl
  const idempotency = yield* Idempotency
  const limits = yield* RequestLimits
  const links = yield* OrderLinks
  const orders = yield* Orders
  const { packOf } = yield* makeOrderDecoders

  const open = <E = never>(
    pack: string,
    buyer: ApiKey | Owner,
    whenStored: (placed: PlacedOrder) => Effect.Effect<void, E>
  ) => Effect.flatMap(packOf(pack), (found) => orders.place(found, buyer, `${publicUrl}/credits`, whenStored))

  const openForOwner = Effect.fnUntraced(function* <E = never>(
    pack: string,
    owner: Owner,
    whenStored: (placed: PlacedOrder) => Effect.Effect<void, E>
  ) {
    yield* limits.countClient
    yield* limits.count(`order ${mailboxOf(owner.email)}`, ordersPerHour)
    // Without a key there is neither the demo key, nor a revoked one, nor one whose unpaid orders are counted.
    return yield* open(pack, owner, whenStored).pipe(
      Effect.catchTag("DemoKeyRefused", Effect.die),
      Effect.catchTag("KeyRevoked", Effect.die),
      Effect.catchTag("TooManyUnpaidOrders", Effect.die)
    )
  })

  /** Answers an order with the result of `opening`, or with the first answer if it is a retry. */
  const once = <B extends ApiKey | Owner, E, R>(
    request: IdempotentRequest | undefined,
    pack: string,
    buyer: B,
    opening: (
      pack: string,
      buyer: B,
      whenStored: (placed: PlacedOrder) => Effect.Effect<void, IdempotencyInProgress>
    ) => Effect.Effect<PlacedOrder, E, R>
  ) =>
    idempotency.once(request, (keep) => {
      const answerOf = (placed: PlacedOrder) => JSON.stringify(orderAnswer(placed))
      return Effect.map(
        opening(pack, buyer, (placed) => keep(answerOf(placed))),
        answerOf
      )
    })

  const byApi = (key: string | undefined, pack: string, buyer: ApiKey | Owner) =>
    key === undefined ? undefined : requestOf(key, pack, buyer)

  /** A form that is sent twice is one order; one that was changed in between is another, although its key is the same. */
  const byForm = (key: string, pack: string, buyer: ApiKey | Owner) => {
    if (!isFormKey(key)) return undefined
    const request = requestOf(key, pack, buyer)
    return { ...request, key: `form ${key} ${request.fingerprint}` }
  }

  /** The second of two forms waits for the first, and then has the same order. */
  const asPlaced = <E extends { readonly _tag: string }, R>(
    placing: Effect.Effect<{ readonly answer: string }, E, R>
  ) =>
    Effect.gen(function* () {
      const { answer } = yield* Effect.retry(placing, {
        while: ({ _tag }: E) => _tag === "IdempotencyInProgress",
        schedule: Schedule.spaced("100 millis"),
        times: 100
      })
      const { order_id } = yield* Effect.orDie(decodeAnswer(answer))
      return Redacted.value(yield* links.make(order_id))
    })

  return {
    /** An order with a key, answered as JSON. */
    forKey: (pack: string, buyer: ApiKey, idempotencyKey: string | undefined) =>
      once(byApi(idempotencyKey, pack, buyer), pack, buyer, open),
    /** An order without a key, answered as JSON; clients and addresses are limited. */
    forOwner: (pack: string, buyer: Owner, idempotencyKey: string | undefined) =>
      once(byApi(idempotencyKey, pack, buyer), pack, buyer, openForOwner),
    /** Places the order of a form without a key, and returns the path of its page. */
    forFormOfOwner: (pack: string, buyer: Owner, key: string) =>
      asPlaced(once(byForm(key, pack, buyer), pack, buyer, openForOwner)),
    /** Places the order of a form from a user who is signed in with a key, and returns the path of its page. */
    forFormOfKey: (pack: string, buyer: ApiKey, key: string) =>
      asPlaced(once(byForm(key, pack, buyer), pack, buyer, open))
  }
})
