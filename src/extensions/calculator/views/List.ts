import { Struct } from "effect"
import type { Learned } from "../../../forecast/Campaign.ts"
import { learn, learnRates } from "../../../forecast/outlook/Learning.ts"
import type { TrackRecord } from "../../../forecast/outlook/Outlook.ts"
import type { PastCampaign } from "../../../campaign/PastCampaigns.ts"
import { csvLine } from "../../../input/Csv.ts"
import { code } from "../../../site/layout.ts"
import {
  type CampaignForecast,
  campaignForecast,
  type CampaignsSummary,
  summarizing
} from "../../lists/CampaignForecast.ts"
import { distinctRates, type ListedCampaign } from "../../lists/Campaigns.ts"
import { firstCells, sheetCells, sheetColumns } from "../../lists/CampaignsSheet.ts"
import { type Contribution, contributionOf } from "../../lists/Portfolio.ts"
import { listed, ofHundred, shortOfHundred } from "../../../forecast/Words.ts"
import { counted, expectedClients, range, shortFigure, shortPeople } from "../../../text/Figures.ts"
import { toDouble } from "../../../forecast/Decimal.ts"
import { type Html, html } from "../../../text/html.ts"
import { amountsOf } from "../Amounts.ts"
import type { ListReading } from "../list/readList.ts"
import { linkOf } from "../Link.ts"
import { withLabels } from "../withLabels.ts"
import { tile } from "./Outcome.ts"

const unknown = "–"

/** The columns of the API's CSV that the page has too, besides those of the form's numbers. */
const copied: ReadonlySet<string> = new Set([
  "name",
  "rank",
  "estimated_clients",
  "outlook_clients_low",
  "outlook_clients_high",
  "estimated_profit",
  "roi_multiple",
  "outlook_chance_to_break_even",
  "chance_better_than_next",
  "chance_equal_to_next"
])

/** The ranking as CSV, the best campaign first. */
const csvOf = (
  campaigns: ReadonlyArray<ListedCampaign>,
  forecasts: ReadonlyArray<CampaignForecast>,
  ranking: CampaignsSummary["ranking"]
): string => {
  const given = new Set<string>(campaigns.flatMap((campaign) => Struct.keys(campaign)))
  const isCopied = sheetColumns.map((name) => copied.has(name) || given.has(name))
  const line = (cells: ReadonlyArray<string | number | null>) => csvLine(cells.filter((_, index) => isCopied[index]))
  const lines = firstCells(campaigns, ranking).map((cells, index) => {
    const forecast = forecasts[index]
    return line([...cells, ...(forecast === undefined ? [] : sheetCells(forecast))])
  })
  const ranked = ranking.order.flatMap((name) => lines[campaigns.findIndex((campaign) => campaign.name === name)] ?? [])
  return line(sheetColumns) + ranked.join("")
}

/** Learns the rates of campaigns from past ones, once for each set of rates that they plan; in steps. */
function* learning(
  campaigns: ReadonlyArray<ListedCampaign>,
  history: ReadonlyArray<PastCampaign> | undefined
): Generator<void, { readonly learned: ReadonlyArray<ListedCampaign>; readonly record: TrackRecord | null }, void> {
  if (history === undefined) return { learned: campaigns, record: null }
  const { firsts, setOf } = distinctRates(campaigns)
  const rates: Array<Learned> = []
  let record: TrackRecord | null = null
  for (const campaign of firsts) {
    if (rates.length > 0) rates.push(yield* learnRates(campaign, history))
    else {
      const first = yield* learn(campaign, history)
      rates.push(first.learned)
      record = first.track_record
    }
    yield
  }
  return {
    learned: campaigns.map((campaign, index) => ({ ...campaign, learned: rates[setOf[index] ?? 0] ?? {} })),
    record
  }
}

/** The best campaign, if only one is the best, and the number of those that are expected to cost more than they bring. */
const verdictOf = (
  best: string,
  figures: ReadonlyArray<number>,
  by: CampaignsSummary["ranking"]["by"],
  show: (figure: number) => string
): string => {
  const [greatest = 0, next] = figures
  const losing = figures.filter((figure) => figure < 0).length
  if (next === undefined) return ""
  if (losing === figures.length) return "Each of them is expected to lose money."
  const first =
    next === greatest
      ? ""
      : `${best} is expected to ${by === "profit" ? "bring the most profit" : "win the most clients"}: ${show(greatest)}.`
  const others =
    losing === 0 ? "" : ` ${losing} of ${figures.length} ${losing === 1 ? "is" : "are"} expected to lose money.`
  return first + others
}

