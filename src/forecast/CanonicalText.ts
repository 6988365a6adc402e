import { BigDecimal } from "effect"
import { Assumptions } from "./Assumptions.ts"
import { Evidence } from "./Evidence.ts"

/**
 * The same text for equal assumptions, however they were spelt, and another for others: name and exact value of each field
 * that is there, in a fixed order. So a field that callers do not know yet changes nothing for them.
 */
export const canonicalText = ({ evidence = {}, ...assumptions }: Assumptions): string => {
  const values: Readonly<Partial<Record<string, BigDecimal.BigDecimal>>> = assumptions
  const measured: Readonly<Partial<Record<string, Evidence["reply_rate"]>>> = evidence
  return [
    ...Object.keys(Assumptions.fields).flatMap((name) => {
      const value = values[name]
      return value === undefined ? [] : [`${name}=${BigDecimal.format(value)}`]
    }),
    ...Object.keys(Evidence.fields).flatMap((name) => {
      const rate = measured[name]
      return rate === undefined ? [] : [`${name}=${BigDecimal.format(rate.observed)}/${BigDecimal.format(rate.out_of)}`]
    })
  ].join(" ")
}
