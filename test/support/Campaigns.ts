import { BigDecimal } from "effect"
import type { Campaign, Evidence, RateName } from "../../src/forecast/Campaign.ts"
import type { Fraction } from "./ExactCounts.ts"
import { sample } from "./Samples.ts"

/** The fields of a campaign as numbers or decimal texts. */
type Fields = {
  readonly [field in Exclude<keyof Campaign, "evidence" | "spread" | "learned">]?: number | string | undefined
}

const decimal = (value: number | string) => BigDecimal.fromStringUnsafe(String(value))

const optional = (
  name: "delivery_rate" | "show_rate" | "average_deal_value" | "campaign_cost",
  value: number | string | undefined
) => (value === undefined ? {} : { [name]: decimal(value) })

/** The counts behind measured rates, as [observed, out of]. */
export type Measured = { readonly [rate in RateName]?: readonly [number, number] }

const evidenceOf = (measured: Measured): Evidence =>
  Object.fromEntries(
    Object.entries(measured).map(([rate, [observed, outOf]]) => [
      rate,
      { observed: decimal(observed), out_of: decimal(outOf) }
    ])
  )

/** The specification's sample campaign with changes and rates exactly as given; undefined leaves a field out. */
export const campaignOf = (changes: Fields = {}, measured?: Measured): Campaign => {
  const fields = { ...sample, ...changes }
  return {
    emails_sent: decimal(fields.emails_sent ?? 1),
    reply_rate: decimal(fields.reply_rate ?? 0),
    positive_reply_rate: decimal(fields.positive_reply_rate ?? 0),
    meeting_booking_rate: decimal(fields.meeting_booking_rate ?? 0),
    close_rate: decimal(fields.close_rate ?? 0),
    spread: "none",
    ...optional("delivery_rate", changes.delivery_rate),
    ...optional("show_rate", changes.show_rate),
    ...optional("average_deal_value", fields.average_deal_value),
    ...optional("campaign_cost", fields.campaign_cost),
    ...(measured === undefined ? {} : { evidence: evidenceOf(measured) })
  }
}

/** The exact product of percentages, in lowest terms. */
export const chanceOf = (...percentages: ReadonlyArray<string>): Fraction => {
  let numerator = 1n
  let denominator = 1n
  for (const percentage of percentages) {
    const [whole = "0", decimals = ""] = percentage.split(".")
    numerator *= BigInt(whole + decimals)
    denominator *= 100n * 10n ** BigInt(decimals.length)
  }
  const divisor = greatestCommonDivisor(numerator, denominator)
  return { numerator: numerator / divisor, denominator: denominator / divisor }
}

const greatestCommonDivisor = (a: bigint, b: bigint): bigint => (b === 0n ? a : greatestCommonDivisor(b, a % b))
