import type { Assumptions } from "../forecast/Assumptions.ts"
import { showExact } from "../forecast/Decimal.ts"
import type { Forecast } from "../forecast/Forecast.ts"

const eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

/** A bar that fills `share` (0 to 1) of `width` characters, in eighths of a character; at least one eighth unless 0. */
const bar = (share: number, width: number): string => {
  const units = Math.min(Math.round(share * width * 8), width * 8)
  const visible = share > 0 ? Math.max(units, 1) : 0
  return "█".repeat(Math.floor(visible / 8)) + (eighths[visible % 8] ?? "")
}

const number = new Intl.NumberFormat("en-US", { maximumFractionDigits: 4 })

const figure = (value: number | null) => (value === null ? "unknown" : number.format(value))

/** A forecast for people: the funnel as a table with bars, then money, grade, risk flags and recommendations. */
export const forecastTable = (assumptions: Assumptions, forecast: Forecast, columns: number): string => {
  const emails = Number(showExact(assumptions.emails_sent).replaceAll(",", ""))
  const stages = [
    { name: "Emails sent", rate: "", count: emails },
    { name: "Replies", rate: `${showExact(assumptions.reply_rate)} %`, count: forecast.estimated_replies },
    {
      name: "Positive replies",
      rate: `${showExact(assumptions.positive_reply_rate)} %`,
      count: forecast.estimated_positive_replies
    },
    {
      name: "Meetings",
      rate: `${showExact(assumptions.meeting_booking_rate)} %`,
      count: forecast.estimated_meetings
    },
    { name: "Clients", rate: `${showExact(assumptions.close_rate)} %`, count: forecast.estimated_clients }
  ].map((stage) => ({ ...stage, shown: number.format(stage.count) }))
  const nameWidth = Math.max(...stages.map(({ name }) => name.length))
  const rateWidth = Math.max(...stages.map(({ rate }) => rate.length))
  const countWidth = Math.max(...stages.map(({ shown }) => shown.length))
  const barWidth = Math.max(10, Math.min(50, columns - nameWidth - rateWidth - countWidth - 10))
  const funnel = stages.map(({ count, name, rate, shown }) =>
    `  ${name.padEnd(nameWidth)}  ${rate.padStart(rateWidth)}  ${shown.padStart(countWidth)}  ${bar(count / emails, barWidth)}`.trimEnd()
  )
  const results = [
    ["Revenue", figure(forecast.estimated_revenue)],
    ["ROI multiple", figure(forecast.roi_multiple)],
    ["Cost per reply", figure(forecast.cost_per_reply)],
    ["Cost per meeting", figure(forecast.cost_per_meeting)],
    ["Cost per client", figure(forecast.cost_per_client)],
    ["Grade", forecast.performance_grade],
    ["Risk flags", forecast.risk_flags.length === 0 ? "none" : forecast.risk_flags.join(", ")]
  ].map(([name = "", value = ""]) => `  ${name.padEnd(nameWidth)}  ${value}`)
  const advice = forecast.recommendations.map((sentence) => `  - ${sentence}`)
  return ["", ...funnel, "", ...results, "", ...advice, "", "  These are estimates, not guarantees.", ""].join("\n")
}
