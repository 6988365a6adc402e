import { sum } from "d3-array"
import { talliesOf } from "../../campaign/PastCampaigns.ts"
import { countsOfRate } from "../../campaign/Rates.ts"
import type { Campaign } from "../Campaign.ts"
import { one, percentOf } from "../Decimal.ts"
import { countOf, ofHundred } from "../Words.ts"
import { roundChance } from "../counts/Counts.ts"
import { VaryingCounts } from "../counts/VaryingBinomial.ts"
import { afterRate, countsOf, everyEmail } from "../outlook/CampaignOutlook.ts"
import { priorOf, publishedReplies } from "../outlook/Posterior.ts"
import type { AssessedCampaign } from "../benchmarks/RiskFlags.ts"

/** So few replies that fewer campaigns than this have as few are a matter of delivery, rather than of list or text. */
const unheard = 0.02

/** Checks that show whether emails arrive. */
const howToTell =
  "send some to inboxes of your own at Gmail and Outlook, check SPF, DKIM and DMARC, and look for your domain on blocklists"

/**
 * Asks whether the emails of past campaigns arrived, if together they brought fewer replies than nearly all campaigns
 * with this plan, and than nearly all published ones: a plan that is too high alone is another matter.
 */
export const checkArrival = ({ plan }: Pick<AssessedCampaign, "plan">): string | undefined => {
  const tallies = talliesOf(plan, "reply_rate", plan.history ?? [])
  const emails = sum(tallies, ({ trials }) => trials)
  const replies = sum(tallies, ({ successes }) => successes)
  if (emails === 0) return undefined
  const amongPublished = new VaryingCounts({ trials: emails, known: 1, rest: 0, share: publishedReplies })
  if (1 - amongPublished.atLeast(replies + 1) >= unheard) return undefined
  const { learned: _, ...given }: Campaign = plan
  const prior = priorOf(given, "reply_rate", given.reply_rate)
  const stage = afterRate(everyEmail, prior ?? percentOf(one, given.reply_rate))
  const chance = 1 - countsOf(stage, emails).atLeast(replies + 1)
  if (chance >= unheard) return undefined
  const { trials } = countsOfRate(plan, "reply_rate")
  return (
    `Did the emails of your past campaigns arrive? ${countOf(emails, trials)} brought ` +
    `${replies === 0 ? "no reply" : `only ${countOf(replies, "replies")}`}; so few are seen in ${ofHundred(roundChance(chance))} ` +
    `campaigns with this plan. Before you send more, ${howToTell}.`
  )
}
