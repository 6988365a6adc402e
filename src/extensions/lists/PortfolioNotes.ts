import { clientRange, integer } from "../../text/Figures.ts"
import type { TrackRecord } from "../../forecast/outlook/Outlook.ts"
import { ofTrackRecord } from "../../forecast/outlook/OutlookNotes.ts"
import { ofHundred } from "../../forecast/Words.ts"
import { maxSummed } from "./Portfolio.ts"
import type { PortfolioTotals, Ranking } from "./PortfolioAnswer.ts"

const rankedBy = {
  profit: "Ranked by average profit, and compared by the profit of each possible outcome.",
  clients: "Ranked and compared by clients, because a deal value or a cost is missing."
} as const satisfies { readonly [by in Ranking["by"]]: string }

/** The result of all campaigns together. */
type Together = Pick<PortfolioTotals, "clients" | "chance_of_no_client">

/** A summary of a list, and its assumptions. */
interface Summary {
  readonly totals: PortfolioTotals
  readonly by: Ranking["by"]
  readonly track_record: TrackRecord | null
  /** A question about the past campaigns: all figures stand on its answer. */
  readonly question: string | undefined
  readonly independent: boolean
  /** False if no two campaigns have rates that vary. */
  readonly canShare: boolean
  /** The result by the other assumption; undefined with a history, which is one sender's. */
  readonly otherwise: Together | undefined
}

const togetherText = ({ chance_of_no_client: none, clients }: Together): string =>
  `${clients === null ? "" : `${clientRange(clients, integer)} in total, and `}none in ${ofHundred(none)}`

/** The assumption on what campaigns have in common, and what the other one would give. */
const assumptionNote = ({
  canShare,
  independent,
  otherwise
}: Pick<Summary, "canShare" | "independent" | "otherwise">): string => {
  if (!canShare) return "No two campaigns have a rate that varies, so they have nothing in common."
  if (otherwise === undefined) {
    return "How good your rates are on average is the same for all campaigns, as far as your past ones leave it unknown. Apart from that, they are taken as independent."
  }
  return independent
    ? `The campaigns are taken as those of different clients, which have nothing in common (independent). If they were one sender's: ${togetherText(otherwise)}.`
    : `The campaigns are taken as one sender's, so all of them do equally well or badly within the published spread of reply rates: nobody knows how much of it is the sender. ` +
        `If they were those of different clients, with nothing in common (independent): ${togetherText(otherwise)}.`
}

/** Notes on how totals and ranking were computed, why a figure is null, and what they assume. */
export const portfolioNotes = (summary: Summary): ReadonlyArray<string> => {
  const { by, question, totals, track_record: record } = summary
  return [
    ...(question === undefined ? [] : [question]),
    ...(totals.clients === null
      ? [`The ranges of clients and profit are null: they take at most ${maxSummed} campaigns.`]
      : [`In ${ofHundred(totals.clients.chance_within)} cases: ${clientRange(totals.clients, integer)} in total.`]),
    `In ${ofHundred(totals.chance_of_no_client)} cases, no campaign wins a client.`,
    totals.chance_to_break_even === null
      ? totals.clients !== null && totals.profit === null
        ? "profit and chance_to_break_even are null: they take a cost and the same deal value in each campaign, and chance_to_break_even at most 20 campaigns."
        : "chance_to_break_even is null: it takes a cost and the same deal value in each campaign, and at most 20 campaigns."
      : `In ${ofHundred(totals.chance_to_break_even)} cases, total revenue covers total cost.`,
    ...(totals.campaigns === 1 ? [] : [rankedBy[by]]),
    ...ofTrackRecord(record, " at the first campaign's rates"),
    ...(totals.campaigns === 1 ? [] : [assumptionNote(summary)])
  ]
}
