import type { BigDecimal } from "effect"
import { pow10 } from "../Decimal.ts"
import { binomial, cdf, type Distribution, pmf } from "./Binomial.ts"
import { type Campaign, hasEvidence } from "./Campaign.ts"
import { roundChance } from "./Chance.ts"
import { complement, one, toDouble, zero } from "./Exact.ts"
import { stagesOf } from "./Stages.ts"

type Decimal = BigDecimal.BigDecimal

/** What campaigns are compared by: profit where each has a deal value and a cost, else clients. */
export type Measure = "profit" | "clients"

/** A campaign made ready to be compared: the result of k clients is k times `each`, less `cost`. */
export interface Contender {
  readonly distribution: Distribution
  readonly each: Decimal
  readonly cost: Decimal
  /** Clients that can happen at all, by the exact rates. */
  readonly least: bigint
  readonly most: bigint
}

/** A campaign as a contender; nothing with evidence, as there is no quick way to all chances of such a mixture. */
export const contender = (campaign: Campaign, measure: Measure): Contender | undefined => {
  const { average_deal_value: dealValue = zero, campaign_cost: cost = zero } = campaign
  if (hasEvidence(campaign)) return undefined
  const { known } = stagesOf(campaign).clients
  const rest = complement(known)
  const emails = toDouble(campaign.emails_sent)
  const all = BigInt(emails)
  return {
    distribution: binomial(emails, toDouble(known), toDouble(rest)),
    each: measure === "profit" ? dealValue : one,
    cost: measure === "profit" ? cost : zero,
    least: rest.value === 0n ? all : 0n,
    most: known.value === 0n ? 0n : all
  }
}

/**
 * Chances to 4 decimals. That the first is better is 0 or 1 only where it is exactly that; that both are equal is 0 where
 * no counts with a chance above 1e-18 of the greatest are.
 */
export interface Comparison {
  readonly chance_first_is_better: number
  readonly chance_equal: number
}

const aligned = (value: Decimal, scale: number): bigint => value.value * pow10(scale - value.scale)

/**
 * How often the first of two independent campaigns ends better than the second. For each number of clients of the first
 * the threshold for the second is an exact integer division, so a tie is a tie.
 */
export const compareCampaigns = (first: Contender, second: Contender): Comparison => {
  const scale = Math.max(first.each.scale, first.cost.scale, second.each.scale, second.cost.scale, 0)
  const each = aligned(first.each, scale)
  const otherEach = aligned(second.each, scale)
  const lead = aligned(second.cost, scale) - aligned(first.cost, scale)
  const { lowest } = first.distribution
  const greatest = lowest + first.distribution.last - first.distribution.first
  let better = 0
  let equal = 0
  for (let clients = lowest; clients <= greatest; clients++) {
    const chance = pmf(first.distribution, clients)
    // The second is behind with fewer than room / otherEach clients.
    const room = BigInt(clients) * each + lead
    if (room < 0n) continue
    if (otherEach === 0n) {
      if (room === 0n) equal += chance
      else better += chance
      continue
    }
    const threshold = room / otherEach
    const count = threshold > second.most ? Number(second.most) + 1 : Number(threshold)
    const isTie = threshold * otherEach === room
    better += chance * cdf(second.distribution, isTie ? count - 1 : count)
    if (isTie) equal += chance * pmf(second.distribution, count)
  }
  const worst = first.least * each + lead
  const best = first.most * each + lead
  return {
    chance_first_is_better:
      worst > second.most * otherEach ? 1 : best <= second.least * otherEach ? 0 : roundChance(better),
    chance_equal:
      worst === best && second.least * otherEach === second.most * otherEach
        ? Number(worst === second.least * otherEach)
        : equal === 0
          ? 0
          : roundChance(equal)
  }
}
