import type { TrackRecord } from "./History.ts"
import { ofHundred } from "../Words.ts"
import { ofTrackRecord } from "./OutlookNotes.ts"
import type { PortfolioTotals, Ranking } from "./PortfolioAnswer.ts"

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