/** The totals of a list of campaigns, and its ranking, each campaign with a link to its own forecast; in steps. */
export function* listView({
  amounts,
  campaigns,
  history,
  independent,
  notes: said,
  unused
}: NonNullable<ListReading["input"]>): Generator<void, Html, void> {
  const { shortMoney } = amountsOf(amounts)
  const { learned, record } = yield* learning(
    campaigns.map(({ campaign }) => campaign),
    history
  )
  const forecasts: Array<CampaignForecast> = []
  const contributions: Array<Contribution> = []
  for (const campaign of learned) {
    const forecast = campaignForecast(campaign, learned.length === 1)
    forecasts.push(forecast)
    contributions.push(contributionOf(campaign, forecast))
    yield
  }
  const {
    calculation_notes: notes,
    ranking,
    totals
  } = yield* summarizing(learned, contributions, {
    independent,
    hasHistory: history !== undefined,
    track_record: record
  })
  const { chance_of_no_client: none, chance_to_break_even: covered, clients, estimated_profit: profit } = totals
  const row = (name: string | number, index: number): Html => {
    const position = campaigns.findIndex(({ campaign }) => campaign.name === name)
    const forecast = forecasts[position]
    const pasted = campaigns[position]
    if (forecast === undefined || pasted === undefined) return html``
    const { estimated_profit: own, outlook, roi_multiple: roi } = forecast
    const next = ranking.neighbours[index]
    const equal = Math.round(100 * (next?.chance_equal ?? 0))
    return html`<tr><th scope="row">${index + 1}. <a href="${linkOf(pasted.values)}">${pasted.campaign.name}</a></th>
<td data-title="Emails">${shortPeople(toDouble(pasted.campaign.emails_sent))}</td>
<td data-title="Clients"><span><strong>${shortPeople(outlook.clients.expected)}</strong> <span class="soft">${range(outlook.clients.low, outlook.clients.high, shortPeople)}</span></span></td>
<td data-title="Profit">${own === null ? unknown : shortMoney(own)}</td>
<td data-title="Return">${roi === null ? unknown : `${shortFigure(roi)}×`}</td>
<td data-title="Covers its cost">${outlook.chance_to_break_even === null ? unknown : shortOfHundred(outlook.chance_to_break_even)}</td>
<td data-title="Beats the next">${next === undefined ? "" : html`<span>${shortOfHundred(next.chance_first_is_better)}${equal === 0 ? "" : html` <span class="soft">equal in ${equal}</span>`}</span>`}</td></tr>
`
  }
  const ranked = ranking.order.map((name) => campaigns.findIndex(({ campaign }) => campaign.name === name))
  const isByProfit = ranking.by === "profit"
  const verdict = verdictOf(
    campaigns[ranked[0] ?? 0]?.campaign.name ?? "",
    ranked.map(
      (position) =>
        (isByProfit ? forecasts[position]?.estimated_profit : forecasts[position]?.outlook.clients.expected) ?? 0
    ),
    ranking.by,
    isByProfit ? shortMoney : shortPeople
  )
  const together = html`${clients === null ? "" : `${expectedClients(clients)} in total${history === undefined ? "" : `, at the rates of ${counted(history.length, "past campaign")}`}. `}${none === 0 ? "" : `In ${ofHundred(none)} cases, no campaign wins a client.`}`
  return html`${
    verdict === ""
      ? html`<p class="says">${together}</p>`
      : html`<p class="says">${verdict}</p>
<p>${together}</p>`
  }
<dl class="tiles">
${tile("tile first", "Average clients", shortPeople(totals.estimated_clients), clients === null ? "" : `${range(clients.low, clients.high, shortPeople)} in ${shortOfHundred(clients.chance_within)}`)}
${tile("tile", "Average profit", profit === null ? unknown : shortMoney(profit), totals.profit === null ? "its range needs one deal value, and each cost" : range(totals.profit.low, totals.profit.high, shortMoney))}
${tile("tile", "Average return", totals.roi_multiple === null ? unknown : `${shortFigure(totals.roi_multiple)}×`, totals.campaign_cost === null ? "needs each deal value and cost" : `cost ${shortMoney(totals.campaign_cost)}`)}
${tile("tile", "Cover their cost", covered === null ? unknown : shortOfHundred(covered), covered === null ? "needs one deal value, and each cost" : campaigns.length === 1 ? "" : `${campaigns.length} campaigns together`)}
</dl>
<h2 id="ranking">Ranking by average ${ranking.by}</h2>
<div class="scroll" tabindex="0" role="region" aria-labelledby="ranking"><table class="ranking">
<thead><tr><th scope="col">Campaign</th><th scope="col">Emails</th><th scope="col">Clients</th><th scope="col">Profit</th><th scope="col">Return</th><th scope="col">Covers its cost</th><th scope="col">Beats the next</th></tr></thead>
<tbody>${ranking.order.map(row)}</tbody></table></div>
${said.map((sentence) => html`<p class="hint">${sentence}</p>`)}
${unused.length === 0 ? html`` : html`<p class="hint">Not used: ${listed(unused.map((name) => `“${name}”`))}.</p>`}
<details class="screen-only"><summary>Copy as CSV</summary>${code(csvOf(learned, forecasts, ranking), "CSV")}</details>
<details class="notes"><summary>How this is calculated</summary><ul>${notes.map((note) => html`<li>${withLabels(note)}</li>`)}</ul></details>`
}
