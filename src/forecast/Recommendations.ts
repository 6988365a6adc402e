import { coverCost, checkCost, fillInMoney, hasKnownCost, margin } from "./advice/Money.ts"
import {
  confirmMeetings,
  planForChance,
  sendMore,
  spreadVolume,
  startSmaller,
  tryLists,
  verifyAddresses
} from "./advice/Emails.ts"
import type { Advice, AssessedCampaign } from "./advice/AssessedCampaign.ts"
import {
  askAboutAutomaticReplies,
  checkOptimism,
  checkUnits,
  fillInZeroRates,
  planWithLearned,
  raiseMeasured,
  reviewPlanned
} from "./advice/Rates.ts"
import { gradeFrom } from "./benchmarks/RiskFlags.ts"
import { compare, times } from "./Decimal.ts"

/** Advice on errors that make every other figure meaningless; if there is any, it is the only advice. */
const instead: ReadonlyArray<Advice> = [fillInZeroRates, checkUnits]

/** Most valuable first: doubtful assumptions, losses, what is free, chance, a test, rates to work on, missing values. */
const inOrder: ReadonlyArray<Advice> = [
  askAboutAutomaticReplies,
  checkOptimism,
  coverCost,
  startSmaller,
  checkCost,
  verifyAddresses,
  confirmMeetings,
  planForChance,
  tryLists,
  raiseMeasured,
  reviewPlanned,
  fillInMoney,
  spreadVolume
]

/** People do not act on a longer list. */
const maxTexts = 5

const given = (advice: ReadonlyArray<Advice>, campaign: AssessedCampaign): Array<string> => {
  const texts: Array<string> = []
  for (const each of advice) {
    const text = each(campaign)
    if (text !== undefined) texts.push(text)
  }
  return texts
}

const isThin = (campaign: AssessedCampaign): boolean => {
  const {
    assumptions: { campaign_cost: cost },
    flags,
    funnel: { revenue },
    outlook: { clients_to_break_even: clients }
  } = campaign
  return (
    hasKnownCost(campaign) &&
    // If one client covers the cost, the chance of no client says the same.
    (clients !== 1 || !flags.includes("small_sample")) &&
    revenue !== undefined &&
    cost !== undefined &&
    compare(revenue, cost) >= 0 &&
    compare(revenue, times(cost, gradeFrom.healthy)) < 0
  )
}

/**
 * Advice on a campaign: a few sentences, the most valuable first, each with a number in it, without repetition. More
 * emails are advised only if each is known to bring in more than it costs.
 */
export const recommendations = (campaign: AssessedCampaign): ReadonlyArray<string> => {
  const [only] = given(instead, campaign)
  if (only !== undefined) return [only]
  const learned = given([planWithLearned], campaign)
  const texts = given(inOrder, campaign)
  if (isThin(campaign)) texts.push(...given([margin], campaign))
  if (texts.length === 0) texts.push(...given([sendMore], campaign))
  if (texts.length === 0) texts.push(...given([margin], campaign))
  return [...learned, ...texts].slice(0, maxTexts)
}
