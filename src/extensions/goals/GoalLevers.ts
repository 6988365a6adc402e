import { BigDecimal } from "effect"
import { fields } from "../../campaign/Fields.ts"
import { amountBounds } from "../../campaign/NumberBounds.ts"
import { greatestRate } from "../../campaign/Rates.ts"
import {
  compare,
  type Decimal,
  hundred,
  one,
  quotientDown,
  quotientUp,
  quotientUpVisibly,
  type Ratio,
  times,
  toDouble,
  whole,
  zero,
  plus,
  minus,
  isZero,
  toBigDecimal,
  wholePeople
} from "../../forecast/Decimal.ts"
import { type Campaign, expectedAt, type RateName, revenueFrom, valueOfClient } from "../../forecast/Campaign.ts"
import type { Counts } from "../../forecast/counts/Counts.ts"
import {
  costAllowed,
  type Goal,
  peopleNeeded,
  type RevenueByEmails,
  revenueByEmails,
  revenueNeeded,
  stageOf
} from "./GoalTarget.ts"
import { smallestEnough } from "../../forecast/counts/SmallestEnough.ts"
import { countsOf, meanChance, type Stage, stagesOf } from "../../forecast/outlook/CampaignOutlook.ts"

/** The exact value that a lever needs if it alone is changed; undefined if no value allowed in a request is enough. */
export type Needed = Decimal | undefined

const cent = { value: 1, scale: 2 }
const maxEmails = fields.emails_sent.bounds.maximum
/** More decimals of a rate make no difference to doubles. */
const maxDigits = 12
const greatestAmount = whole(amountBounds.maximum)

const upTo = (value: Decimal, bound: Decimal): Needed => (compare(value, bound) <= 0 ? value : undefined)

/**
 * True if a chance, as a double, reaches the requested one. Doubles blur exact ties, so it may be below by the error of
 * the sums or, if rates vary, of other sums and integrals.
 */
export const reaches = (stage: Stage, counts: Counts, people: number, chance: Decimal): boolean =>
  counts.atLeast(people) >= toDouble(chance) - margin(stage)

const margin = (stage: Stage): number => (stage.uncertain.length === 0 ? 1e-12 : 1e-10)

/** The greatest number of people reached with a chance. */
const reachedWith = (stage: Stage, emails: number, chance: Decimal): number =>
  countsOf(stage, emails).smallestReaching(1 - toDouble(chance) + margin(stage))

/** The campaign with other emails at the same cost per email, rounded up where it is no decimal. */
const withEmails = (campaign: Campaign, emails: Decimal): Campaign => {
  const { campaign_cost: cost, emails_sent: planned } = campaign
  const emails_sent = toBigDecimal(emails)
  return cost === undefined
    ? { ...campaign, emails_sent }
    : { ...campaign, emails_sent, campaign_cost: toBigDecimal(quotientUp(times(cost, emails), planned, 20)) }
}

/**
 * The fewest emails that reach a profit or an ROI if each further email costs as much as those planned. On average, an
 * email has to bring more than it costs. With a chance, each number of clients allows a most of emails; the first
 * number that those win often enough is searched, then its fewest emails.
 */
const emailsAtTheirCost = (goal: Goal, campaign: Campaign, { fixed, perEmail }: RevenueByEmails): Needed => {
  const value = valueOfClient(campaign) ?? zero
  const first = peopleNeeded(goal, withEmails(campaign, one))
  if (first !== undefined && first.numerator.value <= 0) return one
  const stage = stagesOf(campaign).clients
  const mean = meanChance(stage)
  const { chance } = goal
  if (chance === undefined) {
    const brings = times(times(mean.numerator, value), perEmail.denominator)
    const gain = minus(brings, times(perEmail.numerator, mean.denominator))
    if (fixed.value <= 0) return gain.value >= 0 ? one : undefined
    if (gain.value <= 0) return undefined
    return upTo(quotientUp(times(times(fixed, mean.denominator), perEmail.denominator), gain, 0), whole(maxEmails))
  }
  if (isZero(value)) return undefined
  const most = (clients: number): number => {
    const left = minus(times(whole(clients), value), fixed)
    if (left.value <= 0) return 0
    return Math.min(toDouble(quotientDown(times(left, perEmail.denominator), perEmail.numerator, 0)), maxEmails)
  }
  const isEnough = (clients: number, emails: number) =>
    clients <= emails && reaches(stage, countsOf(stage, emails), clients, chance)
  const cover = times(perEmail.numerator, whole(maxEmails))
  const greatest = toDouble(
    quotientUp(
      plus(times(fixed.value > 0 ? fixed : zero, perEmail.denominator), cover),
      times(perEmail.denominator, value),
      0
    )
  )
  const least = Math.max(wholePeople({ numerator: fixed, denominator: value }), 1)
  if (greatest < least) return undefined
  const clients = smallestEnough({ least, greatest, guess: least }, (count) => isEnough(count, most(count)))
  if (clients === undefined) return undefined
  const range = { least: Math.max(most(clients - 1) + 1, clients), greatest: most(clients), guess: most(clients) }
  const found = smallestEnough(range, (emails) => isEnough(clients, emails))
  return found === undefined ? undefined : whole(found)
}

