import { Struct } from "effect"
import { fields } from "../../campaign/Fields.ts"
import {
  compare,
  quotient,
  quotientToDouble,
  type Ratio,
  times,
  toDouble,
  minus,
  isZero,
  type Decimal,
  wholePeople
} from "../../forecast/Decimal.ts"
import {
  type Campaign,
  givenRates,
  isLearned,
  type RateName,
  revenueFrom,
  valueOfClient
} from "../../forecast/Campaign.ts"
import { hasBounds, isCompared, strictest } from "../../forecast/benchmarks/PublishedRates.ts"
import { chanceOfAtLeast } from "../../forecast/counts/Counts.ts"
import type { GoalAnswer, LeverAnswer } from "./GoalAnswer.ts"
import { allowedCost, type Needed, neededDealValue, neededEmails, neededRate, reaches } from "./GoalLevers.ts"
import { emailsAtCost, goalNotes, nullNotes } from "./GoalNotes.ts"
import { type Goal, isMoney, peopleNeeded, revenueNeeded, stageOf } from "./GoalTarget.ts"
import { ofGoal } from "./spokenGoal.ts"
import { withLearning } from "../../forecast/outlook/Learning.ts"
import { takeAllSteps } from "../../workers/Steps.ts"
import { modelVersion } from "../../forecast/modelVersion.ts"
import { countsOf, meanChance, stagesOf } from "../../forecast/outlook/CampaignOutlook.ts"

type NeededLevers = { -readonly [lever in keyof GoalAnswer["needed"]]: GoalAnswer["needed"][lever] }

const leverAnswer = (current: Decimal | undefined, needed: Needed): LeverAnswer => ({
  current: current === undefined ? null : toDouble(current),
  needed: needed === undefined ? null : toDouble(needed),
  factor: current === undefined || needed === undefined || isZero(current) ? null : quotientToDouble(needed, current, 4)
})

/** The exact expected number of people at the stage that decides whether a goal is reached. */
const peopleNow = (goal: Goal, campaign: Campaign): Ratio => {
  const { denominator, numerator } = meanChance(stagesOf(campaign)[stageOf(goal.aim)])
  return { numerator: times(campaign.emails_sent, numerator), denominator }
}

const expectedNow = ({ aim }: Goal, campaign: Campaign, now: Ratio) => {
  if (aim === "replies" || aim === "meetings" || aim === "clients") {
    return quotientToDouble(now.numerator, now.denominator, 4)
  }
  const { campaign_cost: cost } = campaign
  const revenue = revenueFrom(campaign, now.numerator)
  if (revenue === undefined) return null
  if (aim === "revenue") return quotientToDouble(revenue, now.denominator, 2)
  if (cost === undefined) return null
  if (aim === "profit") {
    return quotientToDouble(minus(revenue, times(cost, now.denominator)), now.denominator, 2)
  }
  return isZero(cost) ? null : quotientToDouble(revenue, times(cost, now.denominator), 1)
}

const neededLevers = (goal: Goal, campaign: Campaign): NeededLevers => {
  const levers: NeededLevers = {
    emails_sent: leverAnswer(campaign.emails_sent, neededEmails(goal, campaign))
  }
  const isFixed = isLearned(campaign)
  const rates: ReadonlyArray<RateName> = isFixed ? [] : givenRates(campaign, stageOf(goal.aim))
  for (const name of rates) {
    const needed = neededRate(goal, campaign, name)
    levers[name] = {
      ...leverAnswer(campaign[name], needed),
      beyond_published:
        hasBounds(name) && isCompared(campaign, name)
          ? needed === undefined || compare(needed, strictest(campaign, name, "high").value) > 0
          : null
    }
  }
  if (isMoney(goal.aim) && !isFixed) {
    levers.average_deal_value = leverAnswer(campaign.average_deal_value, neededDealValue(goal, campaign))
  }
  if (goal.aim === "profit" || goal.aim === "roi_multiple") {
    levers.campaign_cost = leverAnswer(campaign.campaign_cost, allowedCost(goal, campaign))
  }
  return levers
}

/**
 * Solves a goal for each input alone, with all others unchanged: the fewest emails at their cost, the lowest rate in
 * hundredths of a percent, the lowest deal value and the highest cost to 2 decimals. Exact: one email less or a rate
 * 0.01 lower does not reach it. With a history, only emails and cost are solved.
 */
export function* reachGoalInSteps(goal: Goal, given: Campaign): Generator<void, GoalAnswer, void> {
  const { campaign, unlike } = yield* withLearning(given)
  const stage = stagesOf(campaign)[stageOf(goal.aim)]
  const counts = countsOf(stage, toDouble(campaign.emails_sent))
  const now = peopleNow(goal, campaign)
  const people = peopleNeeded(goal, campaign)
  const isUnknown =
    isMoney(goal.aim) &&
    (valueOfClient(campaign) === undefined || revenueNeeded(goal, campaign.campaign_cost) === undefined)
  const isReached =
    people !== undefined &&
    (goal.chance === undefined
      ? compare(times(now.numerator, people.denominator), times(people.numerator, now.denominator)) >= 0
      : reaches(stage, counts, wholePeople(people), goal.chance))
  const whenKnown = people === undefined ? 0 : chanceOfAtLeast(counts, wholePeople(people))
  const chanceNow = isUnknown ? null : whenKnown
  const needed = neededLevers(goal, campaign)
  const { denominator, numerator } = meanChance(stagesOf(campaign).clients)
  const clients = quotient(times(campaign.emails_sent, numerator), denominator, 12)
  const atCost = emailsAtCost(goal, campaign, needed.emails_sent.needed, clients)
  const answer = {
    goal: {
      [goal.aim]: toDouble(goal.target),
      ...(goal.chance === undefined ? {} : { chance: toDouble(goal.chance) })
    },
    expected_now: expectedNow(goal, campaign, now),
    chance_now: chanceNow,
    reached: isReached,
    needed,
    calculation_notes: [
      ...goalNotes(goal, campaign, chanceNow, isReached, isReached ? undefined : atCost, unlike),
      ...(isUnknown ? [] : nullNotes(goal, campaign, needed))
    ],
    model_version: modelVersion
  }
  return { summary: ofGoal(answer, { assumptions: given, goal }), ...answer }
}

/** The result of `reachGoalInSteps`, in one step. */
export const reachGoal = (goal: Goal, given: Campaign): GoalAnswer => takeAllSteps(reachGoalInSteps(goal, given))

/** The answers for each solved input, with its label and its unit. */
export const labelledLevers = (needed: GoalAnswer["needed"]) =>
  Struct.keys(needed).flatMap((name) => {
    const answer = needed[name]
    const { form, unit } = fields[name]
    return answer === undefined
      ? []
      : [
          {
            name,
            label: name === "campaign_cost" ? "Cost, at most" : form.label,
            unit,
            beyond_published: null,
            ...answer
          }
        ]
  })
