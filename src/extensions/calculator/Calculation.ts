import { forecastInSteps } from "../../forecast/Forecast.ts"
import type { Forecast } from "../../forecast/ForecastAnswer.ts"
import { type Campaign, expectedProfit } from "../../forecast/Campaign.ts"
import { outlook } from "../../forecast/outlook/CampaignOutlook.ts"
import { compareNeighbours, type Measure } from "../lists/CompareCampaigns.ts"
import type { NeighbourChances } from "../lists/PortfolioAnswer.ts"
import { reachGoal } from "../goals/Goals.ts"
import type { GoalAnswer } from "../goals/GoalAnswer.ts"
import type { Outlook } from "../../forecast/outlook/Outlook.ts"
import { type Bin, clientDistribution } from "./ClientDistribution.ts"
import { type Levers, leversOf } from "./Levers.ts"
import { type FunnelStage, funnelStages } from "./Stages.ts"
import type { computeProgress } from "../progress/Progress.ts"
import type { ProgressAnswer } from "../progress/ProgressAnswer.ts"
import { takeAllSteps } from "../../workers/Steps.ts"
import type { CalculatorInput, Flight } from "./readForm.ts"

/** Two campaigns side by side. */
export interface SideBySide {
  readonly forecast: Forecast
  readonly measure: Measure
  /** The chance that each ends better than the other. */
  readonly chances: NeighbourChances
}

/** Everything that the calculator shows. */
export interface Calculation {
  readonly input: CalculatorInput
  /** The first campaign, at the rates learned from its past campaigns. */
  readonly campaign: Campaign
  readonly forecast: Forecast
  readonly stages: ReadonlyArray<FunnelStage>
  readonly distribution: ReadonlyArray<Bin>
  readonly levers: Levers
  readonly goal: GoalAnswer | undefined
  readonly second: SideBySide | undefined
  /** The end of the campaign in flight, if there is one and it can be computed quickly. */
  readonly flight: ProgressAnswer | undefined
  /** The outlook without the past campaigns, if there are any. */
  readonly withoutHistory: Outlook | undefined
}

/** A campaign that has learned from its history, without it. */
const withoutHistoryOf = (learned: Campaign): typeof learned => {
  const { history: _, ...campaign } = learned
  return campaign
}

function* sideBySide({ second }: CalculatorInput, first: Campaign): Generator<void, SideBySide | undefined, void> {
  if (second === undefined) return undefined
  const { campaign, forecast } = yield* forecastInSteps(second.assumptions)
  const other = withoutHistoryOf(campaign)
  const measure = [first, other].every((each) => expectedProfit(each) !== undefined) ? "profit" : "clients"
  return { forecast, measure, chances: compareNeighbours(measure, first, other) }
}

/** The most further emails for which a campaign in flight with open cases is computed in milliseconds. */
const maxEmailsAtOnce = 10_000

const takesLong = ({ emailsLeft, open }: Flight): boolean =>
  emailsLeft + open.emails > maxEmailsAtOnce && Object.values(open).some((count) => count > 0)

/** The computation of a campaign in flight; undefined in a browser that has not loaded it yet. */
type Progressing = typeof computeProgress | undefined

/**
 * Calculates everything that the calculator shows, in steps; with `atOnce`, without results that take longer than
 * milliseconds.
 */
export function* calculateInSteps(
  input: CalculatorInput,
  progressing: Progressing,
  atOnce = false
): Generator<void, Calculation, void> {
  const { flight } = input
  const { assumptions } = input.first
  const { campaign: learned, forecast, plan } = yield* forecastInSteps(assumptions)
  const campaign = withoutHistoryOf(learned)
  const { history, ...alone } = assumptions
  return {
    input,
    campaign,
    forecast,
    stages: funnelStages(campaign, forecast),
    distribution: clientDistribution(campaign, forecast.outlook),
    levers: leversOf(campaign),
    goal: input.goal === undefined ? undefined : reachGoal(input.goal, campaign),
    second: yield* sideBySide(input, campaign),
    flight:
      flight === undefined || progressing === undefined || (atOnce && takesLong(flight))
        ? undefined
        : progressing({ ...flight, assumptions: withoutHistoryOf(plan) }),
    withoutHistory: history === undefined ? undefined : outlook(alone)
  }
}

/** The result of `calculateInSteps`, in one step. */
export const calculate = (input: CalculatorInput, progressing: Progressing, atOnce = false): Calculation =>
  takeAllSteps(calculateInSteps(input, progressing, atOnce))

/** Calculates only the first campaign, as a plan, for pages that show nothing else. */
export const calculateAlone = (input: CalculatorInput): Generator<void, Calculation, void> =>
  calculateInSteps({ ...input, goal: undefined, second: undefined, flight: undefined }, undefined)
