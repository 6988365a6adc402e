import {
  clientRange as rangeOfClients,
  clients,
  counted,
  expectedClients,
  people,
  range,
  shortFigure,
  shortPeople,
  shortPercent
} from "../../../text/Figures.ts"
import { ofHundred, shortOfHundred } from "../../../forecast/Words.ts"
import { askAboutUnits } from "../../../forecast/advice/Units.ts"
import { isBelowPublished } from "../../../forecast/benchmarks/PublishedRates.ts"
import { fewestPublished } from "../../../forecast/benchmarks/Thresholds.ts"
import { showExact, toDouble } from "../../../forecast/Decimal.ts"
import type { Forecast } from "../../../forecast/ForecastAnswer.ts"
import { type Html, html } from "../../../text/html.ts"
import { amountsOf } from "../Amounts.ts"
import type { Calculation } from "../Calculation.ts"
import { withLabels } from "../withLabels.ts"
import { unreadView } from "./Message.ts"

type Outlook = Forecast["outlook"]

const grades = {
  strong: "strong",
  healthy: "healthy",
  break_even_or_unclear: "break-even or unclear",
  weak: "weak"
} as const

/** The expectation in a sentence: the range first. */
export const expectation = (outlook: Outlook): string => {
  const { chance_of_no_client: none } = outlook
  if (none === 1) return "Expect no client: one of the rates is 0%."
  const expected = `${expectedClients(outlook.clients)}.`
  return none === 0 ? expected : `${expected} In ${ofHundred(none)} such campaigns there is none.`
}

/** The range of the number of clients, and the chance to end within it. */
const clientRange = ({ clients: { chance_within: chance, high, low } }: Outlook): string =>
  `${range(low, high, shortPeople)} in ${shortOfHundred(chance)}`

/** The result in brief, for the title of a page: `0 to 8 clients from 5,000 emails`. */
export const headline = ({ flight, forecast, input: { first } }: Calculation): string => {
  const brought = flight?.end.clients ?? forecast.outlook.clients
  const text = brought.high === 0 ? "No client" : rangeOfClients(brought)
  return flight === undefined
    ? `${text} from ${counted(toDouble(first.assumptions.emails_sent), "email")}`
    : `${text} at the end of the campaign`
}

/** The number of clients that covers the cost. */
const breakEven = ({ clients_to_break_even: needed }: Outlook): string => {
  if (needed === null) return "no number of clients does"
  return needed === 0 ? "there is no cost" : `needs ${clients(needed)}`
}

/** A figure with its name and a detail. */
export const tile = (kind: string, name: string, value: string, detail: string) =>
  html`<div class="${kind}"><dt>${name}</dt><dd><strong>${value}</strong> <span>${detail}</span></dd></div>`

const unknown = "–"

/** Four figures, each with its range. */
export const resultTiles = ({ forecast, input }: Pick<Calculation, "forecast" | "input">): Html => {
  const { shortMoney } = amountsOf(input.values)
  const { estimated_profit: profit, outlook, roi_multiple: roi } = forecast
  const { chance_to_break_even: chance, profit: profitRange, roi_multiple: roiRange } = outlook
  return html`<dl class="tiles">
${tile("tile first", "Expected clients", shortPeople(outlook.clients.expected), clientRange(outlook))}
${tile("tile", "Expected profit", profit === null ? unknown : shortMoney(profit), profit === null || profitRange === null ? "needs a deal value and a cost" : range(profitRange.low, profitRange.high, shortMoney))}
${tile("tile", "Return on cost", roi === null ? unknown : `${shortFigure(roi)}×`, roi === null || roiRange === null ? "needs a deal value and a cost above 0" : `${range(roiRange.low, roiRange.high, shortFigure)}×`)}
${tile("tile", "Covers its cost", chance === null ? unknown : shortOfHundred(chance), chance === null ? "needs a deal value and a cost" : breakEven(outlook))}
</dl>`
}

/** The assumptions of the range about the rates, and how to give it better ones. */
const assumption = ({ basis }: Outlook): Html => {
  if (basis === "history") return html`At the rates that <a href="#past">your past campaigns</a> show.`
  const varying = basis === "as_given" ? "At exactly these rates." : "At these rates, with the reply rate varying."
  return html`${varying} Yours all vary: <a href="#past">enter past campaigns</a>.`
}

/** The question about the unit of a rate, on which all figures rest; empty if there is none. */
const unitQuestion = ({ campaign }: Calculation): Html => {
  const question = askAboutUnits(campaign)
  return question === undefined ? html`` : html`<p>${withLabels(question)}</p>`
}

