import { Effect, Schema, SchemaIssue } from "effect"
import { InvalidInput } from "../../input/InvalidInput.ts"
import type { PaymentEvent } from "../../orders/payments/Payments.ts"

/** Text that every database can store. */
export const Text = Schema.String.check(Schema.makeFilter((text) => text.isWellFormed() && !text.includes("\u0000")))

export const Id = Schema.String.check(Schema.isPattern(/^[!-~]{1,255}$/))

/** Seconds since 1970, up to the end of the year 9999. */
const Time = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 253_402_300_799 }))

const Event = Schema.Struct({
  id: Id,
  type: Text,
  created: Time,
  data: Schema.Struct({ object: Schema.Unknown })
})
type Event = typeof Event.Type

/** The metadata that the service gave the object when it was created; that of another product may have anything. */
export const Metadata = Schema.NullOr(Schema.Struct({ order_id: Schema.optionalKey(Text) }))

/** An object, or only its ID. */
const Reference = Schema.Union([Id, Schema.Struct({ id: Id })])

const PaidSession = Schema.Struct({
  id: Id,
  metadata: Metadata,
  payment_status: Text,
  payment_intent: Schema.optionalKey(Schema.NullOr(Reference)),
  amount_total: Schema.NullOr(Schema.Int),
  currency: Schema.NullOr(Text)
})

const EndedSession = Schema.Struct({ id: Id, metadata: Metadata })

const Charge = Schema.Struct({
  metadata: Metadata,
  payment_intent: Schema.NullOr(Reference),
  refunded: Schema.Boolean
})

const StripeDispute = Schema.Struct({
  id: Id,
  payment_intent: Schema.NullOr(Reference),
  status: Text,
  amount: Schema.Int,
  currency: Schema.String.check(Schema.isPattern(/^[a-z]{3}$/)),
  reason: Text,
  evidence_details: Schema.Struct({ due_by: Schema.NullOr(Time) })
})

const Invoice = Schema.Struct({ metadata: Metadata, hosted_invoice_url: Schema.optionalKey(Schema.NullOr(Text)) })

const idOf = (reference: typeof Reference.Type | null | undefined) =>
  typeof reference === "string" ? reference : reference?.id

const issuesOf = SchemaIssue.makeFormatterStandardSchemaV1()

/** The JSON pointers to what is wrong with a value of Stripe, without the value, which may have a buyer's data. */
export const pointersOf = ({ issue }: Schema.SchemaError, pointer = ""): ReadonlyArray<string> =>
  issuesOf(issue).issues.map(({ path = [] }) => [pointer, ...path.map(String)].join("/"))

/** The failure for a message that is no event at all. */
export const notAnEvent = () =>
  new InvalidInput({ errors: [{ pointer: "", code: "wrong_type", message: "must be an event of Stripe" }] })

/** Decodes the part of a message at a pointer. Fails with InvalidInput, which names what Stripe does not send. */
const decode = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S, pointer = "") => {
  const decoded = Schema.decodeUnknownEffect(schema, { errors: "all" })
  return (value: unknown) =>
    Effect.mapError(decoded(value), (error) => {
      const errors = pointersOf(error, pointer).map((pointer) => ({
        pointer,
        code: "wrong_type" as const,
        message: "must be as in an event of Stripe"
      }))
      return errors.some(({ pointer }) => pointer === "") ? notAnEvent() : new InvalidInput({ errors })
    })
}

const decodeEvent = decode(Event)
const decodeObject = <S extends Schema.Top & { readonly DecodingServices: never }>(schema: S) => {
  const decoded = decode(schema, "/data/object")
  return ({ data }: Event) => decoded(data.object)
}
const paidSessionOf = decodeObject(PaidSession)
const endedSessionOf = decodeObject(EndedSession)
const chargeOf = decodeObject(Charge)
const disputeOf = decodeObject(StripeDispute)
const invoiceOf = decodeObject(Invoice)

/** Translates a message of Stripe. Fails with InvalidInput if it is not an event as Stripe sends it. */
export const toPaymentEvent: (message: unknown) => Effect.Effect<PaymentEvent, InvalidInput> = Effect.fn(
  "StripeEvents.toPaymentEvent"
)(function* (message) {
  const event = yield* decodeEvent(message)
  const { id, type } = event
  switch (type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded": {
      const session = yield* paidSessionOf(event)
      const about = { id, orderId: session.metadata?.order_id }
      if (session.payment_status !== "paid")
        return { ...about, kind: "other", type: `${type} (${session.payment_status})` }
      return {
        ...about,
        kind: "paid",
        sessionId: session.id,
        reference: idOf(session.payment_intent) ?? session.id,
        amount: session.amount_total ?? 0,
        currency: (session.currency ?? "").toUpperCase(),
        at: event.created * 1000
      }
    }
    case "checkout.session.async_payment_failed":
    case "checkout.session.expired": {
      const session = yield* endedSessionOf(event)
      return { id, orderId: session.metadata?.order_id, kind: "failed", sessionId: session.id }
    }
    case "charge.refunded": {
      const { metadata, payment_intent, refunded } = yield* chargeOf(event)
      return {
        id,
        orderId: metadata?.order_id,
        kind: "refunded",
        reference: idOf(payment_intent),
        isWhole: refunded
      }
    }
    case "invoice.paid": {
      const { hosted_invoice_url: url, metadata } = yield* invoiceOf(event)
      const about = { id, orderId: metadata?.order_id }
      return url?.startsWith("https://") === true
        ? { ...about, kind: "invoiced", invoiceUrl: url }
        : { ...about, kind: "other", type: `${type} without a page` }
    }
    case "charge.dispute.created":
    case "charge.dispute.closed": {
      const { amount, currency, evidence_details, payment_intent, reason, status, ...dispute } = yield* disputeOf(event)
      return {
        id,
        orderId: undefined,
        kind: "disputed",
        disputeId: dispute.id,
        reference: idOf(payment_intent),
        state: type === "charge.dispute.created" ? "open" : status === "lost" ? "lost" : "won",
        amount,
        currency: currency.toUpperCase(),
        reason,
        answerBy: evidence_details.due_by ? evidence_details.due_by * 1000 : undefined
      }
    }
    default:
      return { id, orderId: undefined, kind: "other", type }
  }
})
