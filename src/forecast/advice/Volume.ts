import { BigDecimal } from "effect"
import type { Assumptions } from "../../campaign/Assumptions.ts"
import { emailsPerMailbox, highVolume } from "../benchmarks/Thresholds.ts"
import { compare, minus, quotient, quotientUp, show, times } from "../Decimal.ts"
import type { Advice, Case } from "./Case.ts"
import { gainOfEmail, mostTimes } from "./Chance.ts"
import { clientsText, countText, emailsText, moneyText } from "./Words.ts"

/** Three years' work of the 30 mailboxes of `highVolume`: what takes longer is no plan. */
const longest = BigDecimal.make(36n * 18_000n, 0)
const furtherTimes = BigDecimal.make(BigInt(mostTimes - 1), 0)
const thousand = BigDecimal.make(1000n, 0)
const yearOfMailboxes = BigDecimal.make(12n * 18_000n, 0)

const share = (campaign: Case, total: BigDecimal.BigDecimal, emails: BigDecimal.BigDecimal) => {
  const { places, units } = quotient(times(total, emails), campaign.assumptions.emails_sent, 4)
  return BigDecimal.make(units === 0n && total.value !== 0n ? 1n : units, places)
}

/** Whether a campaign has more emails than anybody could send in years. */
export const isBeyondSending = ({ emails_sent }: Assumptions): boolean => compare(emails_sent, longest) > 0

/** Replaces more emails than can be sent by a first month of them. */
export const startSmaller: Advice = (campaign) => {
  const { assumptions, funnel } = campaign
  const { emails_sent: emails } = assumptions
  if (!isBeyondSending(assumptions)) return undefined
  return (
    `Plan one month at a time: 30 mailboxes at 30 emails a day (Instantly) send ${countText(highVolume.exact)}, which would bring ` +
    `${clientsText(share(campaign, funnel.clients, highVolume.exact))}. All ${countText(emails)} would take them ` +
    `about ${show(quotient(emails, yearOfMailboxes, 0))} years.`
  )
}

/** Says how many mailboxes a high volume takes. */
export const spreadVolume: Advice = ({ assumptions }) => {
  const { emails_sent: emails } = assumptions
  if (compare(emails, highVolume.exact) <= 0 || isBeyondSending(assumptions)) return undefined
  return (
    `Spread the ${emailsText(emails)} over ${show(quotientUp(emails, emailsPerMailbox.exact, 0))} mailboxes for a month, or ` +
    `over 30 for ${show(quotientUp(emails, highVolume.exact, 0))} months: a mailbox sends 30 a day (Instantly), 600 in 20 working days.`
  )
}

const least = (a: BigDecimal.BigDecimal, b: BigDecimal.BigDecimal) => (compare(a, b) < 0 ? a : b)

/** Advises more emails, where each brings more than it costs, they can be sent, and no rate has to be raised. */
export const sendMore: Advice = (campaign) => {
  const { assumptions, flags, funnel } = campaign
  const gain = flags.some((flag) => flag.startsWith("low_")) ? undefined : gainOfEmail(campaign)
  const { emails_sent: emails } = assumptions
  const more = [minus(highVolume.exact, emails), times(emails, furtherTimes)].reduce(least, thousand)
  if (gain === undefined || more.value <= 0n) return undefined
  const profit = share(campaign, minus(gain.revenue, gain.cost), more)
  return (
    `Send more: each email costs ${gain.costs} and brings in ${gain.brings}, so ${countText(more)} more would bring ` +
    `${clientsText(share(campaign, funnel.clients, more))} and earn ${moneyText(profit)} on average, as long as the list stays as good.`
  )
}
