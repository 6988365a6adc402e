import type { Forecast } from "../forecast/Forecast.ts"
import { ofHundred, shortOfHundred } from "../forecast/outlook/OfHundred.ts"
import type { PortfolioTotals, Ranking } from "../forecast/outlook/PortfolioAnswer.ts"
import { people } from "../Figures.ts"
import { figure, money, range, unknown } from "./Figures.ts"
import { grid, wrap } from "./Layout.ts"
import { onOneLine } from "../SafeText.ts"

/** Campaigns that were compared, each with its forecast, in the order of the file. */
export interface Compared {
  readonly forecasts: ReadonlyArray<Forecast & { readonly name: string | null }>
  readonly totals: PortfolioTotals
  readonly ranking: Ranking
}

const chance = (value: number | null | undefined): string =>
  value === undefined ? "" : value === null ? unknown : shortOfHundred(value)

const rankingTable = ({ forecasts, ranking }: Compared, width: number): ReadonlyArray<string> => {
  const places = ranking.order.map((reference, place) => {
    const at = forecasts.findIndex(({ name }, index) => (name ?? index) === reference)
    return { at, forecast: forecasts[at], neighbour: ranking.neighbours[place] }
  })
  const cells = (show: (place: (typeof places)[number], index: number) => string) => places.map(show)
  return grid(
    [
      { title: "", align: "right", cells: cells((_, index) => figure(index + 1)) },
      {
        title: "campaign",
        align: "left",
        cells: cells(({ at, forecast }) => onOneLine(forecast?.name ?? `Campaign ${at + 1}`).trim()),
        shortest: 16
      },
      { title: "clients", align: "right", cells: cells(({ forecast }) => people(forecast?.estimated_clients ?? 0)) },
      {
        title: "80 % range",
        align: "right",
        cells: cells(({ forecast }) =>
          range(people(forecast?.outlook.clients.low ?? 0), people(forecast?.outlook.clients.high ?? 0))
        ),
        leaveOut: 2
      },
      {
        title: "profit",
        align: "right",
        cells: cells(({ forecast }) => money(forecast?.estimated_profit ?? null))
      },
      {
        title: "ROI",
        align: "right",
        cells: cells(({ forecast }) => figure(forecast?.roi_multiple ?? null)),
        leaveOut: 1
      },
      {
        title: "beats next in",
        align: "right",
        cells: cells(({ neighbour }) => chance(neighbour?.chance_first_is_better))
      },
      {
        title: "ties in",
        align: "right",
        cells: cells(({ neighbour }) => chance(neighbour?.chance_equal)),
        leaveOut: 3
      }
    ],
    width
  )
}

const totalsTable = (totals: PortfolioTotals, width: number): ReadonlyArray<string> => {
  const rows = [
    ["Emails sent", figure(totals.emails_sent)],
    ["Replies", people(totals.estimated_replies)],
    ["Positive replies", people(totals.estimated_positive_replies)],
    ["Meetings", people(totals.estimated_meetings)],
    ["Clients", people(totals.estimated_clients)],
    ["Revenue", money(totals.estimated_revenue)],
    ["Cost", money(totals.campaign_cost)],
    ["Profit", money(totals.estimated_profit)],
    ["ROI multiple", figure(totals.roi_multiple)]
  ] as const
  return grid(
    [
      { title: "All campaigns", align: "left", cells: rows.map(([name]) => name) },
      { title: "expected", align: "right", cells: rows.map(([, value]) => value) }
    ],
    width
  )
}

/** How often all campaigns together bring no client, and cover their cost. */
const chanceSentences = ({ campaigns, chance_of_no_client, chance_to_break_even }: PortfolioTotals) => {
  const sets = campaigns === 1 ? "campaigns" : "sets of campaigns"
  return [
    `In ${ofHundred(chance_of_no_client)} such ${sets}: no clients at all.`,
    ...(chance_to_break_even === null
      ? []
      : [`In ${ofHundred(chance_to_break_even)} such ${sets}: the revenue covers the cost.`])
  ]
}

const rankingSentences = ({ forecasts, ranking }: Compared): ReadonlyArray<string> => [
  ranking.by === "profit"
    ? "Ranked by expected profit, and compared by the profit that each actually makes."
    : "Ranked by expected clients, and compared by the clients that each actually wins, because a deal value or a cost is missing.",
  ...(forecasts.some(({ outlook }) => outlook.basis === "evidence")
    ? ["A campaign with evidence is ranked by its rates as given, and is not compared with the next."]
    : [])
]

const limits =
  "The campaigns count as independent; if several share a list or a sender, their results move together. The rates count as exact, so real results vary more. These are estimates, not guarantees."

/** Campaigns for people: ranked, with how sure each place is, then what they bring together. */
export const compareTable = (compared: Compared, width: number): string => {
  const lines = (sentences: ReadonlyArray<string>) => sentences.flatMap((sentence) => wrap(sentence, width))
  return [
    "",
    ...rankingTable(compared, width),
    "",
    ...lines(rankingSentences(compared)),
    "",
    ...totalsTable(compared.totals, width),
    "",
    ...lines(chanceSentences(compared.totals)),
    "",
    ...lines([limits]),
    ""
  ].join("\n")
}