/** The fewest emails that reach a goal; for a profit or an ROI, each of them costs as much as those planned. */
export const neededEmails = (goal: Goal, campaign: Campaign): Needed => {
  const byEmails = revenueByEmails(goal, campaign)
  if (byEmails !== undefined && byEmails.perEmail.numerator.value > 0) {
    return emailsAtTheirCost(goal, campaign, byEmails)
  }
  const people = peopleNeeded(goal, campaign)
  if (people === undefined) return undefined
  if (people.numerator.value <= 0) return one
  const stage = stagesOf(campaign)[stageOf(goal.aim)]
  const mean = meanChance(stage)
  if (isZero(mean.numerator)) return undefined
  const expected = quotientUp(times(people.numerator, mean.denominator), times(people.denominator, mean.numerator), 0)
  const { chance } = goal
  if (chance === undefined) return upTo(expected, whole(maxEmails))
  const count = wholePeople(people)
  if (count > maxEmails) return undefined
  const range = { least: count, greatest: maxEmails, guess: toDouble(expected) }
  const found = smallestEnough(range, (emails) => reaches(stage, countsOf(stage, emails), count, chance))
  return found === undefined ? undefined : whole(found)
}

/**
 * The lowest rate, in hundredths of a percent, that reaches a goal. It varies around each candidate as around the given
 * one.
 */
export const neededRate = (goal: Goal, campaign: Campaign, name: RateName): Needed => {
  const people = peopleNeeded(goal, campaign)
  if (people === undefined) return undefined
  if (people.numerator.value <= 0) return zero
  const most = expectedAt(campaign, stageOf(goal.aim), { [name]: hundred })
  if (isZero(most)) return undefined
  const expected = quotientUpVisibly(times(people.numerator, hundred), times(people.denominator, most))
  const { chance } = goal
  const highest = greatestRate(campaign, name)
  if (chance === undefined) return upTo(expected, BigDecimal.make(BigInt(highest), 2))
  const count = wholePeople(people)
  const emails = toDouble(campaign.emails_sent)
  if (count > emails) return undefined
  const isEnough = (units: number, decimals: number) => {
    const stage = stagesOf({ ...campaign, [name]: BigDecimal.make(BigInt(units), decimals) })[stageOf(goal.aim)]
    return reaches(stage, countsOf(stage, emails), count, chance)
  }
  const guess = Math.ceil(toDouble(expected) * 100)
  let found = smallestEnough({ least: 0, greatest: highest, guess }, (units) => isEnough(units, 2))
  let digits = 2
  // Two digits of a rate below 0.1%.
  while (found !== undefined && found > 0 && found < 10 && digits < maxDigits) {
    digits++
    const range = { least: 10 * (found - 1) + 1, greatest: 10 * found, guess: 10 * found }
    const finer = smallestEnough(range, (units) => isEnough(units, digits))
    if (finer === undefined) break
    found = finer
  }
  return found === undefined ? undefined : BigDecimal.make(BigInt(found), digits)
}

/** The clients of the campaign as it is, expected or with the goal's chance. */
const clientsNow = ({ chance }: Goal, campaign: Campaign): Ratio => {
  const stage = stagesOf(campaign).clients
  if (chance !== undefined) {
    return { numerator: whole(reachedWith(stage, toDouble(campaign.emails_sent), chance)), denominator: one }
  }
  const { denominator, numerator } = meanChance(stage)
  return { numerator: times(campaign.emails_sent, numerator), denominator }
}

/** The lowest deal value, to 2 decimals, that reaches a goal in money. */
export const neededDealValue = (goal: Goal, campaign: Campaign): Needed => {
  const revenue = revenueNeeded(goal, campaign.campaign_cost)
  if (revenue === undefined || revenue.value <= 0) return revenue === undefined ? undefined : zero
  const { denominator, numerator } = clientsNow(goal, campaign)
  return isZero(numerator) ? undefined : upTo(quotientUp(times(revenue, denominator), numerator, 2), greatestAmount)
}

/** The highest cost, to 2 decimals, at which a goal of profit or ROI is reached. */
export const allowedCost = (goal: Goal, campaign: Campaign): Needed => {
  const { denominator, numerator } = clientsNow(goal, campaign)
  const revenue = revenueFrom(campaign, numerator)
  if (revenue === undefined) return undefined
  const allowed = costAllowed(goal, { numerator: revenue, denominator })
  if (isZero(allowed.denominator)) return greatestAmount
  if (allowed.numerator.value < 0) return undefined
  const down = quotientDown(allowed.numerator, allowed.denominator, 2)
  // An ROI is a multiple of the cost: without a cost there is no ROI.
  if (goal.aim === "roi_multiple" && compare(down, cent) < 0) return undefined
  return compare(down, greatestAmount) > 0 ? greatestAmount : down
}
