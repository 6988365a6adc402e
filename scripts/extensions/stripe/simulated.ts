import { Effect, Layer } from "effect"
import { PaymentsUnavailable } from "../../../src/orders/OrderFailures.ts"
import { PaymentEvents } from "../../../src/orders/PaymentEvents.ts"
import { type PaymentEvent, Payments } from "../../../src/orders/payments/Payments.ts"
import type { Action } from "../../simulate/Action.ts"
import type { Outside } from "../../simulate/Outside.ts"
import type { Part, SimulatedExtension } from "../../simulate/Part.ts"
import { hold, type Steps } from "../../simulate/Steps.ts"

/** An order as the payment provider knows it; the service may never have stored it. */
interface Checkout {
  readonly id: string
  readonly sessionId: string
  readonly amount: number
  readonly currency: string
}

/** A payment provider that may be down. */
const provider = (outside: Outside, steps: Steps, checkouts: Array<Checkout>) =>
  Layer.effect(
    Payments,
    Effect.map(Payments, (manual) => ({
      ...manual,
      method: "stripe" as const,
      open: Effect.fnUntraced(function* ({ amount, currency, id }: Parameters<Payments["Service"]["open"]>[0]) {
        yield* steps.step("Payments.open")
        if (outside.chance(0.1)) return yield* new PaymentsUnavailable()
        const sessionId = `cs_${id}`
        checkouts.push({ id, sessionId, amount, currency })
        return { sessionId, payUrl: `https://checkout.example/${sessionId}` }
      })
    }))
  ).pipe(Layer.provide(Payments.layerManual))

/** Applies an event of the payment provider; one with another amount must be refused. */
const deliver = (event: PaymentEvent, isWrong = false): Action => ({
  name: `${event.kind} ${event.id} ${event.orderId}`,
  mayWrite: ["credit_pack", "adjustment"],
  run: Effect.gen(function* () {
    const result = yield* Effect.result((yield* PaymentEvents).apply(event))
    hold(isWrong || result._tag === "Success", `${event.id} was refused`)
  })
})

/** An event of the payment provider, new or redelivered. */
const webhook = (
  outside: Outside,
  checkouts: ReadonlyArray<Checkout>,
  events: Array<PaymentEvent>
): Action | undefined => {
  const old = outside.chance(0.4) ? outside.pick(events) : undefined
  if (old !== undefined) return deliver(old)
  const checkout = outside.pick(checkouts)
  if (checkout === undefined) return undefined
  const { amount, currency, id: orderId, sessionId } = checkout
  const id = `evt_${events.length}`
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
  events.push(event)
  // It is delivered until it has been applied, at the latest at the end.
  if (event.kind === "paid") outside.paid.add(orderId)
  return deliver(event)
}

/** The payments of a provider, which reports them at any time and more than once. */
export const stripe = {
  part: ({ outside, steps }): Part => {
    const checkouts: Array<Checkout> = []
    const events: Array<PaymentEvent> = []
    return {
      drawn: [{ weight: 9, action: () => webhook(outside, checkouts, events) }],
      payments: provider(outside, steps, checkouts),
      last: () => events.map((event) => deliver(event))
    }
  }
} as const satisfies SimulatedExtension
