import { recognize } from "../../../src/extensions/tables/ColumnNames.ts"
import { columns, labelOf } from "../../../src/extensions/tables/Columns.ts"
import { code, type Tables } from "../../docTables/Page.ts"

/** Names of columns that a tool uses, and where they are documented. */
interface Source {
  readonly tool: string
  readonly names: ReadonlyArray<string>
  /** A remark about the names. */
  readonly remark?: string
  readonly where: string
}

const words = (text: string) => text.split(", ")

const oncePerContact = ", each counted once per contact"
const publicClients = "public clients of its API"

const sources: ReadonlyArray<Source> = [
  {
    tool: "Instantly",
    names: words(
      "emails_sent_count, contacted_count, new_leads_contacted_count, reply_count, reply_count_unique, total_interested, total_meeting_booked, total_meeting_completed, total_closed"
    ),
    where:
      "[analytics overview of its API](https://developer.instantly.ai/api-reference/campaign/get-campaigns-analytics-overview), fields as its public clients name them"
  },
  {
    tool: "Instantly",
    names: words("sent, replies, unique_replies"),
    where: "[analytics of steps](https://developer.instantly.ai/api-reference/campaign/get-campaign-steps-analytics)"
  },
  {
    tool: "Instantly",
    names: words("total_emails_sent, new_leads_contacted, leads_replied, contacted, leads_who_replied"),
    where:
      "its first API: [count](https://app.theneo.io/instantly-ai/instantlyapidocs/analytics/get-campaign-count), [summary](https://app.theneo.io/instantly-ai/instantlyapidocs/analytics/get-campaign-summary)"
  },
  {
    tool: "Smartlead",
    names: words("Sent, Replied, Positive Reply"),
    where: "[campaign dashboard](https://helpcenter.smartlead.ai/en/articles/100-main-dashboard-analytics-explanation)"
  },
  {
    tool: "Smartlead",
    names: words("sent_count, unique_sent_count, reply_count, positive_reply_count, interested"),
    where: publicClients
  },
  {
    tool: "lemlist",
    names: words("messagesSent, delivered, replied, meetingBooked, nbLeadsReached, nbLeadsAnswered, nbLeadsInterested"),
    where: "[campaign statistics](https://developer.lemlist.com/api-reference/endpoints/campaigns/get-campaign-stats)"
  },
  {
    tool: "lemlist",
    names: words("campaignName, sent, replied, interested"),
    where: "[campaign report](https://developer.lemlist.com/api-reference/objects-definitions/report)"
  },
  {
    tool: "Apollo",
    names: ["Delivered"],
    remark: ", of contacts",
    where:
      "[sequence statistics](https://knowledge.apollo.io/hc/en-us/articles/4409233647373-Sequence-Statistics-Overview)"
  },
  {
    tool: "Apollo",
    names: words("unique_delivered, unique_replied, unique_positive_replied, unique_demoed"),
    where: `${publicClients}; \`unique_scheduled\` counts contacts whose emails are still scheduled, and is not used`
  },
  {
    tool: "Woodpecker",
    names: words("contacted_prospects, delivered, responded, interested"),
    remark: oncePerContact,
    where:
      "[reports](https://docs.woodpecker.co/en/articles/6640241-reports), [what they count](https://developers.woodpecker.co/docs/reports/General-statistics)"
  },
  {
    tool: "Reply.io",
    names: words("contacted, delivered, replied, interested, meetingsBooked"),
    remark: oncePerContact,
    where:
      "[statistics of sequences](https://docs.reply.io/api-reference/sequences/get-stats-for-all-sequences), [what they count](https://support.reply.io/en/articles/978076-live-statistics-view)"
  },
  {
    tool: "Reply.io",
    names: words("campaignName, sentEmails, repliedEmails, contactedPeople, peopleSentTo, repliedPeople"),
    where:
      "[statistics of a step](https://www.withone.ai/knowledge/reply-io/conn_mod_def%3A%3AGJ6N1jT665Q%3A%3AlexyjxzzTD-CmL8xYRYCTg) in its first API, as a connector describes it"
  },
  {
    tool: "Mailshake",
    names: ["title"],
    where:
      "[campaigns of its API](https://api-docs.mailshake.com); no names were found for the counts of a campaign, so assign the other columns yourself if they are not recognized"
  },
  {
    tool: "QuickMail",
    names: ["Replies"],
    where:
      "[metrics by cohort](https://help.quickmail.com/reporting/understanding-metrics-by-cohort-advanced-analytics/), which can be shown per email sent or per lead; no names were found for the other columns"
  },
  {
    tool: "HubSpot",
    names: ["Meetings booked"],
    where:
      "[performance of sequences](https://developers.hubspot.com/docs/api-reference/2026-09-beta/automation/sequences/retrieve-performance); no names were found for its other columns, so assign them yourself"
  }
]

/** Names that people give to their columns. */
const plainNames = words(
  "Campaign, Campaign name, Sequence, Sequence name, Cadence, Name, Title, Subject, campaign_id, " +
    "Emails sent, Sent, Emails, Total emails, Emailed, Outreach sent, Messages sent, " +
    "Contacted, Prospects contacted, Leads contacted, Contacts messaged, Recipients, Delivered, Emails delivered, " +
    "Replies, Replied, Reply count, Total replies, Responded, Responses, Contacts replied, " +
    "Positive replies, Positive reply, positive_replied, Positive, Interested, " +
    "Meetings, Meetings booked, Meeting booked, Calls booked, Demos booked, Appointments, " +
    "Meetings held, Held meetings, Meetings completed, Calls held, " +
    "Clients, Customers, New customers, Won, Deals won, Deals closed, Opportunities won, Closed won"
)

const spelled = (name: string) => name.toLowerCase().replaceAll(/[ _]/g, "")
const names = [...Map.groupBy([...plainNames, ...sources.flatMap((source) => source.names)], spelled).values()].flatMap(
  ([name = ""]) => {
    const meaning = recognize(name)
    if (meaning === undefined) throw new Error(`The calculator does not recognize a column named ${name}`)
    return [{ name, ...meaning }]
  }
)
const listed = (items: ReadonlyArray<string>) => items.map(code).join(", ")

export const pastCampaigns: Tables = {
  "past-campaigns": [
    [
      ["taken for", "columns that count emails or people", "columns that count contacts"],
      ...columns.map((column) => {
        const [contacts = [], others = []] = [true, false].map((isOfContacts) =>
          names.filter((each) => each.column === column && each.isOfContacts === isOfContacts)
        )
        return [labelOf(column), ...[others, contacts].map((each) => listed(each.map(({ name }) => name)))]
      })
    ],
    [
      ["tool", "names", "where"],
      ...sources.map(({ names, remark = "", tool, where }) => [tool, `${listed(names)}${remark}`, where])
    ]
  ]
}
