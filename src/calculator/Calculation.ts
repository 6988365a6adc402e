import type { Assumptions } from "../campaign/Assumptions.ts"
import { type ComputedForecast, computeForecast, type Forecast } from "../forecast/Forecast.ts"
import type { Campaign } from "../forecast/outlook/Campaign.ts"
import { outlook } from "../forecast/outlook/CampaignOutlook.ts"
import type { Comparison, Measure } from "../forecast/outlook/Comparison.ts"
import { expectedProfit } from "../forecast/outlook/Expectation.ts"
import { type GoalAnswer, reachGoal } from "../forecast/outlook/Goals.ts"
import type { Outlook } from "../forecast/outlook/Outlook.ts"
import { type Bin, clientDistribution } from "./ClientDistribution.ts"
import { type Levers, leversOf } from "./Levers.ts"
import { compareNeighbours } from "../forecast/outlook/RankCampaigns.ts"
import type { CalculatorInput } from "./readForm.ts"

/** Two campaigns beside each other. */
export interface SideBySide {
  readonly forecast: Forecast
  readonly measure: Measure
  /** How often the first ends better. */
  readonly chances: Comparison
}

/** All that the calculator shows. */
export interface Calculation {
  readonly input: CalculatorInput
  readonly forecast: Forecast
  readonly distribution: ReadonlyArray<Bin>
  readonly levers: Levers
  readonly goal: GoalAnswer | undefined
  readonly second: SideBySide | undefined
  /** What would be forecast without the past campaigns, where there are any. */
  readonly withoutHistory: Outlook | undefined
}

/** The same campaign: what its history teaches is learned already. */
const taught = (learned: ComputedForecast["campaign"]): Assumptions & Pick<Campaign, "learned"> => {
  const { history: _, ...campaign } = learned
  return campaign
}

const sideBySide = (
  { second }: CalculatorInput,
  first: Assumptions & Pick<Campaign, "learned">
): SideBySide | undefined => {
  if (second === undefined) return undefined
  const { campaign, forecast } = computeForecast(second.assumptions)
  const other = taught(campaign)
  const measure = [first, other].every((each) => expectedProfit(each) !== undefined) ? "profit" : "clients"
  return { forecast, measure, chances: compareNeighbours(measure, first, other) }
}

/** Calculates all that the calculator shows. */
export const calculate = (input: CalculatorInput): Calculation => {
  const { assumptions } = input.first
  const { campaign: learned, forecast } = computeForecast(assumptions)
  const campaign = taught(learned)
  const { history, ...alone } = assumptions
  return {
    input,
    forecast,
    distribution: clientDistribution(campaign, forecast.outlook),
    levers: leversOf(campaign),
    goal: input.goal === undefined ? undefined : reachGoal(input.goal, campaign),
    second: sideBySide(input, campaign),
    withoutHistory: history === undefined ? undefined : outlook(alone)
  }
}
