/** What to type for a number of a goal or a campaign, in the order in which a line has them. */
export const numberExamples = {
  replies: "300",
  meetings: "20",
  clients: "4",
  revenue: "10000",
  profit: "9000",
  roi_multiple: "20",
  chance: "0.8",
  emails_sent: "5000",
  delivery_rate: "95",
  reply_rate: "5",
  positive_reply_rate: "30",
  meeting_booking_rate: "20",
  show_rate: "80",
  close_rate: "25",
  average_deal_value: "2500",
  campaign_cost: "600",
  emails_per_contact: "3"
} as const

/** The fields that a campaign must have. */
export const requiredFields = [
  "emails_sent",
  "reply_rate",
  "positive_reply_rate",
  "meeting_booking_rate",
  "close_rate"
] as const

/** The flag of a field: `--reply-rate` of `reply_rate`. */
export const flagOf = (field: string): string => `--${field.replaceAll("_", "-")}`

/** What to type for the other flags and arguments, by their names. */
const examples: Readonly<Partial<Record<string, string>>> = {
  amount: "500",
  company: "Example Ltd",
  credits: "100",
  delta: "-5",
  email: "ada@example.com",
  from: "sqlite:data/outreach-forecast.db",
  key: "KEY",
  limit: "50",
  mail: "MAIL",
  month: "2026-11",
  name: "Ada Lovelace",
  order: "ORDER",
  "paid-at": "2026-11-21",
  reason: "a mistake",
  reference: "bank 7",
  to: "sqlite:data/copy.db"
}

/** What to type for a flag or an argument; a file has a name that suits its command. */
export const exampleOf = (name: string, command: string): string | undefined => {
  if (name === "file") return { compare: "campaigns.csv", "database backup": "backup.db" }[command] ?? "campaign.json"
  const ofNumber = Object.entries(numberExamples).find(([field]) => flagOf(field) === `--${name}`)
  return ofNumber?.[1] ?? examples[name]
}
