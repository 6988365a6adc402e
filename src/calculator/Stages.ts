import type { Forecast } from "../forecast/Forecast.ts"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { fields } from "../campaign/Fields.ts"
import { isOptional, rateBefore, rateNames, rates } from "../campaign/Rates.ts"
import { showExact, toDouble } from "../forecast/Decimal.ts"

/** A stage of a funnel: what is expected of it, how it comes from the stage before, and how sure that is. */
export interface Stage {
  readonly name: string
  readonly count: number
  readonly rate: string
  readonly outlook?: Forecast["outlook"]["clients"]
}

/** The share that is expected to pass a rate. */
const shareOf = (rate: Forecast["outlook"]["rates"]["delivery_rate"]): number => (rate?.expected ?? 100) / 100

/** True if the rates of an outlook are others than those given: measured, or learned from past campaigns. */
export const isLearned = ({ basis }: Forecast["outlook"]): boolean => basis === "evidence" || basis === "history"

/** The stages of a campaign. With evidence, what is expected of a stage allows for how little its rates are known. */
export const stagesOf = (assumptions: Assumptions, { outlook }: Forecast): ReadonlyArray<Stage> => {
  const assumed = isLearned(outlook) ? "assumed " : ""
  let count = toDouble(assumptions.emails_sent)
  const stages: Array<Stage> = [{ name: "Emails sent", count, rate: "" }]
  for (const name of rateNames) {
    const rate = assumptions[name]
    if (rate === undefined) continue
    const field = fields[name]
    const { outOf, passed } = rates[name]
    const before = rateBefore(assumptions, name)
    const tried = before !== undefined && isOptional(before) ? rates[before].passed.words : outOf
    const known = field.presence === "required" ? outlook[field.passed.name] : undefined
    count = known === undefined ? count * shareOf(outlook.rates[name]) : known.expected
    stages.push({
      name: passed.pageHeading ?? passed.heading,
      count,
      rate: `${assumed}${showExact(rate)} % of ${tried}`,
      ...(known === undefined ? {} : { outlook: known })
    })
  }
  return stages
}
