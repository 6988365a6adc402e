import { type Cause, Clock, Effect, Layer, Option, Redacted } from "effect"
import type { Stripe } from "stripe"
import type { StripeAccount } from "../../settings/StripeAccount.ts"
import { InvalidInput } from "../../input/InvalidInput.ts"
import { InvalidSignature, PaymentsUnavailable } from "../OrderFailures.ts"
import { maxOpeningTime, type PaymentEvent, Payments } from "./Payments.ts"

/** The attempts at a call to Stripe, and the most time between two of them, in milliseconds. */
const attempts = 2
const pause = 1000

/** The timeout of an attempt, in milliseconds: all of them fit into the time for opening a payment. */
const timeout = (maxOpeningTime - (attempts - 1) * pause) / attempts

/** The allowed difference between the time of an event's signature and the clock. */
const toleranceSeconds = 300

/** The time of a signature in seconds, parsed as by the library, which refuses only old ones. */
const timeOf = (signature: string) =>
  Number.parseInt(
    signature
      .split(",")
      .findLast((item) => item.startsWith("t="))
      ?.slice(2) ?? "",
    10
  )

/** Loading the library takes 60 ms, so it is loaded only if Stripe is used. */
const loadStripe = Effect.promise(() => import("stripe"))

const idOf = (object: string | { readonly id: string } | null) => (typeof object === "string" ? object : object?.id)

/** Translates an event of Stripe. */
const toPaymentEvent = (event: Stripe.Event): PaymentEvent => {
  switch (event.type) {
    case "checkout.session.completed":
    case "checkout.session.async_payment_succeeded": {
      const { amount_total, currency, id, metadata, payment_intent, payment_status } = event.data.object
      const about = { id: event.id, orderId: metadata?.["order_id"] }
      if (payment_status !== "paid") return { ...about, kind: "other", type: `${event.type} (${payment_status})` }
      return {
        ...about,
        kind: "paid",
        sessionId: id,
        reference: idOf(payment_intent) ?? id,
        amount: amount_total ?? 0,
        currency: (currency ?? "").toUpperCase(),
        at: event.created * 1000
      }
    }
    case "checkout.session.async_payment_failed":
    case "checkout.session.expired": {
      const { id, metadata } = event.data.object
      return { id: event.id, orderId: metadata?.["order_id"], kind: "failed", sessionId: id }
    }
    case "charge.refunded": {
      const { metadata, payment_intent, refunded } = event.data.object
      return {
        id: event.id,
        orderId: metadata["order_id"],
        kind: "refunded",
        reference: idOf(payment_intent),
        isWhole: refunded
      }
    }
    case "invoice.paid": {
      const { hosted_invoice_url: url, metadata } = event.data.object
      const about = { id: event.id, orderId: metadata?.["order_id"] }
      return url?.startsWith("https://") === true
        ? { ...about, kind: "invoiced", invoiceUrl: url }
        : { ...about, kind: "other", type: `${event.type} without a page` }
    }
    default:
      return { id: event.id, orderId: undefined, kind: "other", type: event.type }
  }
}

const notAnEvent = () =>
  new InvalidInput({ errors: [{ pointer: "", code: "wrong_type", message: "must be an event of Stripe" }] })

const make = Effect.fnUntraced(function* (account: StripeAccount, url?: string) {
  const { Stripe } = yield* loadStripe
  const base = url === undefined ? undefined : new URL(url)
  const stripe = new Stripe(Redacted.value(account.secretKey), {
    timeout,
    maxNetworkRetries: attempts - 1,
    telemetry: false,
    ...(base === undefined ? {} : { protocol: "http", host: base.hostname, port: base.port })
  })

  /** The reason of a failure, for the log, without the key, which Stripe may quote. */
  const reasonOf = (error: unknown) =>
    String(error).replaceAll(Redacted.value(account.secretKey), "(the secret key)").slice(0, 500)

  /** Logs a failed call to Stripe. */
  const orUnavailable =
    (event: string) =>
    <A>(effect: Effect.Effect<A, Cause.UnknownError>) =>
      Effect.catch(effect, ({ cause }) =>
        Effect.andThen(
          Effect.annotateLogs(Effect.logError(event), { reason: reasonOf(cause) }),
          Effect.fail(new PaymentsUnavailable())
        )
      )

  const open: Payments["Service"]["open"] = Effect.fn("Payments.open")(function* (order, returnUrl) {
    const { id, url } = yield* Effect.tryPromise(() =>
      stripe.checkout.sessions.create(
        {
          mode: "payment",
          client_reference_id: order.id,
          customer_email: order.owner.email,
          line_items: [
            {
              quantity: 1,
              price_data: {
                currency: order.currency.toLowerCase(),
                unit_amount: order.amount,
                product_data: { name: `${order.credits} forecast credits` }
              }
            }
          ],
          metadata: { order_id: order.id },
          payment_intent_data: { metadata: { order_id: order.id } },
          invoice_creation: { enabled: true, invoice_data: { metadata: { order_id: order.id } } },
          success_url: `${returnUrl}?payment=done`,
          cancel_url: `${returnUrl}?payment=cancelled`
        },
        { idempotencyKey: order.id }
      )
    ).pipe(orUnavailable("payment not opened"))
    return { sessionId: id, payUrl: url ?? undefined }
  })

  const close: Payments["Service"]["close"] = Effect.fn("Payments.close")((sessionId) =>
    Effect.tryPromise(() =>
      stripe.checkout.sessions.expire(sessionId).catch(async (error: unknown) => {
        // Stripe also refuses to expire a session that has expired by itself.
        const { status } = await stripe.checkout.sessions.retrieve(sessionId)
        if (status !== "expired") throw error
      })
    ).pipe(orUnavailable("payment not closed"), Effect.asVoid)
  )

  const readEvent = Effect.fn("Payments.readEvent")(function* (body: string, signature: string) {
    if (signature === "") return yield* new InvalidSignature({ reason: "missing" })
    const receivedAt = yield* Clock.currentTimeMillis
    const secret = Redacted.value(account.webhookSecret)
    const event = yield* Effect.try({
      try: () => stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, receivedAt),
      catch: (error) => {
        if (error instanceof SyntaxError) return notAnEvent()
        // The library distinguishes the two only in its message.
        return new InvalidSignature({ reason: String(error).includes("Timestamp") ? "too_old" : "mismatch" })
      }
    })
    if (!(timeOf(signature) <= receivedAt / 1000 + toleranceSeconds))
      return yield* new InvalidSignature({ reason: "from_future" })
    // The library declares the type of the event but does not validate it.
    return yield* Effect.try({ try: () => toPaymentEvent(event), catch: notAnEvent })
  })

  return Payments.of({ method: "stripe", open, close, readEvent: Option.some(readEvent) })
})

/**
 * Payments by Stripe Checkout. An event is accepted if it is signed with the webhook's secret and its time is close to the clock. `url` replaces
 * the address of Stripe's API in tests.
 */
export const layer = (account: StripeAccount, url?: string) => Layer.effect(Payments, make(account, url))
