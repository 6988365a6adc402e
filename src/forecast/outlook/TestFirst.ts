import { ratesBefore } from "../../campaign/Rates.ts"
import type { Campaign } from "../Campaign.ts"
import { toDouble } from "../Decimal.ts"
import type { TestFirst } from "./Outlook.ts"
import { priorOf } from "./Posterior.ts"
import type { Beta } from "../counts/SpecialFunctions.ts"
import { weigh } from "../counts/Weights.ts"

/** The numbers of lists that are tested, and of emails that each of them gets. */
const listCounts = [2, 3, 5] as const
const sizes = [50, 100, 150, 200, 300, 400, 500, 750, 1000]

/** The fewest emails of a campaign that is worth a test. */
const fewestEmails = 1000

/** A test that brings this part of what the best one brings is good enough if it is smaller. */
const goodEnough = 0.99

/** The rates that emails pass before they can be replied to. */
const beforeReplies = ratesBefore("reply_rate")

/** Room for the chances of the replies to a test. */
const weights = new Float64Array((sizes.at(-1) ?? 0) + 1)

/** The distribution of the reply rates of lists: with a history, what is left to vary if the sender's level is known. */
const ratesOfLists = (campaign: Campaign): Beta | undefined => {
  const share = priorOf(campaign, "reply_rate", campaign.reply_rate)
  const shape = campaign.learned?.reply_rate?.shape
  if (share === undefined || shape === undefined) return share
  const mean = share.alpha / (share.alpha + share.beta)
  const cases = shape / Math.min(mean, 1 - mean)
  return { alpha: cases * mean, beta: cases * (1 - mean) }
}

/**
 * The expected reply rate of the list with the most replies, of each number of lists after `size` emails to each: the
 * most replies of k lists are above a count unless all k have at most that many.
 */
const ratesOfBest = ({ alpha, beta }: Beta, size: number): readonly [number, number, number] => {
  const { high, low, total } = weigh(size, { alpha, beta }, weights)
  const most = alpha + high
  const part = 1 / total
  let sum = 0
  let two = 0
  let three = 0
  let five = 0
  for (let replies = low; replies < high; replies++) {
    sum += (weights[replies] ?? 0) * part
    const square = sum * sum
    two += square
    three += square * sum
    five += square * square * sum
  }
  const cases = alpha + beta + size
  return [(most - two) / cases, (most - three) / cases, (most - five) / cases]
}

const to4 = (value: number): number => Math.round(value * 10_000) / 10_000

/**
 * Computes what a test of 2, 3 and 5 lists brings on average: the smallest test of at most half of the emails that
 * brings at least 0.99 of what the best one brings. The reply rates of lists are taken to be independent. Null if the
 * reply rate does not vary, or if there are fewer than 1,000 emails. Takes microseconds.
 */
export const testFirst = (campaign: Campaign): TestFirst => {
  const emails = toDouble(campaign.emails_sent)
  const rates = emails < fewestEmails ? undefined : ratesOfLists(campaign)
  if (rates === undefined) return null
  const share = beforeReplies.reduce((share, name) => {
    const rate = campaign[name]
    return rate === undefined ? share : share * (toDouble(rate) / 100)
  }, 1)
  const arriving = emails * share
  const mean = rates.alpha / (rates.alpha + rates.beta)
  const best: Array<ReturnType<typeof ratesOfBest>> = []
  const repliesAt = (place: number, size: number): number => {
    const each = sizes[size] ?? 0
    const tested = (listCounts[place] ?? 0) * each
    if (tested > arriving / 2) return 0
    const ofBest = (best[size] ??= ratesOfBest(rates, each))
    return tested * mean + (arriving - tested) * (ofBest[place] ?? 0)
  }
  const rows: Array<NonNullable<TestFirst>[number]> = []
  for (let place = 0; place < listCounts.length; place++) {
    const lists = listCounts[place] ?? 0
    // Larger tests bring more up to the best one, and less beyond it.
    let most = 0
    for (let size = 0; size < sizes.length; size++) {
      const replies = repliesAt(place, size)
      if (replies <= most) break
      most = replies
    }
    if (most === 0) continue
    let chosen = 0
    while (repliesAt(place, chosen) < goodEnough * most) chosen++
    const replies = repliesAt(place, chosen)
    const emails_each = Math.ceil((sizes[chosen] ?? 0) / share)
    rows.push({ lists, emails_each, replies: to4(replies), factor: to4(replies / (arriving * mean)) })
  }
  return rows.length === 0 ? null : rows
}
