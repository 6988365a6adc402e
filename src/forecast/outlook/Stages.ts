import type { BigDecimal } from "effect"
import { one, type Ratio, times } from "../Decimal.ts"
import { fields, membersOf } from "../../campaign/Fields.ts"
import { rateNames, requiredRates } from "../../campaign/Rates.ts"
import type { Campaign } from "./Campaign.ts"
import { beliefsOf, type Posterior, type RateBelief, type RateBeliefs } from "./Posterior.ts"

/**
 * How an email comes to a stage of the funnel: with the exact chance `known` of its rates without doubt, times a share
 * from each of its rates that are uncertain.
 */
export interface Stage {
  readonly known: BigDecimal.BigDecimal
  readonly uncertain: ReadonlyArray<Posterior>
}

/** The stages that an outlook counts: those after the rates that every campaign has. */
export const stageNames = requiredRates.map((rate) => fields[rate].passed.name)
export type StageName = (typeof stageNames)[number]

/** The rates that an email passes on its way to a stage, in their order; some may be left out of a campaign. */
export const ratesUpTo = membersOf(stageNames, (stage) =>
  rateNames.slice(0, rateNames.findIndex((rate) => fields[rate].passed.name === stage) + 1)
)

/** The stage before the first rate: every email is there. */
export const everyEmail: Stage = { known: one, uncertain: [] }

/** The stage behind one more rate. */
export const behind = ({ known, uncertain }: Stage, belief: Posterior | BigDecimal.BigDecimal): Stage =>
  "alpha" in belief ? { known, uncertain: [...uncertain, belief] } : { known: times(known, belief), uncertain }

export type Stages = { readonly [stage in StageName]: Stage }

const everyEmailAtEach: Stages = membersOf(stageNames, () => everyEmail)

/** The stages of a campaign: what chance each of its emails has to come as far. */
export const stagesOf = (campaign: Campaign, beliefs: RateBeliefs = beliefsOf(campaign)): Stages => {
  const stages = { ...everyEmailAtEach }
  let stage = everyEmail
  for (const { belief, name } of Object.values<RateBelief>(beliefs)) {
    stage = behind(stage, belief)
    const field = fields[name]
    if (field.presence === "required") stages[field.passed.name] = stage
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
