import { coverCost, checkCost, fillInMoney, hasKnownCost, margin } from "./advice/Money.ts"
import { planForChance, sendMore, spreadVolume, startSmaller, verifyAddresses } from "./advice/Emails.ts"
import type { Advice, Case } from "./advice/Case.ts"
import { checkOptimism, checkUnits, fillInZeroRates } from "./advice/RateChecks.ts"
import { pullLever } from "./advice/Levers.ts"
import { planWithMeasured } from "./advice/Measured.ts"
import { gradeFrom } from "./Assessment.ts"
import { compare, times } from "./Decimal.ts"

/** What makes every other figure meaningless, so that there is nothing else to act on. */
const instead: ReadonlyArray<Advice> = [fillInZeroRates, checkUnits]

/** The most valuable first: what loses money, what may not be true, what chance does, what to work on, what to add. */
const inOrder: ReadonlyArray<Advice> = [
  coverCost,
  startSmaller,
  checkOptimism,
  checkCost,
  planForChance,
  verifyAddresses,
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
    funnel: { revenue },
    outlook: { clients_to_break_even: clients }
  } = campaign
  return (
    hasKnownCost(campaign) &&
    // Where one client pays the cost, the chance of none says the same.
    (clients !== 1 || !flags.includes("small_sample")) &&
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
  const measured = given([planWithMeasured], campaign)
  const texts = given(inOrder, campaign)
  if (isThin(campaign)) texts.push(...given([margin], campaign))
  if (texts.length === 0) texts.push(...given([sendMore], campaign))
  if (texts.length === 0) texts.push(...given([margin], campaign))
  return [...measured, ...texts].slice(0, mostTexts)
}
