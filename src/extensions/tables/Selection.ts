import { maxPastCampaigns, type PastCampaign } from "../../campaign/PastCampaigns.ts"
import { countNames } from "../../campaign/Rates.ts"
import { type Summary, summariesAmong } from "../../campaign/Summaries.ts"
import { counted } from "../../text/Figures.ts"
import { type CampaignRow, unticked } from "./CampaignRows.ts"

/** The user's own ticks, by the rows' ids. */
export type Ticks = Readonly<Record<string, boolean>>

export const idOf = ({ line }: CampaignRow): string => String(line)

/** The campaign in a row. */
const campaignOf = ({ counts, name }: CampaignRow): PastCampaign => ({
  ...(name === "" ? {} : { name }),
  ...counts,
  emails_sent: counts.emails_sent ?? 0
})

/** A row with its tick, and the reason why that cannot be set. */
interface SelectedRow {
  readonly row: CampaignRow
  readonly campaign: PastCampaign
  readonly isTicked: boolean
  readonly refusal: string | undefined
}

export interface Selection {
  readonly rows: ReadonlyArray<SelectedRow>
  readonly notes: ReadonlyArray<string>
  /** A campaign of the page that cannot be beside these; undefined if all can. */
  readonly conflict: string | undefined
}

/** True if two campaigns have the same name, and the same of each count that both have: exports have different columns. */
const isSame = (a: PastCampaign, b: PastCampaign) =>
  (a.name ?? "").toLowerCase() === (b.name ?? "").toLowerCase() &&
  countNames.every((name) => a[name] === undefined || b[name] === undefined || a[name] === b[name])

/** The reason of a row that is on the page. */
export const alreadyThere = "already there, with the same counts"

const countRefusal = ({ counts }: CampaignRow): string | undefined => {
  if (counts.emails_sent === undefined) return "no number of emails"
  return counts.emails_sent > 0 ? undefined : "no emails were sent"
}

/** The places of campaigns that are the total or average of the others, as the API refuses them. */
const summaryPlaces = (campaigns: ReadonlyArray<PastCampaign>): ReadonlyMap<number, Summary> => {
  const summaries = summariesAmong(campaigns.map(({ emails_sent, name }) => ({ name, emails: emails_sent })))
  return new Map(summaries.flatMap((summary, place) => (summary === undefined ? [] : [[place, summary] as const])))
}

/** The rows without the tick of those that are on the page, and of those beyond the newest that fit beside them. */
const fitting = (rows: ReadonlyArray<CampaignRow>, existing: ReadonlyArray<PastCampaign>, room: number) => {
  const isThere = (row: CampaignRow) => existing.some((other) => isSame(campaignOf(row), other))
  const fresh = unticked(rows, (row) => (isThere(row) ? alreadyThere : undefined))
  const candidates = fresh.filter((row) => row.isTicked && countRefusal(row) === undefined)
  if (candidates.length <= room || room === 0) return { rows: fresh, notes: [] }
  const isDated = candidates.every(({ date }) => date !== undefined)
  const ordered = isDated ? candidates.toSorted((a, b) => (b.date ?? 0) - (a.date ?? 0)) : candidates.toReversed()
  const older = new Set(ordered.slice(room))
  const which = isDated ? "newest" : "last"
  return {
    rows: unticked(fresh, (row) => (older.has(row) ? `not among the ${which} ${room}` : undefined)),
    notes: [
      `${counted(candidates.length, "campaign")} found: the ${which} ${room} are ticked, as there can be at most ${maxPastCampaigns}.`
    ]
  }
}

/** Ticks rows: as the user did, else as the table shows, and never so that the API would refuse them together. */
export const select = (
  all: ReadonlyArray<CampaignRow>,
  ticks: Ticks,
  existing: ReadonlyArray<PastCampaign>
): Selection => {
  const room = Math.max(0, maxPastCampaigns - existing.length)
  const { notes, rows } = fitting(all, existing, room)
  const wanted = rows
    .filter((row) => countRefusal(row) === undefined && (ticks[idOf(row)] ?? row.isTicked))
    .slice(0, room)
    .map((row) => ({ row, campaign: campaignOf(row) }))
  const summaryRefusals = new Map<CampaignRow, string>()
  const sentence = (summary: string) => `the ${summary} of the others, which the forecast refuses`
  let conflict: string | undefined
  for (;;) {
    const [found] = summaryPlaces([...existing, ...wanted.map(({ campaign }) => campaign)])
    if (found === undefined) break
    const [place, summary] = found
    const own = wanted[place - existing.length]
    if (place < existing.length || own === undefined) {
      const name = existing[place]?.name
      conflict = `${name === undefined ? "A campaign without a name" : `“${name}”`} on the page is the ${summary} of the others: remove it first.`
      break
    }
    summaryRefusals.set(own.row, sentence(summary))
    wanted.splice(place - existing.length, 1)
  }
  const ticked = new Set(wanted.map(({ row }) => row))
  const together = [...existing, ...wanted.map(({ campaign }) => campaign)]
  const refusalOf = (row: CampaignRow, campaign: PastCampaign): string | undefined => {
    const refusal = countRefusal(row) ?? summaryRefusals.get(row)
    if (refusal !== undefined || ticked.has(row)) return refusal
    if (ticked.size >= room) return `there can be at most ${maxPastCampaigns} campaigns: untick or remove another`
    const summaries = summaryPlaces([...together, campaign])
    const own = summaries.get(together.length)
    if (own !== undefined) return sentence(own)
    const [other] = conflict === undefined ? summaries : []
    return other === undefined
      ? undefined
      : `with it, “${together[other[0]]?.name ?? ""}” would be the ${other[1]} of the others, which the forecast refuses`
  }
  return {
    rows: rows.map((row) => {
      const campaign = campaignOf(row)
      return { row, campaign, isTicked: ticked.has(row), refusal: refusalOf(row, campaign) }
    }),
    notes,
    conflict
  }
}
