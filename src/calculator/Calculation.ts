import { computeForecast, type Forecast } from "../forecast/Forecast.ts"
import type { Comparison, Measure } from "../forecast/outlook/Comparison.ts"
import { expectedProfit } from "../forecast/outlook/Expectation.ts"
import { type GoalAnswer, reachGoal } from "../forecast/outlook/Goals.ts"
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
}

const sideBySide = ({ first, second }: CalculatorInput): SideBySide | undefined => {
  if (second === undefined) return undefined
  const { forecast } = computeForecast(second.assumptions)
  const campaigns = [first.assumptions, second.assumptions]
  const measure = campaigns.every((campaign) => expectedProfit(campaign) !== undefined) ? "profit" : "clients"
  const chances = compareNeighbours(measure, first.assumptions, second.assumptions)
  return { forecast, measure, chances }
}

/** Calculates all that the calculator shows. */
export const calculate = (input: CalculatorInput): Calculation => {
  const { assumptions } = input.first
  const { forecast } = computeForecast(assumptions)
  const distribution = clientDistribution(assumptions, forecast.outlook)
  const levers = leversOf(assumptions)
  const goal = input.goal === undefined ? undefined : reachGoal(input.goal, assumptions)
  return { input, forecast, distribution, levers, goal, second: sideBySide(input) }
}