/** The result: the question that comes first, the expectation in a sentence, then in figures. */
export const outcomeView = (calculation: Calculation): Html =>
  html`${unitQuestion(calculation)}<p class="says">${expectation(calculation.forecast.outlook)}</p>
${unreadView(calculation.input.values)}<p class="hint">${assumption(calculation.forecast.outlook)}</p>
${resultTiles(calculation)}`

/** The range of a cost in such campaigns; no amount is high enough if there may be nobody to share it. */
const costRange = ({ high, low }: Outlook["cost_per_meeting"], show: (value: number) => string): Html =>
  low === null ? html`` : html` <span>${high === null ? `${show(low)} or more` : range(low, high, show)}</span>`

const costs = (
  { cost_per_client, cost_per_meeting, cost_per_reply, outlook }: Forecast,
  { money }: ReturnType<typeof amountsOf>
): Html =>
  cost_per_reply === null && cost_per_meeting === null && cost_per_client === null
    ? html``
    : html`<dl class="costs"><div><dt>Cost per reply</dt><dd>${cost_per_reply === null ? unknown : money(cost_per_reply)}</dd></div>
<div><dt>per meeting</dt><dd>${cost_per_meeting === null ? unknown : money(cost_per_meeting)}${costRange(outlook.cost_per_meeting, money)}</dd></div>
<div><dt>per client</dt><dd>${cost_per_client === null ? unknown : money(cost_per_client)}</dd></div></dl>`

const readable = (name: string) => name.replaceAll("_", " ").replace(/\broi\b/, "ROI")

/** The grade, the flags and the advice. */
export const adviceView = ({ campaign, forecast, input }: Calculation): Html => {
  const { performance_grade: grade, risk_flags: flags } = forecast
  // The question about a unit stands before the result.
  const question = askAboutUnits(campaign)
  const recommendations = forecast.recommendations.filter((sentence) => sentence !== question)
  return html`<p class="grade"><span class="badge">Grade: ${grades[grade]}</span> ${flags.map(
    (flag) => html`<span class="badge flag">${readable(flag)}</span> `
  )}</p>
${recommendations.length === 0 ? html`` : html`<ul>${recommendations.map((sentence) => html`<li>${withLabels(sentence)}</li>`)}</ul>`}
${costs(forecast, amountsOf(input.values))}`
}

/** The calculation of each figure, in the notes of the API. */
export const notesView = ({ forecast: { calculation_notes: notes } }: Calculation): Html =>
  html`<ul>${notes.map((note) => html`<li>${withLabels(note)}</li>`)}</ul>`

/** The place of the planned reply rate among published campaigns. */
export const replyStanding = ({
  forecast: { outlook },
  input: { first },
  withoutHistory = outlook
}: Calculation): Html => {
  const size = isBelowPublished(first.assumptions) ? ` (of ${fewestPublished} emails or more)` : ""
  const planned =
    outlook.rates.reply_rate.basis === "history" ? `planned ${showExact(first.assumptions.reply_rate)}%: ` : ""
  return html`${planned}more replies than ${withoutHistory.rates.reply_rate.published_percentile} of 100${size}`
}

/** The place of the learned reply rate among published campaigns; empty if it is not learned. */
export const learnedStanding = ({ forecast: { outlook } }: Calculation): Html => {
  const { basis, expected, published_percentile: percentile } = outlook.rates.reply_rate
  return basis === "history" ? html`; your campaigns show ${shortPercent(expected)}: more than ${percentile}` : html``
}

/** The positive replies in 100 emails, as planned and as learned. */
export const positiveStanding = ({
  forecast: { outlook },
  input: { first },
  withoutHistory = outlook
}: Calculation): Html => {
  const [planned, learned] = [withoutHistory, outlook].map(({ positive_replies: { expected } }) =>
    people((expected / toDouble(first.assumptions.emails_sent)) * 100)
  )
  return learned === planned
    ? html`· ${planned ?? ""} of 100 emails`
    : html`· ${planned ?? ""} of 100 emails as planned, ${learned ?? ""} at the rates that your campaigns show`
}

/** The result in a sentence, for screen readers. */
export const spokenOutcome = ({ forecast: { estimated_profit: profit, outlook }, input }: Calculation): string =>
  `${expectation(outlook)} ${clients(outlook.clients.expected)} expected${profit === null ? "" : `, profit ${amountsOf(input.values).money(profit)}`}.`
