import { clientRange, integer } from "../../text/Figures.ts"
import type { TrackRecord } from "../../forecast/outlook/Outlook.ts"
import { ofTrackRecord } from "../../forecast/outlook/OutlookNotes.ts"
import { ofHundred } from "../../forecast/Words.ts"
import { maxSummed } from "./Portfolio.ts"
import type { PortfolioTotals, Ranking } from "./PortfolioAnswer.ts"

const rankedBy = {
  profit: "Ranked by expected profit, and compared by the profit of each possible outcome.",
  clients: "Ranked and compared by clients, because a deal value or a cost is missing."
} as const satisfies { readonly [by in Ranking["by"]]: string }

const sharedLevel =
  "How good your rates are on average is the same for all campaigns, as far as your past ones leave it unknown. Apart from that, they are taken as independent."

const independent =
  "The campaigns are taken as independent: if several of them share a list or a sender, their results move together."

/** Notes on how totals and ranking were computed, why a figure is null, and what they assume. */
export const portfolioNotes = (
  totals: PortfolioTotals,
  by: Ranking["by"],
  record: TrackRecord | null,
  sharesLevel: boolean
): ReadonlyArray<string> => [
  ...(totals.clients === null
    ? [`The ranges of clients and profit are null: they take at most ${maxSummed} campaigns.`]
    : [
        `In ${ofHundred(totals.clients.chance_within)} such sets of campaigns: ${clientRange(totals.clients, integer)} in all.`
      ]),
  `In ${ofHundred(totals.chance_of_no_client)} such sets of campaigns: no client at all.`,
  totals.chance_to_break_even === null
    ? totals.clients !== null && totals.profit === null
      ? "profit and chance_to_break_even are null: they take a cost and the same deal value in each campaign, and chance_to_break_even at most 20 campaigns."
      : "chance_to_break_even is null: it takes a cost and the same deal value in each campaign, and at most 20 campaigns."
    : `In ${ofHundred(totals.chance_to_break_even)} such sets of campaigns the total revenue covers the total cost.`,
  ...(totals.campaigns === 1 ? [] : [rankedBy[by]]),
  ...ofTrackRecord(record, " at the first campaign's rates"),
  ...(totals.campaigns === 1 ? [] : [sharesLevel ? sharedLevel : independent])
]
