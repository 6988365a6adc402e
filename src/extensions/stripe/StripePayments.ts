import { Clock, Effect, Layer, Option, Redacted, Schema } from "effect"
import { Settings } from "../../Settings.ts"
import type { StripeAccount } from "../../settings/Ordering.ts"
import { InvalidSignature, PaymentsUnavailable } from "../../orders/OrderFailures.ts"
import { maxOpeningTime, type PaymentEvent, Payments } from "../../orders/payments/Payments.ts"
import { Id, Metadata, notAnEvent, pointersOf, Text, toPaymentEvent } from "./StripeEvents.ts"

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

// The parts of responses that are used; the library checks none of them.
const OpenedSession = Schema.Struct({ id: Id, url: Text })
const ExpiredSession = Schema.Struct({ status: Schema.Literal("expired") })
const FoundSessions = Schema.Struct({
  data: Schema.Array(Schema.Struct({ metadata: Schema.optionalKey(Metadata) }))
})

/** Loading the library takes 60 ms, so it is loaded only if Stripe is used. */
const loadStripe = Effect.promise(() => import("stripe"))

const make = Effect.fnUntraced(function* (account: StripeAccount, url?: string) {
  const { Stripe } = yield* loadStripe
  const base = url === undefined ? undefined : new URL(url)
  const stripe = new Stripe(Redacted.value(account.secretKey), {
    timeout,
    maxNetworkRetries: attempts - 1,
    telemetry: false,
    ...(base === undefined ? {} : { protocol: "http", host: base.hostname, port: base.port })
  })

  const { sessions } = stripe.checkout

  /** The reason of a failure, for the log, without the key, which Stripe may quote. */
  const reasonOf = (error: unknown) => {
    // The message of a failed connection names no cause.
    const cause =
      error instanceof Stripe.errors.StripeError && error.detail instanceof Error ? error.detail.message : ""
    return `${String(error)} ${cause}`
      .trimEnd()
      .replaceAll(Redacted.value(account.secretKey), "(the secret key)")
      .slice(0, 500)
  }

  /** Calls Stripe, and decodes its response. Fails with the reason for the log. */
  const ask = <A>(response: Schema.Decoder<A>, call: () => Promise<unknown>) =>
    Effect.tryPromise({ try: call, catch: reasonOf }).pipe(
      Effect.flatMap((answer) =>
        Effect.mapError(
          Schema.decodeUnknownEffect(response)(answer, { errors: "all" }),
          (error) => `The response of Stripe is not as expected at ${pointersOf(error).join(", ") || "its root"}`
        )
      )
    )

  /** Logs a failed call to Stripe. */
  const orUnavailable =
    (event: string) =>
    <A>(effect: Effect.Effect<A, string>) =>
      Effect.catch(effect, (reason) =>
        Effect.andThen(Effect.annotateLogs(Effect.logError(event), { reason }), Effect.fail(new PaymentsUnavailable()))
      )

  const open: Payments["Service"]["open"] = Effect.fn("Payments.open")(function* (order, returnUrl) {
    const { id, url } = yield* ask(OpenedSession, () =>
      sessions.create(
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
    return { sessionId: id, payUrl: url }
  })

  const close: Payments["Service"]["close"] = Effect.fn("Payments.close")((sessionId) =>
    ask(Schema.Unknown, () => sessions.expire(sessionId)).pipe(
      // Stripe also refuses to expire a session that has expired by itself.
      Effect.catch((reason) =>
        Effect.mapError(
          ask(ExpiredSession, () => sessions.retrieve(sessionId)),
          () => reason
        )
      ),
      orUnavailable("payment not closed"),
      Effect.asVoid
    )
  )

  /** A dispute names only its payment, and may arrive before the event that names the payment of the order. */
  const withOrder = Effect.fnUntraced(function* (event: PaymentEvent) {
    if (event.kind !== "disputed" || event.reference === undefined) return event
    const { reference } = event
    const { data } = yield* ask(FoundSessions, () => sessions.list({ payment_intent: reference, limit: 1 })).pipe(
      orUnavailable("dispute not matched to its order")
    )
    return { ...event, orderId: data[0]?.metadata?.order_id }
  })

  const readEvent = Effect.fn("Payments.readEvent")(function* (body: string, signature: string) {
    if (signature === "") return yield* new InvalidSignature({ reason: "missing" })
    const receivedAt = yield* Clock.currentTimeMillis
    const secret = Redacted.value(account.webhookSecret)
    const message = yield* Effect.try({
      try: (): unknown =>
        stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, receivedAt),
      catch: (error) => {
        if (!(error instanceof Stripe.errors.StripeSignatureVerificationError)) return notAnEvent()
        // The library distinguishes the two only in its message.
        return new InvalidSignature({ reason: String(error).includes("Timestamp") ? "too_old" : "mismatch" })
      }
    })
    if (!(timeOf(signature) <= receivedAt / 1000 + toleranceSeconds))
      return yield* new InvalidSignature({ reason: "from_future" })
    return yield* withOrder(yield* toPaymentEvent(message))
  })

  return Payments.of({ method: "stripe", open, close, readEvent: Option.some(readEvent) })
})

/**
 * Payments by Stripe Checkout. An event is accepted if it is signed with the webhook's secret and its time is close to
 * the clock. `url` replaces the address of Stripe's API in tests.
 */
export const layer = (account: StripeAccount, url?: string) => Layer.effect(Payments, make(account, url))

/** The same if its secrets are set; otherwise the operator confirms payments. */
export const layerConfigured = Layer.unwrap(
  Effect.map(Settings, ({ stripe }) => Option.match(stripe, { onNone: () => Payments.layerManual, onSome: layer }))
)
