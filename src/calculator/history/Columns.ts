import type { CountName } from "../../campaign/Rates.ts"

/** The possible columns of past campaigns. */
export type ColumnName = "name" | CountName

/** The columns of past campaigns, in the order of the funnel, with their labels. */
export const columns: ReadonlyArray<{ readonly name: ColumnName; readonly label: string }> = [
  { name: "name", label: "Campaign" },
  { name: "emails_sent", label: "Emails sent" },
  { name: "delivered", label: "Delivered" },
  { name: "replies", label: "Replies" },
  { name: "positive_replies", label: "Positive replies" },
  { name: "meetings", label: "Meetings booked" },
  { name: "meetings_held", label: "Meetings held" },
  { name: "clients", label: "Clients" }
]

export const labelOf = (column: ColumnName): string => columns.find(({ name }) => name === column)?.label ?? column
