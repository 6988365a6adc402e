import {
  chanceError,
  emailsPerMailbox,
  highVolume,
  optionalFigures,
  references,
  smallSample
} from "../benchmarks/Thresholds.ts"
import {
  compare,
  hundred,
  minus,
  percentOf,
  quotient,
  quotientUp,
  round,
  show,
  times,
  whole,
  roundToDouble,
  isZero,
  toDouble,
  type Decimal,
  toBigDecimal
} from "../Decimal.ts"
import { type AssessedCampaign, riskOf } from "../benchmarks/RiskFlags.ts"
import { type Advice, hasKnownCost, isBeyondSending, isHopeless } from "./Advice.ts"
import { clientsText, countOf, countText, emailsText, ofHundred, rateText } from "../Words.ts"
import { about, aboutAtLeast, aboutAtMost, integer } from "../../text/Figures.ts"
import { chanceOfAtLeast } from "../counts/Counts.ts"
import { smallestEnough } from "../counts/SmallestEnough.ts"
import { countsOf, stagesOf } from "../outlook/CampaignOutlook.ts"
import { type Campaign, clientsToBreakEven } from "../Campaign.ts"
import { firstClient } from "./FirstClient.ts"
import { fields } from "../../campaign/Fields.ts"

/** Lists and budgets are finite: never advise more than this many times the planned emails. */
const maxTimes = 3

const furtherTimes = whole(maxTimes - 1)
const thousand = whole(1000)
const yearOfMailboxes = whole(12 * 18_000)

/** The least part of a result that is not shown as 0. */
const leastPart = { value: 1, scale: 4 }

const share = (assessed: AssessedCampaign, total: Decimal, emails: Decimal) => {
  const part = quotient(times(total, emails), assessed.campaign.emails_sent, 4)
  return part.value === 0 && !isZero(total) ? leastPart : part
}

/** Advises to plan a first month, if there are more emails than can be sent. */
export const startSmaller: Advice = (assessed) => {
  const { campaign, funnel } = assessed
  const { emails_sent: emails } = campaign
  if (!isBeyondSending(campaign) || isHopeless(assessed)) return undefined
  return (
    `Plan one month at a time: 30 mailboxes at 30 emails a day (Instantly; 15 on Google Workspace: Puzzle Inbox 2026, quoted by another) send ${countText(highVolume.exact)}, which would bring ` +
    `${clientsText(share(assessed, funnel.clients, highVolume.exact))}. All ${countText(emails)} would take them ` +
    `about ${show(quotient(emails, yearOfMailboxes, 0))} years.`
  )
}

/** Says how many mailboxes a high volume needs. */
export const spreadVolume: Advice = (assessed) => {
  const { campaign } = assessed
  const { emails_sent: emails } = campaign
  if (compare(emails, highVolume.exact) <= 0 || isBeyondSending(campaign) || isHopeless(assessed)) return undefined
  return (
    `Spread the ${emailsText(emails)} over ${show(quotientUp(emails, emailsPerMailbox.exact, 0))} mailboxes for a month, or ` +
    `over 30 for ${show(quotientUp(emails, highVolume.exact, 0))} months, at 30 a day each (Instantly); on Google Workspace at 15 ` +
    `(Puzzle Inbox 2026, quoted by another) it takes twice as many.`
  )
}

/** The cost and revenue of each email; undefined unless it is known to bring in more than it costs. */
const gainOfEmail = (assessed: AssessedCampaign) => {
  const { campaign, funnel } = assessed
  const { campaign_cost: cost, emails_sent: emails } = campaign
  const { revenue } = funnel
  if (!hasKnownCost(assessed) || revenue === undefined || cost === undefined || compare(revenue, cost) <= 0) {
    return undefined
  }
  const per = (total: Decimal) => {
    return about(toDouble(quotient(total, emails, 10)))
  }
  return { brings: per(revenue), costs: per(cost), cost, revenue }
}

const least = (a: Decimal, b: Decimal) => (compare(a, b) < 0 ? a : b)

/** Advises more emails if each brings in more than it costs, they can be sent, and no rate has to be raised first. */
export const sendMore: Advice = (assessed) => {
  const { campaign, flags, funnel } = assessed
  const isHeld = assessed.inDoubt !== undefined || flags.some((flag) => riskOf(flag).kind === "low")
  const gain = isHeld ? undefined : gainOfEmail(assessed)
  const { emails_sent: emails } = campaign
  const more = [minus(highVolume.exact, emails), times(emails, furtherTimes)].reduce(least, thousand)
  if (gain === undefined || more.value <= 0) return undefined
  const profit = share(assessed, minus(gain.revenue, gain.cost), more)
  return (
    `Send more: each email costs ${gain.costs} and brings in ${gain.brings}, so ${countText(more)} more would bring ` +
    `${clientsText(share(assessed, funnel.clients, more))} and earn ${aboutAtMost(toDouble(profit))} on average, as long as the list stays as good.`
  )
}

/** The smallest increase that makes a difference, as a multiple of the planned emails. */
const minTimes = 1.25

