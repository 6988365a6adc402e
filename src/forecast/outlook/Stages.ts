import type { BigDecimal } from "effect"
import { times } from "../Decimal.ts"
import { type Campaign, type RateName, rateNames } from "./Campaign.ts"
import { one, type Ratio } from "./Exact.ts"
import { beliefsOf, type Posterior, type RateBelief, type RateBeliefs } from "./Posterior.ts"

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

/** The stage that each rate leads to, or on the way to. */
const stageBehind: { readonly [rate in RateName]: StageName } = {
  delivery_rate: "replies",
  reply_rate: "replies",
  positive_reply_rate: "positive_replies",
  meeting_booking_rate: "meetings",
  show_rate: "clients",
  close_rate: "clients"
}

/** The rates that an email passes on its way to a stage, in their order; some may be left out of a campaign. */
export const ratesUpTo: { readonly [stage in StageName]: ReadonlyArray<RateName> } = {
  replies: rateNames.slice(0, 2),
  positive_replies: rateNames.slice(0, 3),
  meetings: rateNames.slice(0, 4),
  clients: rateNames
}

/** The stage before the first rate: every email is there. */
export const everyEmail: Stage = { known: one, uncertain: [] }

/** The stage behind one more rate. */
export const behind = ({ known, uncertain }: Stage, belief: Posterior | BigDecimal.BigDecimal): Stage =>
  "alpha" in belief ? { known, uncertain: [...uncertain, belief] } : { known: times(known, belief), uncertain }

export type Stages = { readonly [stage in StageName]: Stage }

/** The stages of a campaign: what chance each of its emails has to come as far. */
export const stagesOf = (campaign: Campaign, beliefs: RateBeliefs = beliefsOf(campaign)): Stages => {
  const stages = { replies: everyEmail, positive_replies: everyEmail, meetings: everyEmail, clients: everyEmail }
  let stage = everyEmail
  for (const { belief, name } of Object.values<RateBelief>(beliefs)) {
    stage = behind(stage, belief)
    stages[stageBehind[name]] = stage
  }
  return stages
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
