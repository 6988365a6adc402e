import { BigDecimal } from "effect"
import { aliases, Assumptions } from "./Assumptions.ts"
import { Evidence } from "./Evidence.ts"

const text = (value: BigDecimal.BigDecimal | undefined): string => (value === undefined ? "" : BigDecimal.format(value))

/** The seven fields of the first release stand by their order alone, so that what was kept of them stays the same. */
const ordered = [...aliases.values()]
const named = Object.keys(Assumptions.fields).filter((name) => name !== "evidence" && !ordered.includes(name))

/** The same text for equal assumptions, however they were spelt, and another for others: exact values in a fixed order. */
export const canonicalText = ({ evidence = {}, ...assumptions }: Assumptions): string => {
  const values: Readonly<Partial<Record<string, BigDecimal.BigDecimal>>> = assumptions
  const measured: Readonly<Partial<Record<string, Evidence["reply_rate"]>>> = evidence
  return [
    ...ordered.map((name) => text(values[name])),
    ...named.flatMap((name) => (values[name] === undefined ? [] : [`${name}=${text(values[name])}`])),
    ...Object.keys(Evidence.fields).flatMap((name) => {
      const rate = measured[name]
      return rate === undefined ? [] : [`${name}=${text(rate.observed)}/${text(rate.out_of)}`]
    })
  ].join(" ")
}
