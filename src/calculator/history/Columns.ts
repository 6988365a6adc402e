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

/** The meaning of a column, and whether it counts contacts, who may get several emails each. */
export interface Recognized {
  readonly column: ColumnName
  readonly isOfContacts: boolean
}

/** The column names of exports, in lower case without spaces and signs; docs/past-campaigns.md has their sources. */
const names: { readonly [column in ColumnName]: string } = {
  name: "name campaign campaignname",
  emails_sent: "emailssent sent emails sentcount emailssentcount totalemailssent totalsent messagessent",
  delivered: "delivered emailsdelivered",
  replies: "replies replied replycount replycountunique uniquereplies responded responses",
  positive_replies:
    "positivereplies positivereply positivereplycount positive interested totalinterested nbleadsinterested",
  meetings: "meetings meetingsbooked meetingbooked bookedmeetings totalmeetingbooked",
  meetings_held: "meetingsheld heldmeetings meetingscompleted totalmeetingcompleted",
  clients: "clients customers won dealswon opportunitieswon closedwon totalclosed"
}

/** The same for columns that count contacts. */
const namesOfContacts: { readonly [column in ColumnName]?: string } = {
  emails_sent:
    "contacted contactedcount contactedprospects leadscontacted newleadscontacted newleadscontactedcount uniquesentcount nbleadsreached",
  delivered: "uniquedelivered",
  replies: "uniquereplied leadsreplied leadswhoreplied nbleadsanswered"
}

const recognized = new Map<string, Recognized>(
  [names, namesOfContacts].flatMap((table, index) =>
    columns.flatMap(({ name: column }) =>
      (table[column] ?? "")
        .split(" ")
        .flatMap((name): ReadonlyArray<readonly [string, Recognized]> =>
          name === "" ? [] : [[name, { column, isOfContacts: index === 1 }]]
        )
    )
  )
)

/** Every recognized name, in lower case. */
export const recognizedNames: ReadonlySet<string> = new Set(recognized.keys())

/** The meaning of a column name; undefined if it is unknown, without guessing. */
export const recognize = (name: string): Recognized | undefined =>
  recognized.get(name.toLowerCase().replaceAll(/[^\p{L}\p{N}%]/gu, ""))
