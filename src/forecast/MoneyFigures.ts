import {
  type Decimal,
  hundred,
  minus,
  quotient,
  quotientSigned,
  round,
  roundSigned,
  times,
  toDouble
} from "./Decimal.ts"

/**
 * Revenue and profit to 2 decimals, and revenue over cost to 1 decimal, from exact amounts: null without a deal value,
 * which leaves the revenue unknown, or without a cost; the ROI also for a cost of 0.
 */
export const moneyFigures = (revenue: Decimal | undefined, cost: Decimal | undefined) => ({
  revenue: revenue === undefined ? null : toDouble(round(revenue, 2)),
  profit: revenue === undefined || cost === undefined ? null : roundSigned(minus(revenue, cost), 2),
  roi_multiple:
    revenue === undefined || cost === undefined || cost.value === 0n ? null : toDouble(quotient(revenue, cost, 1))
})

/** Profit as a percentage of the cost, to 1 decimal; null where there is no ROI. */
export const roiPercent = (revenue: Decimal | undefined, cost: Decimal | undefined): number | null =>
  revenue === undefined || cost === undefined || cost.value === 0n
    ? null
    : quotientSigned(times(minus(revenue, cost), hundred), cost, 1)
