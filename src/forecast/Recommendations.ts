import { coverCost, checkCost, fillInMoney, margin } from "./advice/Money.ts"
import {
  confirmMeetings,
  expectNone,
  planForChance,
  sendMore,
  spreadVolume,
  startSmaller,
  tryLists,
  verifyAddresses
} from "./advice/Emails.ts"
import { type Advice, hasKnownCost } from "./advice/Advice.ts"
import { checkArrival } from "./advice/Arrival.ts"
import {
  askAboutAllRates,
  askAboutAutomaticReplies,
  askAboutContacts,
  checkOptimism,
  fillInZeroRates,
  planWithLearned
} from "./advice/DoubtfulRates.ts"
import { askAboutUnits } from "./advice/Units.ts"
import { askAboutHistory } from "./advice/History.ts"
import { raiseFlagged, raiseFurthest, reviewFlagged, reviewFurthest } from "./advice/LowRates.ts"
import { type AssessedCampaign, gradeFrom } from "./benchmarks/RiskFlags.ts"
import { compare, times } from "./Decimal.ts"

/** Advice on errors that make every other figure meaningless; if there is any, it is the only advice. */
const instead: ReadonlyArray<Advice> = [fillInZeroRates, ({ plan }) => askAboutUnits(plan)]

/**
 * Most valuable first: doubtful assumptions, losses, what is free, flagged rates, chance and volume, a test, other rates
 * to work on, missing values.
 */
const inOrder: ReadonlyArray<Advice> = [
  askAboutContacts,
  askAboutAllRates,
  checkOptimism,
  coverCost,
  startSmaller,
  checkCost,
  verifyAddresses,
  confirmMeetings,
  raiseFlagged,
  reviewFlagged,
  planForChance,
  tryLists,
  raiseFurthest,
  reviewFurthest,
  fillInMoney,
  spreadVolume
]

/** People do not act on a longer list. */
const maxTexts = 5

const isThin = (assessed: AssessedCampaign): boolean => {
  const { flags, outlook } = assessed
  const { campaign_cost: cost } = assessed.campaign
  const { revenue } = assessed.funnel
  return (
    hasKnownCost(assessed) &&
    // If one client covers the cost, the chance of no client says the same.
    (outlook.clients_to_break_even !== 1 || !flags.includes("small_sample")) &&
    revenue !== undefined &&
    cost !== undefined &&
    compare(revenue, cost) >= 0 &&
    compare(revenue, times(cost, gradeFrom.healthy)) < 0
  )
}

/**
 * Advice on a campaign: a few sentences, the most valuable first, each with a number in it, without repetition. More
 * emails are advised only if each is known to bring in more than it costs, and not to one of several campaigns.
 */
export const recommendations = (assessed: AssessedCampaign, isListed = false): ReadonlyArray<string> => {
  for (const advice of instead) {
    const only = advice(assessed)
    if (only !== undefined) return [only]
  }
  const learned = planWithLearned(assessed)
  const arrival = checkArrival(assessed)
  // Emails that do not arrive say nothing about list, text or price.
  if (arrival !== undefined) return learned === undefined ? [arrival] : [arrival, learned]
  const question = askAboutHistory(assessed)
  const advised = question === undefined ? assessed : { ...assessed, inDoubt: question.inDoubt }
  const texts: Array<string> = []
  const give = (advice: Advice) => {
    const text = advice(advised)
    if (text !== undefined) texts.push(text)
  }
  const automatic = askAboutAutomaticReplies(assessed)
  for (const advice of inOrder) give(isListed && advice === planForChance ? expectNone : advice)
  if (isThin(assessed)) give(margin)
  if (texts.length === 0 && automatic === undefined && !isListed) give(sendMore)
  if (texts.length === 0 && automatic === undefined) give(margin)
  const first = [question?.text, automatic, learned].filter((text) => text !== undefined)
  return [...first, ...texts].slice(0, maxTexts)
}
