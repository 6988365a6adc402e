import { countLabel, type CountName, countNames } from "../../campaign/Rates.ts"

/** The possible columns of past campaigns. */
export type ColumnName = "name" | CountName

/** The columns of past campaigns, in the order of the funnel, with their labels. */
export const columns: ReadonlyArray<{ readonly name: ColumnName; readonly label: string }> = [
  { name: "name", label: "Campaign" },
  ...countNames.map((name) => ({ name, label: countLabel(name) }))
]

export const labelOf = (column: ColumnName): string => (column === "name" ? "Campaign" : countLabel(column))

/** What a column counts, within a sentence. */
export const thingsOf = (column: ColumnName): string => {
  if (column === "name") return "the name"
  return column === "delivered" ? "delivered emails" : labelOf(column).toLowerCase()
}
