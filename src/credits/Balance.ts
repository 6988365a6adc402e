import { Schema } from "effect"
import { described, quantity } from "../input/Schemas.ts"
import type { KeyUnusable } from "../KeyStatus.ts"
import { endOfMonth } from "../text/Times.ts"

/**
 * The remaining credits of a key, and the total ever added to it. If the request came with a sub-key that has a monthly
 * limit, `allowance` is what this may still spend in the current month, which ends in `resetAfter` seconds.
 */
export interface Balance {
  readonly remaining: number
  readonly granted: number
  readonly allowance?: { readonly limit: number; readonly remaining: number; readonly resetAfter: number }
}

/** The balance of a key that was never given credits. */
export const noBalance: Balance = { remaining: 0, granted: 0 }

/** The balance with the allowance of a sub-key that has made this many forecasts in the month by `now`. */
export const withAllowance = <B extends Balance>(
  balance: B,
  { monthlyLimit: limit, requests }: { readonly monthlyLimit: number | null; readonly requests: number },
  month: string,
  now: number
): B => {
  if (limit === null) return balance
  const resetAfter = Math.ceil((endOfMonth(month) - now) / 1000)
  return { ...balance, allowance: { limit, remaining: Math.max(0, limit - requests), resetAfter } }
}

/**
 * The balance as the sender of a request may see it. A sub-key with a limit gets what it can still spend, out of its
 * limit: its holder does not learn what else the key has, or was given.
 */
export const shownBalance = ({ allowance, granted, remaining }: Balance): Balance =>
  allowance === undefined
    ? { remaining, granted }
    : { remaining: Math.min(remaining, allowance.remaining), granted: allowance.limit, allowance }

/** True if a debit may be made: the key has the credits, and its sub-key, if any, is below its limit. */
export const isPayable = (cost: number, { allowance, remaining }: Balance): boolean =>
  cost <= remaining && cost <= (allowance?.remaining ?? Infinity)

/**
 * The state that a debit finds: the balance, the forecasts of the key, or of its sub-key if it has one, in the month,
 * and the reason why one of them can no longer be used, if there is one.
 */
export interface Standing extends Balance {
  readonly requests: number
  readonly unusable?: KeyUnusable
}

/** The usage of a key in responses: the UTC month, the successful forecasts in it, and the remaining credits. */
export const Usage = Schema.Struct({
  month: Schema.String.annotate({ description: "The current month in UTC.", examples: ["2026-11"] }),
  requests: described(quantity, "Successful forecasts of this key or sub-key in the month.", 1),
  credits_remaining: described(
    quantity,
    "Credits left on the key; they never expire. For a sub-key with a limit, those of them that it may still spend in the month.",
    99
  ),
  sub_key_credits_remaining: Schema.optionalKey(
    described(quantity, "Credits that this sub-key may still spend in the month; only if it has a limit.", 12)
  )
}).annotate({
  identifier: "Usage",
  description: "The usage and the remaining credits of the key.",
  examples: [{ month: "2026-11", requests: 1, credits_remaining: 99 }]
})
export type Usage = typeof Usage.Type

/** The usage of a key that has made this many forecasts in a month. */
export const usageIn = (month: string, requests: number, { allowance, remaining }: Balance): Usage => ({
  month,
  requests,
  credits_remaining: remaining,
  ...(allowance && { sub_key_credits_remaining: allowance.remaining })
})

/** The forecasts of a key in a UTC month, like 2026-11. */
export interface MonthlyRequests {
  readonly month: string
  readonly requests: number
}

/**
 * The balance of a key, or as its sub-key may see it, and its forecasts: in the current month, and by month, newest
 * first.
 */
export interface UsageByMonth extends MonthlyRequests {
  readonly balance: Balance
  readonly months: ReadonlyArray<MonthlyRequests>
}

/** The usage in a month, from the forecasts by month. */
export const usageByMonth = (
  month: string,
  balance: Balance,
  months: ReadonlyArray<MonthlyRequests>
): UsageByMonth => ({
  balance,
  month,
  requests: months.find((counted) => counted.month === month)?.requests ?? 0,
  months
})
