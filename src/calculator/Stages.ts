import type { Forecast } from "../forecast/Forecast.ts"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { showExact } from "../forecast/Decimal.ts"
import { toDouble } from "../forecast/outlook/Exact.ts"

/** A stage of a funnel: what is expected of it, how it comes from the stage before, and how sure that is. */
export interface Stage {
  readonly name: string
  readonly count: number
  readonly rate: string
  readonly outlook?: Forecast["outlook"]["clients"]
}

/** The share that is expected to pass a rate. */
const shareOf = (rate: Forecast["outlook"]["rates"]["delivery_rate"]): number => (rate?.expected ?? 100) / 100

/** The stages of a campaign. With evidence, what is expected of a stage allows for how little its rates are known. */
export const stagesOf = (assumptions: Assumptions, forecast: Forecast): ReadonlyArray<Stage> => {
  const { estimated_delivered: delivered, estimated_meetings_held: held, outlook } = forecast
  const isMeasured = outlook.basis === "evidence"
  const of = (rate: Assumptions["reply_rate"] | undefined, what: string) =>
    rate === undefined ? "" : `${isMeasured ? "assumed " : ""}${showExact(rate)} % of ${what}`
  const emails = toDouble(assumptions.emails_sent)
  return [
    { name: "Emails sent", count: emails, rate: "" },
    ...(delivered === null
      ? []
      : [
          {
            name: "Delivered",
            count: emails * shareOf(outlook.rates.delivery_rate),
            rate: of(assumptions.delivery_rate, "emails")
          }
        ]),
    {
      name: "Replies",
      count: outlook.replies.expected,
      rate: of(assumptions.reply_rate, delivered === null ? "emails" : "delivered emails"),
      outlook: outlook.replies
    },
    {
      name: "Positive replies",
      count: outlook.positive_replies.expected,
      rate: of(assumptions.positive_reply_rate, "replies"),
      outlook: outlook.positive_replies
    },
    {
      name: "Meetings booked",
      count: outlook.meetings.expected,
      rate: of(assumptions.meeting_booking_rate, "positive replies"),
      outlook: outlook.meetings
    },
    ...(held === null
      ? []
      : [
          {
            name: "Meetings held",
            count: outlook.meetings.expected * shareOf(outlook.rates.show_rate),
            rate: of(assumptions.show_rate, "booked meetings")
          }
        ]),
    {
      name: "Clients",
      count: outlook.clients.expected,
      rate: of(assumptions.close_rate, held === null ? "meetings" : "held meetings"),
      outlook: outlook.clients
    }
  ]
}
