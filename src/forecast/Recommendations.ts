import { breakEven, margin } from "./advice/BreakEven.ts"
import type { Advice, Case } from "./advice/Case.ts"
import { planForChance } from "./advice/Chance.ts"
import { checkOptimism } from "./advice/Doubts.ts"
import { pullLever } from "./advice/Levers.ts"
import { checkCost, fillInMoney, hasKnownCost } from "./advice/Money.ts"
import { checkUnits } from "./advice/Units.ts"
import { sendMore, spreadVolume, startSmaller } from "./advice/Volume.ts"
import { fillInZeroRates } from "./advice/ZeroRates.ts"
import { gradeFrom } from "./Assessment.ts"
import { compare, times } from "./Decimal.ts"

/** What makes every other figure meaningless, so that there is nothing else to act on. */
const instead: ReadonlyArray<Advice> = [fillInZeroRates, checkUnits]

/** The most valuable first: what loses money, what may not be true, what chance does, what to work on, what to add. */
const inOrder: ReadonlyArray<Advice> = [
  breakEven,
  startSmaller,
  checkOptimism,
  checkCost,
  planForChance,
  pullLever,
  fillInMoney,
  spreadVolume
]

/** More to do than this is not done. */
const mostTexts = 5

const given = (advice: ReadonlyArray<Advice>, campaign: Case): Array<string> => {
  const texts: Array<string> = []
  for (const each of advice) {
    const text = each(campaign)
    if (text !== undefined) texts.push(text)
  }
  return texts
}

const isThin = (campaign: Case): boolean => {
  const {
    assumptions: { campaign_cost: cost },
    flags,
    funnel: { revenue }
  } = campaign
  return (
    hasKnownCost(campaign) &&
    !flags.includes("small_sample") &&
    revenue !== undefined &&
    cost !== undefined &&
    compare(revenue, cost) >= 0 &&
    compare(revenue, times(cost, gradeFrom.healthy)) < 0
  )
}

/**
 * What to do about a campaign: the fewest sentences, the most valuable first, each with a number in it and none that says
 * the same as another. More emails are only advised where each is known to bring more than it costs.
 */
export const recommendations = (campaign: Case): ReadonlyArray<string> => {
  const [only] = given(instead, campaign)
  if (only !== undefined) return [only]
  const texts = given(inOrder, campaign)
  if (isThin(campaign)) texts.push(...given([margin], campaign))
  if (texts.length === 0) texts.push(...given([sendMore], campaign))
  return texts.length > 0 ? texts.slice(0, mostTexts) : given([margin], campaign)
}
