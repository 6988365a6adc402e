import { hash } from "node:crypto"
import { Effect, Option, Redacted, Schedule, Schema } from "effect"
import type { IdempotentRequest } from "../idempotency/IdempotentAnswers.ts"
import { Idempotency, type IdempotencyInProgress, isFormKey } from "../idempotency/Idempotency.ts"
import { type ApiKey, Owner } from "../keys/ApiKey.ts"
import { mailboxOf } from "../keys/Mailbox.ts"
import { OrderInPlacing } from "./OrderFailures.ts"
import { OrderLinks } from "./OrderLinks.ts"
import { Orders, type PlacedOrder } from "./Orders.ts"
import { maxOpeningTime } from "./payments/Payments.ts"
import { OrderAnswer } from "./OrderSchemas.ts"
import { PublicUrl } from "../http/PublicUrl.ts"
import { orderAnswer } from "./orderAnswers.ts"
import { RequestLimits } from "../http/limits/RequestLimits.ts"
import { decodeFields } from "../input/decodeFields.ts"
import { Settings } from "../Settings.ts"

/** A field that is not allowed with a key. */
const impliedByKey = Schema.optionalKey(
  Schema.Unknown.check(
    Schema.makeFilter(() => false, {
      code: "unknown_field",
      message: "must be left out: the key identifies the buyer"
    })
  )
)

/** Creates decoders of orders of existing packs, with and without a key. */
export const makeOrderDecoders = Effect.map(Settings, ({ creditPacks }) => {
  const byId = new Map(creditPacks.map((pack) => [pack.id, pack]))
  const pack = Schema.String.check(
    Schema.makeFilter((id) => byId.has(id), {
      code: "out_of_range",
      message: `must be one of ${[...byId.keys()].join(", ")}`
    })
  )
  return {
    packOf: (id: string) => Effect.fromOption(Option.fromUndefinedOr(byId.get(id))).pipe(Effect.orDie),
    ofKey: decodeFields(Schema.Struct({ pack, name: impliedByKey, email: impliedByKey, company: impliedByKey })),
    ofOwner: decodeFields(Schema.Struct({ pack, ...Owner.fields }))
  }
})

/** Identifies a retried order: its fingerprint covers the pack and the buyer. */
export const requestOf = (key: string, pack: string, buyer: ApiKey | Owner): IdempotentRequest => {
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

/** The most orders per address and hour without a key, each of which sends an email. They do not count as access requests. */
const ordersPerHour = 5

/** The most time that a form waits for an identical one, in milliseconds: longer than opening its payment and storing it take. */
const maxWait = maxOpeningTime + 4000

const decodeAnswer = Schema.decodeUnknownEffect(Schema.fromJsonString(OrderAnswer))

/** Places orders, for the API and for forms. */
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
    return yield* open(pack, owner, whenStored)
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

  /** A form sent twice is one order; if it was changed in between, it is another order in spite of the same key. */
  const byForm = (key: string, pack: string, buyer: ApiKey | Owner) => {
    if (!isFormKey(key)) return undefined
    const request = requestOf(key, pack, buyer)
    return { ...request, key: `form ${key} ${request.fingerprint}` }
  }

  /** Waits for the first of two identical forms, and returns the same order. Fails with OrderInPlacing after `maxWait`. */
  const asPlaced = <E extends { readonly _tag: string }, R>(
    placing: Effect.Effect<{ readonly answer: string }, E | IdempotencyInProgress, R>
  ) =>
    Effect.gen(function* () {
      const { answer } = yield* Effect.retry(placing, {
        while: ({ _tag }) => _tag === "IdempotencyInProgress",
        schedule: Schedule.upTo(Schedule.spaced("100 millis"), { duration: maxWait })
      }).pipe(Effect.catchTag("IdempotencyInProgress", () => new OrderInPlacing()))
      const { order_id } = yield* Effect.orDie(decodeAnswer(answer))
      return Redacted.value(yield* links.make(order_id))
    })

  return {
    /** Places an order with a key; the answer is JSON. */
    forKey: (pack: string, buyer: ApiKey, idempotencyKey: string | undefined) =>
      once(byApi(idempotencyKey, pack, buyer), pack, buyer, open),
    /** Places an order without a key, within the limits of clients and addresses; the answer is JSON. */
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
