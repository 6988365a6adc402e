import type { CountName } from "../../campaign/Rates.ts"
import type { Cell } from "./Cells.ts"
import type { Table } from "./Layout.ts"
import { type CampaignRow, excerpt, firstFew, type StepResult, unticked } from "./CampaignRows.ts"
import { isOfDates, isOfOwners, isOfSteps, withoutStep } from "./ColumnNames.ts"
import type { ReadColumn } from "./ColumnUses.ts"
import { labelOf } from "./Columns.ts"

/** A row whose cells were read by the meaning of their columns, not yet known to be a campaign. */
export interface ReadRow extends CampaignRow {
  /** Its place in the table. */
  readonly place: number
  readonly cells: ReadonlyArray<Cell>
  /** The first of its cells that is not empty, which may say what it is. */
  readonly label: string
}

const maxName = 100

/** The rows of a table by its columns. */
export const readRows = (
  { rows }: Table,
  columns: ReadonlyArray<ReadColumn>,
  dates: ReadonlyArray<number> | undefined
): ReadonlyArray<ReadRow> => {
  const nameColumn = columns.find(({ use }) => use === "name")
  const counted = columns.flatMap((column) =>
    column.use === undefined || column.use === "name" ? [] : [{ ...column, use: column.use }]
  )
  const textAt = (row: (typeof rows)[number], index: number) => {
    const cell = row.cells[index]
    return cell === undefined || cell.kind === "empty" ? "" : cell.text
  }
  const owners = columns.filter(({ kind, name, use }) => use === undefined && kind === "text" && isOfOwners(name))
  // Below merged cells, an owner is that of the row above; below a heading, the rows are of what it says.
  let above: ReadonlyArray<string> = []
  let heading = ""
  const ownersOf = rows.map((row) => {
    above = owners.map(({ index }, place) => textAt(row, index) || (above[place] ?? ""))
    const filled = row.cells.filter(({ kind }) => kind !== "empty")
    if (filled.length === 1) heading = filled[0]?.text ?? ""
    return [heading, ...above].filter((text) => text !== "").join(", ")
  })
  // Rows called only Step 1, Step 2 are of the campaign above them.
  let campaign = ""
  const names = rows.map((row) => {
    const name = nameColumn === undefined ? "" : textAt(row, nameColumn.index)
    if (withoutStep(name) === "") return campaign || name
    campaign = name
    return name
  })
  const campaignOf = (name: string) => withoutStep(name) || name
  const ownersByCampaign = new Map<string, Set<string>>()
  for (const [place, name] of names.entries()) {
    const campaign = campaignOf(name).toLowerCase()
    ownersByCampaign.set(campaign, (ownersByCampaign.get(campaign) ?? new Set()).add(ownersOf[place] ?? ""))
  }
  /** A name, whose campaign says whom it was for where others of its name were for others. */
  const nameOf = (place: number) => {
    const name = names[place] ?? ""
    const whose = ownersOf[place] ?? ""
    const campaign = campaignOf(name)
    const isShared = name !== "" && whose !== "" && ownersByCampaign.get(campaign.toLowerCase())?.size !== 1
    return (isShared ? `${campaign} (${whose})${name.slice(campaign.length)}` : name).slice(0, maxName)
  }
  return rows.map(({ cells, line }, place): ReadRow => {
    const name = nameOf(place)
    const counts: { [count in CountName]?: number } = {}
    for (const { counts: values, use } of counted) {
      const value = values[place]
      if (value !== undefined) counts[use] = value
    }
    const label = cells.find(({ kind }) => kind !== "empty")?.text ?? ""
    const called = label === "" || /^[\d$€£]/.test(label) ? "" : `, “${excerpt(label)}”`
    return {
      line,
      isTicked: true,
      place,
      cells,
      name,
      shown: name === "" ? `line ${line}${called}` : `“${name}”`,
      label,
      counts,
      date: dates?.[place]
    }
  })
}

/** Names rows by the campaign above them, if a table of steps, mailboxes or days writes its name only once. */
export const namedFromAbove = (
  rows: ReadonlyArray<ReadRow>,
  columns: ReadonlyArray<ReadColumn>
): StepResult<ReadRow> => {
  const areMost = rows.filter(({ name }) => name === "").length >= rows.length / 2
  const ofParts = columns.filter(
    ({ kind, name, use }) =>
      use === undefined && (isOfSteps(name) || kind === "address" || (areMost && (kind === "date" || isOfDates(name))))
  )
  const hasPart = ({ cells }: ReadRow) => ofParts.some(({ index }) => cells[index]?.kind !== "empty")
  const isPart = (row: ReadRow) => row.name === "" && hasPart(row)
  if (rows[0]?.name === "" || !rows.some(isPart)) return { rows }
  let above = rows[0]
  const partsOf = new Map<ReadRow, number>()
  const filled = rows.map((row) => {
    if (isPart(row) && above !== undefined) {
      partsOf.set(above, (partsOf.get(above) ?? 0) + (row.counts.emails_sent ?? 0))
      return { ...row, name: above.name, shown: above.shown }
    }
    above = row
    return row
  })
  // The row with the name may have the sums of those below it.
  const isSum = (row: ReadRow) => !hasPart(row) && partsOf.get(row) === (row.counts.emails_sent ?? Number.NaN)
  return {
    rows: unticked(filled, (row) => (isSum(row) ? "the sum of the rows below" : undefined)),
    notes: ["Rows without a name belong to the campaign above them."]
  }
}

/** Names the cells of these rows that are not counts, although their columns are. */
export const withUnreadable = (
  rows: ReadonlyArray<ReadRow>,
  columns: ReadonlyArray<ReadColumn>
): StepResult<ReadRow> => {
  const hasEmails = columns.some(({ use }) => use === "emails_sent")
  const leftOut = columns.flatMap(({ counts, index, use }) => {
    if (use === undefined || use === "name") return []
    const textIn = ({ cells, place }: ReadRow) => {
      const cell = cells[index]
      return cell === undefined || cell.kind === "empty" || counts[place] !== undefined ? undefined : cell.text
    }
    // A row without emails is left out as a whole.
    const isUsed = (row: ReadRow) => use === "emails_sent" || !hasEmails || row.counts.emails_sent !== undefined
    const wrong = rows.filter((row) => textIn(row) !== undefined && isUsed(row))
    const [first] = wrong
    if (first === undefined) return []
    const shown = firstFew(wrong.map((row) => row.shown))
    return [`“${labelOf(use)}” is left out in ${shown}: “${excerpt(textIn(first) ?? "")}” is not a count.`]
  })
  return { rows, leftOut }
}
