import type { GoalAnswer, LeverAnswer } from "./Goals.ts"

type Levers = GoalAnswer["needed"]

/** What the inputs that a goal is solved for are called for people, and what kind of number each is. */
const leverLabels: {
  readonly [lever in keyof Levers]-?: { readonly label: string; readonly kind: "count" | "rate" | "money" }
} = {
  emails_sent: { label: "Emails sent", kind: "count" },
  delivery_rate: { label: "Delivery rate", kind: "rate" },
  reply_rate: { label: "Reply rate", kind: "rate" },
  positive_reply_rate: { label: "Positive reply rate", kind: "rate" },
  meeting_booking_rate: { label: "Meeting booking rate", kind: "rate" },
  show_rate: { label: "Show rate", kind: "rate" },
  close_rate: { label: "Close rate", kind: "rate" },
  average_deal_value: { label: "Deal value", kind: "money" },
  campaign_cost: { label: "Cost, at most", kind: "money" }
}

const isLever = (name: string): name is keyof typeof leverLabels => name in leverLabels

/** The answers for each input that was solved, with its label and kind. */
export const labelledLevers = (needed: Levers) =>
  Object.entries(needed).flatMap(([name, answer]: [string, LeverAnswer]) =>
    isLever(name) ? [{ ...leverLabels[name], ...answer }] : []
  )
