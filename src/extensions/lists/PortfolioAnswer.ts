import { Schema } from "effect"
import { described } from "../../input/Schemas.ts"
import { number, numberOrNull, summary } from "../../forecast/AnswerFields.ts"
import { amounts, StageOutlook } from "../../forecast/outlook/Outlook.ts"

/** The totals of campaigns. */
export const PortfolioTotals = Schema.Struct({
  summary: summary(
    "Together 2 campaigns bring 0 to 7 clients in 85 of 100 such sets, 3.25 on average, none in 11 of 100; the best by profit is Agencies, better than Shops in 84 of 100."
  ),
  campaigns: Schema.Int.annotate({ description: "Number of campaigns.", examples: [2] }),
  emails_sent: Schema.Int.annotate({ description: "Total emails.", examples: [5500] }),
  estimated_replies: number("Total forecast replies, to 4 decimals.", 275),
  estimated_positive_replies: number("Total forecast positive replies, to 4 decimals.", 82.5),
  estimated_meetings: number("Total forecast booked meetings, to 4 decimals.", 16.5),
  estimated_clients: number("Total forecast clients, to 4 decimals.", 4.125),
  estimated_revenue: numberOrNull("Total forecast revenue, to 2 decimals.", 10_312.5),
  campaign_cost: numberOrNull("Total cost, to 2 decimals.", 1200),
  estimated_profit: numberOrNull("Total revenue less total cost, to 2 decimals.", 9112.5),
  roi_multiple: numberOrNull("Total revenue over total cost, to 1 decimal.", 8.6),
  clients: Schema.NullOr(StageOutlook).annotate({
    description:
      "The range of the clients of all campaigns together. Only for up to 250 campaigns, otherwise null. Unless they are " +
      "independent, the level of their rates is the same for all, as far as it is unknown."
  }),
  profit: amounts(
    "Total revenue less total cost at low, median and high clients, to 2 decimals; only for up to 250 campaigns with the same deal value."
  ),
  chance_of_no_client: number("Chance that none of them brings a client, to 4 decimals.", 0.0908),
  chance_to_break_even: numberOrNull(
    "Chance that the total revenue covers the total cost, to 4 decimals; only for up to 20 campaigns with the same deal value.",
    0.9092
  )
})
export type PortfolioTotals = typeof PortfolioTotals.Type

/** A campaign's name, or its position in the request, from 0, if it has no name. */
const CampaignReference = Schema.Union([Schema.String, Schema.Int]).annotate({ title: "CampaignReference" })

/**
 * The chances that a campaign ends better than its neighbour in a ranking, and that both end the same. The former is 0
 * or 1 only if it is exactly that; the latter is 0 if no counts with a chance above 1e-18 of the greatest are equal.
 */
export const NeighbourChances = Schema.Struct({
  chance_first_is_better: number("Chance that the first ends better than the second, to 4 decimals.", 0.8611),
  chance_equal: number("Chance that both end the same, to 4 decimals.", 0.1209)
})
export type NeighbourChances = typeof NeighbourChances.Type

/** Two neighbours of a ranking. */
const Neighbours = Schema.Struct({
  first: CampaignReference,
  second: CampaignReference,
  ...NeighbourChances.fields
})

/** Campaigns from the best expectation down. */
export const Ranking = Schema.Struct({
  by: described(
    Schema.Literals(["profit", "clients"]).annotate({ title: "RankedBy" }),
    "profit if every campaign has a deal value and a cost, otherwise clients.",
    "profit"
  ),
  order: described(
    Schema.Array(CampaignReference),
    "Names, or positions in the request counted from 0, best first; ties keep the order of the request.",
    ["A", "B"]
  ),
  neighbours: Schema.Array(Neighbours).annotate({
    description:
      "How certain each rank is: each campaign compared with the next. Unless they are independent, the level of their rates is the same for both, as far as it is unknown."
  })
})
export type Ranking = typeof Ranking.Type
