import type { BigDecimal } from "effect"
import { times } from "../Decimal.ts"
import type { Campaign, RateName } from "./Campaign.ts"
import { one, type Ratio } from "./Exact.ts"
import { beliefOf, type Posterior } from "./Posterior.ts"

/**
 * How an email comes to a stage of the funnel: with the exact chance `known` of its rates without doubt, times a share
 * from each of its rates that are uncertain.
 */
export interface Stage {
  readonly known: BigDecimal.BigDecimal
  readonly uncertain: ReadonlyArray<Posterior>
}

export const stageNames = ["replies", "positive_replies", "meetings", "clients"] as const
export type StageName = (typeof stageNames)[number]

/** The rates that lead from each stage to the next. */
const ratesInto: { readonly [stage in StageName]: ReadonlyArray<RateName> } = {
  replies: ["delivery_rate", "reply_rate"],
  positive_replies: ["positive_reply_rate"],
  meetings: ["meeting_booking_rate"],
  clients: ["show_rate", "close_rate"]
}

/** The rates that an email passes on its way to a stage, in their order; some may be left out of a campaign. */
export const ratesUpTo: { readonly [stage in StageName]: ReadonlyArray<RateName> } = {
  replies: ratesInto.replies,
  positive_replies: [...ratesInto.replies, ...ratesInto.positive_replies],
  meetings: [...ratesInto.replies, ...ratesInto.positive_replies, ...ratesInto.meetings],
  clients: [...ratesInto.replies, ...ratesInto.positive_replies, ...ratesInto.meetings, ...ratesInto.clients]
}

const everyEmail: Stage = { known: one, uncertain: [] }

const passed = (stage: Stage, campaign: Campaign, name: RateName): Stage => {
  const rate = campaign[name]
  if (rate === undefined) return stage
  const belief = beliefOf(campaign, name, rate)
  return "alpha" in belief
    ? { known: stage.known, uncertain: [...stage.uncertain, belief] }
    : { known: times(stage.known, belief), uncertain: stage.uncertain }
}

/** The stages of a campaign: what chance each of its emails has to come as far. */
export const stagesOf = (campaign: Campaign): { readonly [stage in StageName]: Stage } => {
  const next = (stage: Stage, into: StageName) =>
    ratesInto[into].reduce((before, rate) => passed(before, campaign, rate), stage)
  const replies = next(everyEmail, "replies")
  const positive_replies = next(replies, "positive_replies")
  const meetings = next(positive_replies, "meetings")
  return { replies, positive_replies, meetings, clients: next(meetings, "clients") }
}

/** The exact mean chance of an email to come to a stage. */
export const meanChance = ({ known, uncertain }: Stage): Ratio =>
  uncertain.reduce<Ratio>(
    (product, { mean }) => ({
      numerator: times(product.numerator, mean.numerator),
      denominator: times(product.denominator, mean.denominator)
    }),
    { numerator: known, denominator: one }
  )
