import { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { references } from "../benchmarks/Thresholds.ts"
import { compare, minus, times } from "../Decimal.ts"
import { hundred } from "../outlook/Exact.ts"
import type { Advice } from "./Case.ts"
import { rateText } from "./Words.ts"

const { exact, from } = references.delivered
const usual = minus(hundred, exact)

/** Bounces of more than twice the measured mean are the fault of the list. */
const most = times(usual, BigDecimal.make(2n, 0))

/** The percentage of emails that bounce, where a list has too many bad addresses. */
export const highBounces = ({ delivery_rate: delivered }: Assumptions): BigDecimal.BigDecimal | undefined => {
  if (delivered === undefined) return undefined
  const bounced = minus(hundred, delivered)
  return compare(bounced, most) > 0 ? bounced : undefined
}

/** Asks to check the addresses of a list with many bounces. */
export const verifyAddresses: Advice = ({ assumptions }) => {
  const bounced = highBounces(assumptions)
  return (
    bounced &&
    `Verify the addresses before you send: ${rateText(bounced)} of the emails bounce, and ${rateText(usual)} do on average (${from}).`
  )
}
