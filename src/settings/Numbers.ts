import { Effect, Record } from "effect"
import { integer, orElse } from "./Variable.ts"

/** A whole number in a variable. */
interface NumberSetting {
  readonly variable: string
  readonly minimum: number
  readonly maximum: number
  readonly fallback: number
  /** Its meaning, for the table in docs/operation.md. */
  readonly meaning: string
}

const limit = (variable: string, maximum: number, fallback: number, meaning: string): NumberSetting => ({
  variable,
  minimum: 1,
  maximum,
  fallback,
  meaning
})

const days = (variable: string, minimum: number, fallback: number, kept: string): NumberSetting => ({
  variable,
  minimum,
  maximum: 3650,
  fallback,
  meaning: `days to keep ${kept}`
})

/** The limits of a client or a key on requests that are expensive for the service. */
export const limits = {
  wrongKeysPerMinute: limit(
    "WRONG_KEYS_PER_MINUTE",
    1_000_000,
    100,
    "unknown keys and tokens, from one client at each instance; an IPv6 /64 is one client"
  ),
  keyRequestsPerSecond: limit("KEY_REQUESTS_PER_SECOND", 1_000_000, 1000, "requests with one key, at each instance"),
  rotationsPerHour: limit("ROTATIONS_PER_HOUR", 1000, 10, "replacements of one key"),
  unpaidOrdersPerKey: limit("UNPAID_ORDERS_PER_KEY", 1000, 5, "orders of one key that are awaiting payment"),
  calculationMillisPerMinute: limit(
    "CALCULATION_MILLIS_PER_MINUTE",
    60_000,
    2000,
    "milliseconds that the service calculates pages for one client at each instance, without JavaScript or from a link"
  ),
  keylessMailsPerHour: limit(
    "KEYLESS_MAILS_PER_HOUR",
    1_000_000,
    200,
    "emails for requests for access and orders without a key, besides the first of each network in an hour"
  ),
  keylessMessagesPerMinute: limit(
    "KEYLESS_MESSAGES_PER_MINUTE",
    1_000_000,
    120,
    "messages of the Model Context Protocol without a usable key, from one client at each instance"
  )
}

/** The time that data is kept once it is no longer needed. */
export const retention = {
  /** Emails that were sent or are dead. */
  mailDays: days("MAIL_DAYS", 1, 30, "emails"),
  /** At least as long as the emails with these links, which may be retried. */
  linkDays: days("LINK_DAYS", 1, 30, "links that have expired"),
  unconfirmedKeyDays: days("UNCONFIRMED_KEY_DAYS", 2, 30, "keys that nobody confirmed"),
  /** Cancelled or not. */
  unpaidOrderDays: days("UNPAID_ORDER_DAYS", 7, 90, "orders that were never paid"),
  /** Stripe retries for three days. */
  paymentEventDays: days("PAYMENT_EVENT_DAYS", 7, 90, "the IDs of Stripe's events")
}

/** Reads a table of numbers; `noun` completes the sentence "NAME must be … from 1 to 10". */
export const numbers = <Name extends string>(table: Readonly<Record<Name, NumberSetting>>, noun: string) =>
  Effect.all(
    Record.map(table, ({ fallback, maximum, minimum, variable }) =>
      integer(variable, minimum, maximum, `${noun} from ${minimum} to ${maximum}`).pipe(orElse(fallback))
    )
  )

/** The numbers of a table by their variables, for people. */
export const showNumbers = <Name extends string>(
  table: Readonly<Record<Name, NumberSetting>>,
  values: Readonly<Record<Name, number>>
): string => Record.collect(table, (name, { variable }) => `${variable}=${values[name]}`).join(", ")
