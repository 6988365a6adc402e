import { datesIn } from "./Dates.ts"
import type { Table } from "./Layout.ts"
import { campaignsOfSteps, isOfDates, isOfGroups, isOfSenders, isOfSteps } from "./ColumnNames.ts"
import type { ReadColumn } from "./ColumnUses.ts"

/** The kind of each row of a table. */
export type RowKind = "campaign" | "contact" | "day" | "group" | "mailbox" | "step"

/** True if the names in a column are those of campaigns, and not of people. */
export const isOfCampaigns = ({ name }: ReadColumn): boolean => /[ck]ampa[iñng]|sequence|cadence/i.test(name)

/** The greatest number of emails that one contact gets. */
const maxEmailsToContact = 15

/** The kind of the rows of a table, as far as columns and cells show it; `names` are those of the column of names. */
export const rowKindOf = (table: Table, columns: ReadonlyArray<ReadColumn>): RowKind => {
  const { header, rows } = table
  const nameColumn = columns.find(({ use }) => use === "name")
  const addresses = columns.filter(({ kind }) => kind === "address")
  const isOfPeople = header.some((name) =>
    /^(?:first|last|full)[ _]?name$|linked ?in|phone|job ?title|^company$/i.test(name.trim())
  )
  const emails = columns.find(({ use }) => use === "emails_sent")
  const distinct = addresses.some(
    ({ index }) => new Set(rows.map(({ cells }) => cells[index]?.text)).size > rows.length * 0.8
  )
  const areSmall =
    emails === undefined || emails.counts.every((count) => count === undefined || count <= maxEmailsToContact)
  const others = columns.filter(({ use }) => use !== undefined && use !== "name" && use !== "emails_sent")
  const areFew = others.every(({ counts }) => counts.every((count) => count === undefined || count <= 5))
  const isMany = rows.length >= 5
  if (areSmall && areFew && ((distinct && rows.length > 1) || isOfPeople || (emails !== undefined && isMany)))
    return "contact"
  if (table.isTurned && nameColumn?.kind === "date" && rows.length > 1) return "day"
  if (rows.length < 2) return "campaign"
  if (nameColumn !== undefined) {
    const names = rows.map(({ cells }) => cells[nameColumn.index]?.text ?? "")
    if (campaignsOfSteps(names) !== undefined) return "step"
    if (isOfCampaigns(nameColumn)) return "campaign"
    if (isOfSteps(nameColumn.name)) return "step"
    if (isOfGroups(nameColumn.name) && nameColumn.kind === "text") return "group"
    if (isOfSenders(nameColumn.name) || nameColumn.kind === "address") return "mailbox"
    if (nameColumn.kind === "date") return "day"
    if (nameColumn.kind !== "count") return "campaign"
  }
  if (columns.some(({ name }) => isOfSteps(name))) return "step"
  if (columns.some(({ kind, name, use }) => kind === "date" || (use === undefined && isOfDates(name)))) return "day"
  return addresses.length > 0 ? "mailbox" : "campaign"
}

/** The order of the dates of rows: by the column of dates whose name says most about when a campaign was. */
export const dateOrder = ({ rows }: Table, columns: ReadonlyArray<ReadColumn>): ReadonlyArray<number> | undefined => {
  const dated = columns.filter(
    ({ kind, name, use }) => use === undefined && (kind === "date" || (kind === "count" && isOfDates(name)))
  )
  for (const { index } of dated.toSorted((a, b) => Number(isOfDates(b.name)) - Number(isOfDates(a.name)))) {
    const orders = datesIn(rows.flatMap(({ cells }) => cells[index] ?? []))
    if (orders !== undefined) return orders
  }
  return undefined
}
