/** The credits that a sub-key with a limit may still spend in the current month, which ends in `resetAfter` seconds. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly resetAfter: number
}

/**
 * The remaining credits of a key, and the total ever added to it; `allowance` is that of the sub-key of the request.
 */
export interface Balance {
  readonly remaining: number
  readonly granted: number
  readonly allowance?: Allowance
}

/** The balance of a key that was never given credits. */
export const noBalance: Balance = { remaining: 0, granted: 0 }

/** The forecasts of a sub-key in a UTC month, and its monthly limit. */
export interface SubKeyUse {
  readonly monthlyLimit: number | null
  readonly requests: number
}

/** True if a debit may be made: the key has the credits, and its sub-key, if any, is below its limit. */
export const isPayable = (cost: number, remaining: number, subKey: SubKeyUse | undefined): boolean =>
  cost <= remaining && (subKey?.requests ?? 0) + cost <= (subKey?.monthlyLimit ?? Infinity)
