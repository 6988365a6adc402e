import { endOfMonth } from "./text/Times.ts"

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
