import { maxPastCampaigns, type PastCampaign } from "../../campaign/PastCampaigns.ts"
import { countNames } from "../../campaign/Rates.ts"
import { counted } from "../../text/Figures.ts"
import { type CampaignRow, leftOutRows, type StepResult } from "./CampaignRows.ts"

/** The campaign in a row. */
export const campaignOf = ({ counts, name }: CampaignRow): PastCampaign => ({
  ...(name === "" ? {} : { name }),
  ...counts,
  emails_sent: counts.emails_sent ?? 0
})

const isSame = (a: PastCampaign, b: PastCampaign) =>
  (a.name ?? "").toLowerCase() === (b.name ?? "").toLowerCase() && countNames.every((name) => a[name] === b[name])

/** Leaves out campaigns that are there already. */
export const withoutExisting = (
  rows: ReadonlyArray<CampaignRow>,
  existing: ReadonlyArray<PastCampaign>
): StepResult => {
  const isThere = (row: CampaignRow) => existing.some((other) => isSame(campaignOf(row), other))
  const there = existing.length === 0 ? [] : rows.filter(isThere)
  return there.length === 0
    ? { rows }
    : { rows: rows.filter((row) => !isThere(row)), leftOut: leftOutRows(there, "already there, with the same counts") }
}

/** The newest rows that fit beside the campaigns that are there; without dates, the last ones. */
export const newest = (rows: ReadonlyArray<CampaignRow>, existing: ReadonlyArray<PastCampaign>): StepResult => {
  const room = Math.max(0, maxPastCampaigns - existing.length)
  if (rows.length <= room) return { rows }
  const isDated = rows.every(({ date }) => date !== undefined)
  const ordered = isDated ? rows.toSorted((a, b) => (b.date ?? 0) - (a.date ?? 0)) : rows.toReversed()
  const taken = new Set(ordered.slice(0, room))
  return {
    rows: rows.filter((row) => taken.has(row)),
    notes: [
      `${counted(rows.length, "campaign")} found: the ${isDated ? "newest" : "last"} ${room} are taken, as there can be at most ${maxPastCampaigns}.`
    ]
  }
}
