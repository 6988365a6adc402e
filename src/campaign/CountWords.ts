import type { CountName } from "./Rates.ts"

/** The singular and the plural of each count. */
export const countNouns: { readonly [count in CountName]: readonly [one: string, many: string] } = {
  emails_sent: ["email", "emails"],
  delivered: ["delivered email", "delivered emails"],
  replies: ["reply", "replies"],
  positive_replies: ["positive reply", "positive replies"],
  meetings: ["meeting", "meetings"],
  meetings_held: ["held meeting", "held meetings"],
  clients: ["client", "clients"]
}

/** Other words for the counts of a campaign. */
export const countWords = {
  emails_sent: "emails sent emails_total emails_so_far",
  delivered: "emails_delivered delivered_emails",
  replies: "reply_count replied responses",
  positive_replies: "positive positives interested interested_replies",
  meetings: "meetings_booked booked_meetings booked calls demos",
  meetings_held: "held held_meetings meetings_attended shows",
  clients: "customers deals deals_won sales closed won"
} as const

/** Finds the canonical name for a synonym, ignoring case. */
export const meantBy = (words: Readonly<Record<string, string>>): ((word: string) => string | undefined) => {
  const meant = new Map(
    Object.entries(words).flatMap(([name, others]) => others.split(" ").map((word) => [word, name] as const))
  )
  return (word) => meant.get(word.toLowerCase())
}
