import type { Assumptions } from "../forecast/Assumptions.ts"
import { showExact } from "../forecast/Decimal.ts"
import type { Forecast } from "../forecast/Forecast.ts"
import { rangeBar } from "./Bars.ts"
import { people } from "../Figures.ts"
import { figure, money, percent, range, unknown } from "./Figures.ts"
import { type Column, grid, wrap } from "./Layout.ts"
import { chanceSentences, limits, uncertaintyTable } from "./OutlookText.ts"

type StageOutlook = Forecast["outlook"]["clients"]

interface Stage {
  readonly name: string
  readonly rate: Assumptions["reply_rate"] | undefined
  /** The number that the rates as given lead to. */
  readonly count: string
  readonly outlook?: StageOutlook
}

const stagesOf = (assumptions: Assumptions, forecast: Forecast): ReadonlyArray<Stage> => {
  const { estimated_delivered: delivered, estimated_meetings_held: held, outlook } = forecast
  const stage = (name: string, rate: Stage["rate"], count: number, range?: StageOutlook): Stage => ({
    name,
    rate,
    count: people(count),
    ...(range === undefined ? {} : { outlook: range })
  })
  return [
    { name: "Emails sent", rate: undefined, count: showExact(assumptions.emails_sent) },
    ...(delivered === null ? [] : [stage("Delivered", assumptions.delivery_rate, delivered)]),
    stage("Replies", assumptions.reply_rate, forecast.estimated_replies, outlook.replies),
    stage(
      "Positive replies",
      assumptions.positive_reply_rate,
      forecast.estimated_positive_replies,
      outlook.positive_replies
    ),
    stage("Meetings", assumptions.meeting_booking_rate, forecast.estimated_meetings, outlook.meetings),
    ...(held === null ? [] : [stage("Meetings held", assumptions.show_rate, held)]),
    stage("Clients", assumptions.close_rate, forecast.estimated_clients, outlook.clients)
  ]
}

/** The funnel, a row for each stage. With evidence what is expected differs from what the rates as given lead to. */
const funnelTable = (assumptions: Assumptions, forecast: Forecast, width: number): ReadonlyArray<string> => {
  const stages = stagesOf(assumptions, forecast)
  const isMeasured = forecast.outlook.basis === "evidence"
  const expected: Column = {
    title: "expected",
    align: "right",
    cells: stages.map(({ count, outlook, rate }) =>
      isMeasured && rate !== undefined ? (outlook === undefined ? "" : people(outlook.expected)) : count
    )
  }
  const asGiven: Column = { title: "as given", align: "right", cells: stages.map(({ count }) => count), leaveOut: 2 }
  const columns: ReadonlyArray<Column> = [
    { title: "", align: "left", cells: stages.map(({ name }) => name) },
    {
      title: "rate",
      align: "right",
      cells: stages.map(({ rate }) => (rate === undefined ? "" : `${showExact(rate)} %`)),
      leaveOut: 1
    },
    ...(isMeasured ? [asGiven] : []),
    expected,
    {
      title: "80 % range",
      align: "right",
      cells: stages.map(({ outlook }) =>
        outlook === undefined ? "" : range(people(outlook.low), people(outlook.high))
      )
    }
  ]
  return grid(columns, width, {
    title: "linear",
    least: 8,
    draw: (row, room) => {
      const outlook = stages[row]?.outlook
      return outlook === undefined ? "" : rangeBar(outlook, Math.min(room, 60))
    }
  })
}

/** What is known about money; nothing without a deal value and a cost. */
const resultTable = (forecast: Forecast, width: number): ReadonlyArray<string> => {
  const { revenue, roi_multiple: roi } = forecast.outlook
  const all = [
    ["Revenue", money(forecast.estimated_revenue), revenue && range(money(revenue.low), money(revenue.high))],
    ["Profit", money(forecast.estimated_profit), ""],
    ["ROI multiple", figure(forecast.roi_multiple), roi && range(figure(roi.low), figure(roi.high))],
    ["Net ROI", percent(forecast.roi_percent), ""],
    ["Cost per reply", money(forecast.cost_per_reply), ""],
    ["Cost per meeting", money(forecast.cost_per_meeting), ""],
    ["Cost per client", money(forecast.cost_per_client), ""]
  ] as const
  const rows = all.filter(([, value]) => value !== unknown)
  if (rows.length === 0) return []
  const columns: ReadonlyArray<Column> = [
    { title: "", align: "left", cells: rows.map(([name]) => name) },
    {
      title: forecast.outlook.basis === "evidence" ? "as given" : "expected",
      align: "right",
      cells: rows.map(([, value]) => value)
    },
    { title: "80 % range", align: "right", cells: rows.map(([, , spread]) => spread ?? ""), leaveOut: 1 }
  ]
  const hasRange = rows.some(([, , spread]) => spread !== "" && spread !== null)
  return [...grid(hasRange ? columns : columns.slice(0, 2), width), ""]
}

/** A forecast for people: the funnel as a table with the ranges as bars, then chances, money, risk flags and advice. */
export const forecastTable = (assumptions: Assumptions, forecast: Forecast, width: number): string => {
  const { outlook } = forecast
  const list = (sentences: ReadonlyArray<string>) => sentences.flatMap((sentence) => wrap(sentence, width, "  - "))
  const flags = forecast.risk_flags.length === 0 ? "none" : forecast.risk_flags.join(", ")
  return [
    "",
    ...funnelTable(assumptions, forecast, width),
    "",
    ...wrap("Each bar is linear, from 0 to the end of its own range; ◆ is the expected number.", width),
    ...(outlook.basis === "evidence"
      ? wrap("As given is what your rates lead to; expected allows for what they were measured on.", width)
      : []),
    "",
    ...chanceSentences(outlook).flatMap((sentence) => wrap(sentence, width, "  ", "    ")),
    ...uncertaintyTable(outlook, width),
    "",
    ...resultTable(forecast, width),
    ...wrap(`Grade: ${forecast.performance_grade}`, width),
    ...wrap(`Risk flags: ${flags}`, width, "  ", "    "),
    "",
    ...list(forecast.recommendations),
    ...(forecast.recommendations.length === 0 ? [] : [""]),
    ...wrap(`${limits(outlook)} These are estimates, not guarantees.`, width),
    ""
  ].join("\n")
}
