import { type BigDecimal, Schema, Struct } from "effect"
import { membersOf } from "../../campaign/Fields.ts"
import { optionalRates, type RateName, rateNames, rates, requiredRates } from "../../campaign/Rates.ts"
import {
  hundred,
  minus,
  quotientSigned,
  quotientUp,
  roundDown,
  type Rounded,
  roundSigned,
  times,
  toNumber
} from "../Decimal.ts"
import { type Campaign, greatestRate } from "./Campaign.ts"
import { expectedAt, givenRates } from "../Funnel.ts"

type Decimal = BigDecimal.BigDecimal

const lever = (description: string, example: number) =>
  Schema.NullOr(Schema.Finite).annotate({ description, examples: [example] })

const leastRate = (name: RateName) =>
  lever(
    `Smallest ${rates[name].form.label.toLowerCase()} that is enough, in percent, rounded up.`,
    rates[name].breakEven
  )

/** For each input the value at which expected revenue covers the cost, all others as they are. */
export const BreakEven = Schema.Struct({
  emails_sent: lever("Fewest emails that are enough.", 320),
  ...Struct.mapPick(membersOf(rateNames, leastRate), optionalRates, Schema.optionalKey),
  average_deal_value: lever("Smallest deal value that is enough, to 2 decimals, rounded up.", 160),
  campaign_cost: lever("Greatest cost that is covered, to 2 decimals, rounded down.", 9375)
}).annotate({
  identifier: "BreakEven",
  description:
    "For each input, the value at which the expected revenue covers the cost, with all other inputs as they are. Null where no value is enough, or something it depends on is missing. The delivery rate and the show rate are here only if the request has them.",
  examples: [
    {
      emails_sent: 320,
      ...membersOf(requiredRates, (name) => rates[name].breakEven),
      average_deal_value: 160,
      campaign_cost: 9375
    }
  ]
})
export type BreakEven = typeof BreakEven.Type

/** A figure for the answer, or null where JSON has no number for it. */
const figure = (rounded: Rounded): number | null => {
  const value = toNumber(rounded)
  return Number.isFinite(value) ? value : null
}

/** `amount / each` rounded up: how much is enough where each unit brings `each`. Null where no amount is enough. */
const enough = (amount: Decimal, each: Decimal, places: number): number | null => {
  if (amount.value === 0n) return 0
  return each.value === 0n ? null : figure(quotientUp(amount, each, places))
}

/** The smallest rate that is enough: revenue is in proportion to it, and where it is 0 as the other rates would have it. */
const enoughRate = (campaign: Campaign, dealValue: Decimal, cost: Decimal, revenue: Decimal, name: RateName) => {
  const rate = campaign[name]
  const needed =
    rate === undefined || rate.value === 0n
      ? enough(times(cost, hundred), times(expectedAt(campaign, "clients", name), dealValue), 2)
      : enough(times(cost, rate), revenue, 2)
  return needed !== null && needed <= greatestRate(campaign, name) / 100 ? needed : null
}

/** What a campaign is expected to bring by its own rates, exactly: no revenue without a deal value. */
interface Expected {
  readonly clients: Decimal
  readonly revenue: Decimal | undefined
}

const noRates = membersOf(requiredRates, () => null)

/** Solves the break-even for each input alone, exactly, by the campaign's own rates. */
export const breakEven = (campaign: Campaign, { clients, revenue }: Expected): BreakEven => {
  const { average_deal_value: dealValue, campaign_cost: cost, emails_sent } = campaign
  const result: { -readonly [lever in keyof BreakEven]: BreakEven[lever] } = {
    emails_sent: revenue === undefined || cost === undefined ? null : enough(times(cost, emails_sent), revenue, 0),
    ...noRates,
    average_deal_value: cost === undefined ? null : enough(cost, clients, 2),
    campaign_cost: revenue === undefined ? null : figure(roundDown(revenue, 2))
  }
  for (const name of givenRates(campaign, "clients")) {
    result[name] =
      dealValue === undefined || cost === undefined || revenue === undefined
        ? null
        : enoughRate(campaign, dealValue, cost, revenue, name)
  }
  return result
}

/**
 * Expected revenue less cost, to 2 decimals, null without a deal value or a cost; and the same as a percentage of the cost,
 * to 1 decimal, null where that is 0 too.
 */
export const profitOf = (
  { campaign_cost: cost }: Campaign,
  { revenue }: Expected
): { readonly estimated: number | null; readonly percent: number | null } => {
  if (revenue === undefined || cost === undefined) return { estimated: null, percent: null }
  const profit = minus(revenue, cost)
  return {
    estimated: roundSigned(profit, 2),
    percent: cost.value === 0n ? null : quotientSigned(times(profit, hundred), cost, 1)
  }
}

/**
 * The fewest clients whose deals pay `amount`, by exact division: doubles get 14 of 118 exact multiples wrong. Infinity
 * where no number of them does.
 */
export const clientsToEarn = (amount: BigDecimal.BigDecimal, dealValue: BigDecimal.BigDecimal): number => {
  if (amount.value <= 0n) return 0
  return dealValue.value === 0n ? Infinity : Number(quotientUp(amount, dealValue, 0).units)
}

/** The fewest clients that pay the campaign's cost: Infinity where none do, nothing without a deal value or a cost. */
export const clientsToBreakEven = ({
  average_deal_value: dealValue,
  campaign_cost: cost
}: Campaign): number | undefined =>
  dealValue === undefined || cost === undefined ? undefined : clientsToEarn(cost, dealValue)
