import { Schema } from "effect"
import type { TrackRecord } from "./Learning.ts"
import { ofHundred } from "../Words.ts"
import { ofTrackRecord } from "./OutlookNotes.ts"

const figure = (description: string, example: number) => Schema.Finite.annotate({ description, examples: [example] })

const figureOrNull = (description: string, example: number) =>
  Schema.NullOr(Schema.Finite).annotate({
    description: `${description} Null when it cannot be computed.`,
    examples: [example]
  })

/** What campaigns bring together. */
export const PortfolioTotals = Schema.Struct({
  campaigns: Schema.Int.annotate({ description: "Number of campaigns.", examples: [2] }),
  emails_sent: Schema.Int.annotate({ description: "Emails of all campaigns.", examples: [5500] }),
  estimated_replies: figure("Forecast replies of all, to 4 decimals.", 275),
  estimated_positive_replies: figure("Forecast positive replies of all, to 4 decimals.", 82.5),
  estimated_meetings: figure("Forecast booked meetings of all, to 4 decimals.", 16.5),
  estimated_clients: figure("Forecast clients of all, to 4 decimals.", 4.125),
  estimated_revenue: figureOrNull("Forecast revenue of all, to 2 decimals.", 10_312.5),
  campaign_cost: figureOrNull("Cost of all, to 2 decimals.", 1200),
  estimated_profit: figureOrNull("Revenue less cost of all, to 2 decimals.", 9112.5),
  roi_multiple: figureOrNull("Revenue over cost of all, to 1 decimal.", 8.6),
  chance_of_no_client: figure("Chance that none of them brings a client, to 4 decimals.", 0.0738),
  chance_to_break_even: figureOrNull(
    "Chance that the revenue of all covers the cost of all, to 4 decimals; only for up to 20 campaigns with the same deal value.",
    0.9262
  )
})
export type PortfolioTotals = typeof PortfolioTotals.Type

/** A campaign's name, or its position in the request, from 0, if it has no name. */
const CampaignReference = Schema.Union([Schema.String, Schema.Int])

/** How often a campaign ends better than its neighbour in a ranking. */
export const NeighbourChances = Schema.Struct({
  chance_first_is_better: figure("Chance that the first ends better than the second, to 4 decimals.", 0.8383),
  chance_equal: figure("Chance that both end the same, to 4 decimals.", 0.1186)
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
  by: Schema.Literals(["profit", "clients"]).annotate({
    description: "profit where every campaign has a deal value and a cost, otherwise clients.",
    examples: ["profit"]
  }),
  order: Schema.Array(CampaignReference).annotate({
    description: "Names, or positions in the request counted from 0, best first; ties keep the order of the request.",
    examples: [["A", "B"]]
  }),
  neighbours: Schema.Array(Neighbours).annotate({
    description: "How sure each place is: each campaign compared with the next, as if they varied independently."
  })
})
export type Ranking = typeof Ranking.Type

/** Sentences that say how totals and ranking came about, why a figure is null, and what they take for granted. */
export const portfolioNotes = (
  totals: PortfolioTotals,
  by: Ranking["by"],
  isMeasured: boolean,
  record: TrackRecord | null
): ReadonlyArray<string> => [
  `In ${ofHundred(totals.chance_of_no_client)} such sets of campaigns: no client at all.`,
  totals.chance_to_break_even === null
    ? "chance_to_break_even is null: it takes a cost and the same deal value in each campaign, and at most 20 campaigns."
    : `In ${ofHundred(totals.chance_to_break_even)} such sets of campaigns the revenue of all covers the cost of all.`,
  by === "profit"
    ? "Ranked by expected profit, and compared by the profit that each really makes."
    : "Ranked and compared by clients, because a deal value or a cost is missing.",
  ...(isMeasured ? ["Sums and ranking go by the rates as given; the chances allow for evidence and history."] : []),
  ...ofTrackRecord(record, " at the first campaign's rates"),
  "The campaigns are taken as independent: one list or one sender in several of them makes their results move together."
]
