import { BigDecimal } from "effect"
import { smallSample } from "./benchmarks/Thresholds.ts"
import { compare, minus, toDouble } from "./Decimal.ts"

/** Clients of one email above which it has a chance of none of at most 20 %. */
const enoughOfOne = BigDecimal.make(8n, 1)

/** A little more than −ln 0.2: so many expected clients, e^−clients is below 20 %, and (1 − p)^n is never above it. */
const surelyEnough = BigDecimal.make(161n, 2)

const limit = Math.log(smallSample)

/** The logarithm of the chance that one of the emails brings no client, 1 − p, with p the exact product of the rates. */
const logOfNone = (emails: BigDecimal.BigDecimal, clients: BigDecimal.BigDecimal): number => {
  const count = toDouble(emails)
  const p = toDouble(clients) / count
  // Near 1 the digits of p say little of 1 − p, which is taken from the exact difference.
  return p < 0.5 ? Math.log1p(-p) : Math.log(toDouble(minus(emails, clients)) / count)
}

/** The chance, from 0 to 1, that none of the emails brings a client, given the exact number of clients expected. */
export const chanceOfNoClient = (emails: BigDecimal.BigDecimal, clients: BigDecimal.BigDecimal): number =>
  clients.value === 0n ? 1 : Math.exp(toDouble(emails) * logOfNone(emails, clients))

/**
 * Whether the chance of no client is above 20 %. (1 − p)^n is exactly 1/5 only where n is 1, for any other power of a
 * decimal has each five in it n times: that one case is compared exactly.
 */
export const isSmallSample = (emails: BigDecimal.BigDecimal, clients: BigDecimal.BigDecimal): boolean => {
  if (compare(clients, surelyEnough) >= 0) return false
  if (clients.value === 0n) return true
  const count = toDouble(emails)
  return count === 1 ? compare(clients, enoughOfOne) < 0 : count * logOfNone(emails, clients) > limit
}

/** The least number of emails with which the chance of no client is at most 20 %; Infinity where no number is enough. */
export const emailsForAClient = (emails: BigDecimal.BigDecimal, clients: BigDecimal.BigDecimal): number => {
  const log = clients.value === 0n ? 0 : logOfNone(emails, clients)
  return log === 0 ? Infinity : Math.max(Math.ceil(limit / log), 1)
}
