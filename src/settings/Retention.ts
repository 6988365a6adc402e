import { Effect } from "effect"
import { integer, orElse } from "./Variable.ts"

const days = (name: string, minimum: number, fallback: number) =>
  integer(name, minimum, 3650, `a whole number of days from ${minimum} to 3650`).pipe(orElse(fallback))

export type RetentionSettings = Readonly<Effect.Success<typeof retention>>

/** How many days data that is no longer needed is kept. */
export const retention = Effect.gen(function* () {
  return {
    /** Mails that were sent or are dead. */
    mailDays: yield* days("MAIL_DAYS", 1, 30),
    /** Links that reveal keys, after they have expired; at least as long as their mails, which may be retried. */
    linkDays: yield* days("LINK_DAYS", 1, 30),
    /** Unconfirmed keys. */
    unconfirmedKeyDays: yield* days("UNCONFIRMED_KEY_DAYS", 2, 30),
    /** Orders that were never paid, cancelled or not. */
    unpaidOrderDays: yield* days("UNPAID_ORDER_DAYS", 7, 90),
    /** The ids of the payment provider's events: Stripe sends one again for three days. */
    paymentEventDays: yield* days("PAYMENT_EVENT_DAYS", 7, 90)
  }
})
