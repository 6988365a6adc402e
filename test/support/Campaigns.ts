import { BigDecimal } from "effect"
import { optionalNames } from "../../src/campaign/Fields.ts"
import type { Campaign, Learned, RateName } from "../../src/forecast/Campaign.ts"
import type { Fraction } from "./ExactCounts.ts"
import { sample } from "./Samples.ts"

/** The fields of a campaign as numbers or decimal texts. */
type Fields = {
  readonly [field in Exclude<keyof Campaign, "spread" | "learned">]?: number | string | undefined
}

const decimal = (value: number | string) => BigDecimal.fromStringUnsafe(String(value))

/** The counts behind learned rates, as [observed, out of]. */
export type Measured = { readonly [rate in RateName]?: readonly [number, number] }

/** The distribution of each rate after counts, if the planned one was worth one success. */
const learnedFrom = (measured: Measured, planned: object) =>
  Object.fromEntries(
    Object.entries(measured).map(([rate, [observed, outOf]]): [string, Learned["reply_rate"]] => {
      const percent = Number(Reflect.get(planned, rate) ?? 100)
      return [rate, { alpha: 1 + observed, beta: 100 / percent - 1 + outOf - observed }]
    })
  )

/**
 * The specification's sample campaign with changes; rates are exactly as given, or learned from counts; undefined leaves
 * a field out.
 */
export const campaignOf = (changes: Fields = {}, measured?: Measured): Campaign => {
  const fields: Fields = { ...sample, ...changes }
  const optional = optionalNames.flatMap((name) => {
    const value = fields[name]
    return value === undefined ? [] : [[name, decimal(value)] as const]
  })
  return {
    emails_sent: decimal(fields.emails_sent ?? 1),
    reply_rate: decimal(fields.reply_rate ?? 0),
    positive_reply_rate: decimal(fields.positive_reply_rate ?? 0),
    meeting_booking_rate: decimal(fields.meeting_booking_rate ?? 0),
    close_rate: decimal(fields.close_rate ?? 0),
    spread: "none",
    ...Object.fromEntries(optional),
    ...(measured === undefined ? {} : { learned: learnedFrom(measured, fields) })
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