/** The fewest emails, within reach, that win a client and cover their cost often enough, and this cost. */
const largerCampaign = (assessed: AssessedCampaign) => {
  const { campaign, flags } = assessed
  const gain = gainOfEmail(assessed)
  if (gain === undefined || flags.some((flag) => riskOf(flag).stopsVolume)) return undefined
  const now = roundToDouble(campaign.emails_sent, 0)
  const greatest = Math.min(now * maxTimes, highVolume.value)
  if (now >= greatest) return undefined
  const stage = stagesOf(campaign).clients
  const needed = smallestEnough(
    { least: now + 1, greatest, guess: greatest },
    (emails) => countsOf(stage, emails).atLeast(1) >= 1 - smallSample - chanceError
  )
  if (needed === undefined || needed < now * minTimes) return undefined
  const emails = whole(needed)
  const cost = quotient(times(gain.cost, emails), campaign.emails_sent, 10)
  const clients = clientsToBreakEven({ ...campaign, campaign_cost: toBigDecimal(cost) }) ?? Infinity
  const chance = chanceOfAtLeast(countsOf(stage, needed), clients)
  return chance < 1 - smallSample - chanceError ? undefined : { chance, cost, emails }
}

/** The emails after which half of such campaigns have their first client, and 80 of 100: the average says neither. */
const emailsForClient = (campaign: Campaign): string => {
  const emailsFor = firstClient(campaign)
  const half = emailsFor(0.5)
  const greatest = integer(fields.emails_sent.bounds.maximum)
  if (half === undefined) return `fewer than half have a client after ${greatest} emails`
  const most = emailsFor(1 - smallSample)
  const others = most === undefined ? `fewer than 80 of 100 after ${greatest}` : `80 of 100 after ${integer(most)}`
  return `half have the first client after ${countOf(half, "emails_sent")}, ${others}`
}

const isUnsure = ({ flags }: AssessedCampaign) => flags.includes("small_sample") && !flags.includes("negative_roi")

/** Says to expect no client, if more than 20 of 100 such campaigns win none. */
export const expectNone: Advice = (assessed) => {
  const { campaign, funnel, outlook } = assessed
  if (!isUnsure(assessed)) return undefined
  const none = ofHundred(outlook.chance_of_no_client)
  const takes = emailsForClient(campaign)
  const { low } = outlook.replies
  const isTest =
    outlook.rates.reply_rate.basis === "published_spread" && compare(funnel.replies, hundred) < 0 && low > 1
  if (outlook.chance_of_no_client <= 0.5)
    return `Be prepared to win no client: ${none} such campaigns win none; ${takes}.`
  return isTest
    ? `Take this campaign as a test of the reply rate: ${none} such campaigns win no client; ${takes}. Fewer than ` +
        `${countOf(low, "replies")} would be bad: at most 10 of 100 such campaigns get so few.`
    : `Do not count on a client: ${none} such campaigns win none; ${takes}.`
}

/** Advice if more than 20 of 100 such campaigns win no client: send more if that is within reach and pays, otherwise expect none. */
export const planForChance: Advice = (assessed) => {
  const larger = isUnsure(assessed) && assessed.inDoubt === undefined ? largerCampaign(assessed) : undefined
  if (larger === undefined) return expectNone(assessed)
  const count = emailsText(larger.emails)
  return (
    `Send ${count} rather than ${countText(assessed.campaign.emails_sent)}: ${ofHundred(assessed.outlook.chance_of_no_client)} ` +
    `campaigns this small win no client; with ${count} it is 20 of 100. ` +
    `At the same cost per email that costs ${aboutAtLeast(toDouble(larger.cost))}, which ${ofHundred(larger.chance)} such campaigns cover.`
  )
}

/** The least factor of replies that is worth the effort of a test. */
const minGain = 1.2

/** The lists of the test that is advised. */
const advisedLists = 3

/** Advises to test three lists first, if that brings many more replies and no flag is against it. */
export const tryLists: Advice = ({ campaign, flags, funnel, inDoubt = [], testFirst }) => {
  if (inDoubt.includes("reply_rate")) return undefined
  const test = testFirst?.find(({ lists }) => lists === advisedLists)
  if (test === undefined || test.factor < minGain) return undefined
  if (flags.some((flag) => riskOf(flag).stopsTest)) return undefined
  const replies = { value: Math.round(test.replies * 10_000), scale: 4 }
  const left = minus(campaign.emails_sent, whole(advisedLists * test.emails_each))
  return (
    `Test three lists first: send ${countOf(test.emails_each, "emails_sent")} to each and count the replies, positive ones twice; send the ` +
    `other ${countText(left)} to the list with the highest count. If lists differ as much as campaigns do, that brings about ` +
    `${countText(replies)} replies on average instead of ${countText(funnel.replies)}. All three must be of people like those of your plan. Replies are not yet clients.`
  )
}

const usualBounces = minus(hundred, references.delivered.exact)

/** Advises to verify the addresses of a list with many bounces. */
export const verifyAddresses: Advice = ({ campaign: { delivery_rate: delivered }, flags }) =>
  delivered !== undefined && flags.includes("high_bounce_rate")
    ? `Verify the addresses before you send: ${rateText(minus(hundred, delivered))} of the emails bounce, more than twice the measured mean of ${rateText(usualBounces)} (${references.delivered.from}).`
    : undefined

/** Three quarters of the planning figure of held meetings: below it, reminders are the cheapest improvement. */
const fewHeld = percentOf(references.held.exact, whole(75))

/** Advises to confirm meetings of which few are held, which costs nothing. */
export const confirmMeetings: Advice = ({ campaign: { show_rate: held } }) => {
  if (held === undefined || compare(held, fewHeld) >= 0) return undefined
  const [low, high] = optionalFigures.show_rate.span
  return (
    `Confirm meetings and remind people of them, which costs nothing: only ${rateText(held)} of those booked are held, ` +
    `and plans count on ${show(round(low, 0))} to ${rateText(high)} (${references.held.because}, ${references.held.from}).`
  )
}
