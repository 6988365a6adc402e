import { Effect } from "effect"
import { integer, orElse } from "./Variable.ts"

const limit = (name: string, maximum: number, fallback: number) =>
  integer(name, 1, maximum, `an integer from 1 to ${maximum}`).pipe(orElse(fallback))

/** The limits of a client or a key on requests that are expensive for the service. */
export const limits = Effect.gen(function* () {
  return {
    /** Keys that are unknown or revoked, from one client in a minute. */
    wrongKeysPerMinute: yield* limit("WRONG_KEYS_PER_MINUTE", 1_000_000, 100),
    /** Requests of one key in a second. */
    keyRequestsPerSecond: yield* limit("KEY_REQUESTS_PER_SECOND", 1_000_000, 1000),
    /** Replacements of one key in an hour. */
    rotationsPerHour: yield* limit("ROTATIONS_PER_HOUR", 1000, 10),
    /** Orders of one key that await payment. */
    unpaidOrdersPerKey: yield* limit("UNPAID_ORDERS_PER_KEY", 1000, 5),
    /** Calculations on the start page that the service does for one client in a minute. */
    calculationsPerMinute: yield* limit("CALCULATIONS_PER_MINUTE", 1_000_000, 60),
    /** Messages of the Model Context Protocol without a usable key, from one client in a minute. */
    keylessMessagesPerMinute: yield* limit("KEYLESS_MESSAGES_PER_MINUTE", 1_000_000, 120)
  }
})
