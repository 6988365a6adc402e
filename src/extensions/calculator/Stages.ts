import type { Forecast } from "../../forecast/ForecastAnswer.ts"
import { fields } from "../../campaign/Fields.ts"
import { isOptional, rateBefore, rateNames, rates } from "../../campaign/Rates.ts"
import { showExact, toDouble } from "../../forecast/Decimal.ts"
import { people } from "../../text/Figures.ts"
import type { Campaign } from "../../forecast/Campaign.ts"

/** A stage of a funnel: its expected count, its rate from the stage before, and its range. */
export interface FunnelStage {
  readonly name: string
  readonly count: number
  readonly rate: string
  readonly outlook?: Forecast["outlook"]["clients"]
}

/** The expected share that passes a rate. */
const shareOf = (rate: Forecast["outlook"]["rates"]["delivery_rate"]): number => (rate?.expected ?? 100) / 100

/** True if the rates of an outlook were learned from past campaigns. */
export const hasLearnedRates = ({ basis }: Forecast["outlook"]): boolean => basis === "history"

/** The stages of a campaign. */
export const funnelStages = (
  campaign: Campaign,
  { outlook }: Pick<Forecast, "outlook">
): ReadonlyArray<FunnelStage> => {
  let count = toDouble(campaign.emails_sent)
  const stages: Array<FunnelStage> = [{ name: "Emails sent", count, rate: "" }]
  for (const name of rateNames) {
    const rate = campaign[name]
    if (rate === undefined) continue
    const field = fields[name]
    const { outOf, passed } = rates[name]
    const before = rateBefore(campaign, name)
    const tried = before !== undefined && isOptional(before) ? rates[before].passed.words : outOf
    const stage = field.presence === "required" ? field.passed.name : undefined
    const learned = outlook.rates[name]
    const isOwn = learned === undefined || learned.basis === "as_given" || learned.basis === "published_spread"
    count = stage === undefined ? count * shareOf(outlook.rates[name]) : outlook[stage].expected
    stages.push({
      name: passed.pageHeading ?? passed.heading,
      count,
      rate: `${isOwn ? showExact(rate) : people(learned.expected)}% of ${tried}`,
      ...(stage === undefined ? {} : { outlook: outlook[stage] })
    })
  }
  return stages
}
