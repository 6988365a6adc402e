/** A past campaign with every field. */
const past = {
  name: 'March "DACH" – Zürich',
  emails_sent: 3200,
  delivered: 3100,
  replies: 61,
  positive_replies: 19,
  meetings: 5,
  meetings_held: 4,
  clients: 1
}

/** A campaign with every field but the history. */
const plan = {
  emails_sent: 4800,
  reply_rate: 2.45,
  positive_reply_rate: 31.25,
  meeting_booking_rate: 45,
  close_rate: 22.5,
  average_deal_value: 2500.75,
  campaign_cost: 600,
  delivery_rate: 95.5,
  show_rate: 80,
  emails_per_contact: 3,
  spread: "none"
}
const history = [past, { emails_sent: 800, replies: 31 }]
const full = { ...plan, history }

/** The same in other words: camelCase where there is one, in another order, with other digits. */
const { average_deal_value, campaign_cost, close_rate, emails_sent, meeting_booking_rate, ...others } = plan
const { positive_reply_rate, reply_rate, ...refinements } = others
const respelled =
  JSON.stringify({
    history: history.map((row) => Object.fromEntries(Object.entries(row).toReversed())),
    ...Object.fromEntries(Object.entries(refinements).toReversed()),
    campaignCost: campaign_cost,
    averageDealValue: average_deal_value,
    closeRate: close_rate,
    meetingBookingRate: meeting_booking_rate,
    positiveReplyRate: positive_reply_rate,
    replyRate: reply_rate
  }).slice(0, -1) + `, "emailsSent": ${emails_sent / 1000}e3 }`

/** Only what is required, and defaults that are spelled out. */
const least = { emails_sent, reply_rate, positive_reply_rate, meeting_booking_rate, close_rate }
const spelledOut = { ...least, campaign_cost: null, spread: "published", history: null }

const flight = {
  ...full,
  so_far: { ...past, name: undefined, emails_sent: 3300 },
  open: { emails: 40, replies: 7, positive_replies: 4, meetings: 1, meetings_held: 1 },
  emails_left: 1500
}

const listed = { name: "Agencies – Zürich", ...plan }
const list = JSON.stringify({ campaigns: [listed, least], history })
const csvColumns = Object.keys(listed)
const csv = `${csvColumns.join(",")}\n${Object.values(listed).join(",")}\n,${Object.values(least).join(",")},,,,,,\n`

const goal = (goal: object, campaign: object = full) => JSON.stringify({ ...campaign, goal })

/** A request to an endpoint, as JSON unless it says otherwise, and its fingerprint. */
interface Pinned {
  readonly name: string
  readonly path: string
  readonly body: string
  readonly type?: string
  readonly accept?: string
  /** The tool whose arguments are the body, if it is one of those that are called. */
  readonly tool?: string
  readonly fingerprint: string
}

const [forecasts, lists] = ["/api/v1/forecast", "/api/v1/forecasts"]

const everyField = "RZFQhR2ZPHVEZu4PpdsX8GlXHby5JYFpZaFHssdYgYo"
const listOfAll = "sGyzDNT_2Xi_0T0IAFh8fTij6ncofoQcO9WzRRWsnfo"
const listByCsv = "f3awf77WH0q79CAeOit50w3lj7WSJUjO5mSMTParJ8E"
const required = "0dvPYajpR1kcBtV-MIC_YfXAbfu0K0pZkM3a4J3m7Fc"

/**
 * Requests with their fingerprints. Clients retry across upgrades: a value that changes is a retry that is refused, and
 * paid again. So none may ever change. They have every field of 2026-11-28: a later one needs a request of its own.
 */
export const pinned: ReadonlyArray<Pinned> = [
  { name: "a forecast", path: forecasts, body: JSON.stringify(full), fingerprint: everyField },
  { name: "a forecast in camelCase", path: forecasts, body: respelled, tool: "forecast", fingerprint: everyField },
  { name: "the shortest forecast", path: forecasts, body: JSON.stringify(least), fingerprint: required },
  { name: "a forecast with defaults", path: forecasts, body: JSON.stringify(spelledOut), fingerprint: required },
  { name: "a legacy forecast", path: "/api/v1/service/roi", body: respelled, fingerprint: everyField },
  {
    name: "a goal of replies",
    path: "/api/v1/goals",
    body: goal({ replies: 400 }),
    fingerprint: "Zf9oxNrmhvaFO-ZlhnZpwA5ZWvRk7MP-AQip8GwtBBI"
  },
  {
    name: "a goal of meetings",
    path: "/api/v1/goals",
    body: goal({ meetings: 20.5 }),
    fingerprint: "QWwvkt1ABxf5YUOhd4XbpbXEMa68HW3bVN3Kof7YAtc"
  },
  {
    name: "a goal of clients",
    path: "/api/v1/goals",
    body: goal({ chance: 0.85, clients: 4 }),
    tool: "reach_goal",
    fingerprint: "vC0U0vo352S7yjcRZy2byIHRude0PSeSK8csSkpD3D8"
  },
  {
    name: "a goal of revenue",
    path: "/api/v1/goals",
    body: goal({ revenue: 1e4 }),
    fingerprint: "WWGNC_orLUjGadi6ch6BNg6THL9NFZUfgsbnJ1Y5lgU"
  },
  {
    name: "a goal of profit",
    path: "/api/v1/goals",
    body: goal({ profit: 9000.01 }),
    fingerprint: "Fb-jd5d6sITDFphdP21Jc70eJ67nJEob3OVnOSyZpBw"
  },
  {
    name: "a goal of ROI",
    path: "/api/v1/goals",
    body: goal({ roi_multiple: 20 }),
    fingerprint: "7h9VlybDoPgVXXRNCkny1Img7odWVRYdCLQOooqsVsU"
  },
  {
    name: "progress",
    path: "/api/v1/progress",
    body: JSON.stringify(flight),
    tool: "campaign_progress",
    fingerprint: "nQGVPAPaTSBb3Zt8tXcFktMSUe14JEw37g_INLh4YMk"
  },
  {
    name: "progress with defaults",
    path: "/api/v1/progress",
    body: JSON.stringify({
      ...least,
      so_far: { emails_sent: 3300, replies: 61, positive_replies: 19, meetings: 5, clients: 1 },
      open: { emails: 0 }
    }),
    fingerprint: "Kx8jhEO0zsveI8oN8q5tZywd6Xdu-y8gogQNMIrOefg"
  },
  { name: "a list", path: lists, body: list, tool: "compare_campaigns", fingerprint: `json ${listOfAll}` },
  { name: "a list, answered by CSV", path: lists, body: list, accept: "text/csv", fingerprint: `csv ${listOfAll}` },
  {
    name: "a list by CSV",
    path: lists,
    body: csv,
    type: "text/csv",
    accept: "text/csv",
    fingerprint: `csv ${listByCsv}`
  },
  {
    name: "a list by CSV, answered by JSON",
    path: lists,
    body: csv,
    type: "text/csv",
    fingerprint: `json ${listByCsv}`
  }
]

/**
 * An order by a key of this owner, by this owner without a key, and by a form without one: the owner of the answers to
 * the latter two, and the fingerprint of all.
 */
export const pinnedOrder = {
  owner: { name: "Ada – Lovelace", email: "Ada@Example.com", company: "Example Ltd" },
  pack: "starter",
  form: "AAAAAAAAAAAAAAAAAAAAAA",
  scope: "tfyF5VdV-eDQMKEKtEKbaylEhV-aDWAHf-gyvsvEHXI",
  fingerprint: "ghf_-lpbnsrfCspShB9oTGmlTganEJSE35kJb65W_to"
}
