import { membersOf } from "../../campaign/Fields.ts"
import {
  hundred,
  one,
  type Ratio,
  times,
  whole,
  quotientToDouble,
  roundToDouble,
  wholePeople
} from "../../forecast/Decimal.ts"
import { type Campaign, eachRate, funnel, stageNames, clientsToBreakEven } from "../../forecast/Campaign.ts"
import { moneyOf, rangeOf, ratesOf } from "../../forecast/outlook/CampaignOutlook.ts"
import { chanceOfAtLeast, chanceOfNone, roundChance } from "../../forecast/counts/Counts.ts"
import { withLearnedRates } from "../../forecast/outlook/Learning.ts"
import { takeAllSteps } from "../../workers/Steps.ts"
import { askAboutUnits } from "../../forecast/advice/Units.ts"
import { modelVersion } from "../../forecast/modelVersion.ts"
import { againstThePlan, type Compared, endsOf, beliefsNow, sendings, type StageEnd, weakestOf } from "./InFlight.ts"
import { type InFlight } from "./DecidedCases.ts"
import type { ProgressAnswer } from "./ProgressAnswer.ts"
import { advise } from "./ProgressAdvice.ts"
import { progressNotes } from "./ProgressNotes.ts"
import type { ProgressRequest } from "./ProgressRequest.ts"
import { ofProgress } from "./spokenProgress.ts"

const expectedOf = ({ denominator, numerator }: Ratio): number => quotientToDouble(numerator, denominator, 4)

const stageEnd = ({ counts, expected }: StageEnd, soFar: number): ProgressAnswer["end"]["clients"] => ({
  so_far: soFar,
  ...rangeOf(expectedOf(expected), counts)
})

const shownChance = (value: number | null): number | null =>
  value === null || value === 1 ? value : roundChance(value)

const rateAgainstPlan = (compared: Compared): ProgressAnswer["against_the_plan"]["reply_rate"] => {
  const { as_campaigns_vary, by_chance_alone, cases, passed, planned, verdict } = compared
  return {
    planned: roundToDouble(planned, 4),
    observed: cases > 0 ? quotientToDouble(times(whole(passed), hundred), whole(cases), 4) : null,
    chance_by_chance_alone: shownChance(by_chance_alone),
    chance_as_campaigns_vary: shownChance(as_campaigns_vary),
    verdict
  }
}

const clientsAt = (end: StageEnd) => {
  const { expected, high, low, median } = rangeOf(expectedOf(end.expected), end.counts)
  return { expected, low, median, high }
}

type PlannedProgress = ProgressRequest & { readonly assumptions: Pick<Campaign, "learned"> }

/**
 * Computes the end of a campaign in flight from its decided cases, without random sampling: exactly, or in steps if
 * counts are large, so that it takes less than a tenth of a second. With nothing sent and nothing open, it is the
 * forecast of the plan. Learned rates are not learned again.
 */
export function* progressInSteps({
  assumptions,
  emailsLeft,
  open,
  soFar
}: PlannedProgress): Generator<void, ProgressAnswer, void> {
  const plan = yield* withLearnedRates(assumptions)
  const flight: InFlight = { plan, soFar, open }
  const endAfter = endsOf(flight)
  const ends = sendings(emailsLeft).map((emails) => ({ emails, end: endAfter(emails) }))
  const stop = ends[0]?.end ?? endAfter(0)
  const end = ends.at(-1)?.end ?? stop
  const stages = membersOf(stageNames, (stage) => stageEnd(end[stage], soFar[stage]))
  const { revenue, roi_multiple } = moneyOf(plan, stages.clients)
  const needed = clientsToBreakEven(plan)
  const plannedClients = wholePeople({ numerator: funnel(plan).clients, denominator: one })
  const compared = againstThePlan(flight)
  const answer = {
    end: {
      ...stages,
      revenue,
      roi_multiple,
      chance_of_no_client: chanceOfNone(end.clients.counts),
      chance_to_break_even: needed === undefined ? null : chanceOfAtLeast(end.clients.counts, needed)
    },
    plan: {
      clients: plannedClients,
      chance_of_at_least: chanceOfAtLeast(end.clients.counts, plannedClients)
    },
    if_you_stop_now: {
      clients: clientsAt(stop.clients),
      chance_of_another_client: chanceOfAtLeast(stop.clients.counts, soFar.clients + 1)
    },
    if_you_send: ends.map(({ emails, end }) => {
      const { expected, high, low } = clientsAt(end.clients)
      return { emails, expected, low, high }
    }),
    against_the_plan: eachRate(compared, rateAgainstPlan),
    weakest: weakestOf(compared)?.rate ?? null,
    rates: ratesOf(beliefsNow(flight))
  }
  const assessed = { flight, emailsLeft, compared, stop: stop.clients.expected, end: end.clients.expected }
  const recommendations = advise(assessed)
  return {
    summary: ofProgress({ ...answer, recommendations }, { assumptions }, askAboutUnits(plan)),
    ...answer,
    recommendations,
    calculation_notes: progressNotes(assessed, answer),
    model_version: modelVersion
  }
}

/** The result of `progressInSteps`, in one step. */
export const computeProgress = (request: PlannedProgress): ProgressAnswer => takeAllSteps(progressInSteps(request))
