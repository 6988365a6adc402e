import { countLabel, type CountName, countNames, passedAt } from "../../campaign/Rates.ts"

/** The possible columns of past campaigns. */
export type ColumnName = "name" | CountName

/** The columns of past campaigns, in the order of the funnel. */
export const columns: ReadonlyArray<ColumnName> = ["name", ...countNames]

export const labelOf = (column: ColumnName): string => (column === "name" ? "Campaign" : countLabel(column))

/** Words for the things that a column counts, within a sentence. */
export const thingsOf = (column: ColumnName): string => {
  if (column === "name") return "the name"
  const label = labelOf(column).toLowerCase()
  if (column === "emails_sent") return label
  const { are, words } = passedAt(column)
  return label === are ? words : label
}
