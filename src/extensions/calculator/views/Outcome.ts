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
import { ofHundred, ofTenThousand, sentenceCase, shortOfHundred } from "../../../forecast/Words.ts"
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
  return none === 0 ? expected : `${expected} ${sentenceCase(ofHundred(none))} such campaigns win no client.`
}

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

/** Four figures: averages, and the chance to cover the cost. */
export const resultTiles = ({ forecast, input }: Pick<Calculation, "forecast" | "input">): Html => {
  const { shortMoney } = amountsOf(input.values)
  const { estimated_profit: profit, outlook, roi_multiple: roi } = forecast
  const { chance_to_break_even: chance, profit: profitRange } = outlook
  return html`<dl class="tiles">
${tile("tile first", "Average clients", shortPeople(outlook.clients.expected), "per campaign")}
${tile("tile", "Average profit", profit === null ? unknown : shortMoney(profit), profit === null || profitRange === null ? "needs a deal value and a cost" : range(profitRange.low, profitRange.high, shortMoney))}
${tile("tile", "Average return", roi === null ? unknown : `${shortFigure(roi)}×`, roi === null ? "needs a deal value and a cost above 0" : "the cost")}
${tile("tile", "Covers its cost", chance === null ? unknown : shortOfHundred(chance), chance === null ? "needs a deal value and a cost" : breakEven(outlook))}
</dl>`
}

/** The assumptions of the range about the rates, and how to give it better ones. */
const assumption = ({ basis }: Outlook): Html => {
  if (basis === "history") return html`At the rates that <a href="#past">your past campaigns</a> show.`
  return basis === "as_given"
    ? html`At exactly these rates. Yours vary: <a href="#past">past campaigns</a> show how much.`
    : html`Your other rates vary too. <a href="#past">Past campaigns</a> show how much.`
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
  low === null ? html`` : html` <span>(${high === null ? `${show(low)} or more` : range(low, high, show)})</span>`

/** The cost per reply, meeting and client. */
export const costsView = ({
  forecast: { cost_per_client, cost_per_meeting, cost_per_reply, outlook },
  input: { values }
}: Calculation): Html => {
  const { money } = amountsOf(values)
  return cost_per_reply === null && cost_per_meeting === null && cost_per_client === null
    ? html``
    : html`<dl class="costs"><div><dt>Cost per reply</dt><dd>${cost_per_reply === null ? unknown : money(cost_per_reply)}</dd></div>
<div><dt>per meeting</dt><dd>${cost_per_meeting === null ? unknown : money(cost_per_meeting)}${costRange(outlook.cost_per_meeting, money)}</dd></div>
<div><dt>per client</dt><dd>${cost_per_client === null ? unknown : money(cost_per_client)}</dd></div></dl>`
}

const readable = (name: string) => name.replaceAll("_", " ").replace(/\broi\b/, "ROI")

/** The grade, the flags and the advice. */
export const adviceView = (calculation: Calculation): Html => {
  const { campaign, forecast } = calculation
  const { performance_grade: grade, risk_flags: flags } = forecast
  // The question about a unit stands before the result.
  const question = askAboutUnits(campaign)
  const recommendations = forecast.recommendations.filter((sentence) => sentence !== question)
  return html`<p class="grade"><span class="badge">Grade: ${grades[grade]}</span> ${flags.map(
    (flag) => html`<span class="badge flag">${readable(flag)}</span> `
  )}</p>
${recommendations.length === 0 ? html`` : html`<ul>${recommendations.map((sentence) => html`<li>${withLabels(sentence)}</li>`)}</ul>`}`
}

/** The stages between emails and clients in a line. */
export const stagesView = ({ stages }: Calculation): Html =>
  html`From emails to clients: ${stages
    .slice(1, -1)
    .map(({ count, name }) => `${people(count)} ${name.toLowerCase()}`)
    .join(", ")}`

/** The calculation of each figure, in the notes of the API. */
export const notesView = ({ forecast: { calculation_notes: notes } }: Calculation): Html =>
  html`<ul>${notes.map((note) => html`<li>${withLabels(note)}</li>`)}</ul>`

/** The place of the planned reply rate among published campaigns. */
export const replyStanding = ({
  forecast: { outlook },
  input: { first },
  withoutHistory = outlook
}: Calculation): Html => {
  const planned =
    outlook.rates.reply_rate.basis === "history" ? `planned ${showExact(first.assumptions.reply_rate)}%: ` : ""
  return html`${planned}more than ${withoutHistory.rates.reply_rate.published_percentile} of 100`
}

/** The size of the published campaigns, if this one is smaller, and the place of a learned reply rate among them. */
export const learnedStanding = ({ forecast: { outlook }, input: { first } }: Calculation): Html => {
  const { basis, expected, published_percentile: percentile } = outlook.rates.reply_rate
  const size = isBelowPublished(first.assumptions) ? ` of ${fewestPublished} emails or more` : ""
  return basis === "history"
    ? html`${size}<br>your campaigns show ${shortPercent(expected)}: more than ${percentile} of 100`
    : html`${size}`
}

/** The positive replies in 10,000 emails, as planned and as learned. */
export const positiveStanding = ({
  forecast: { outlook },
  input: { first },
  withoutHistory = outlook
}: Calculation): Html => {
  const [planned, learned] = [withoutHistory, outlook].map(({ positive_replies: { expected } }) =>
    ofTenThousand((expected / toDouble(first.assumptions.emails_sent)) * 10_000)
  )
  return learned === planned
    ? html`· ${planned ?? ""} emails`
    : html`· ${planned ?? ""} emails as planned, ${learned?.replace(/ .*/, "") ?? ""} as your campaigns show`
}

/** The result in a sentence, for screen readers. */
export const spokenOutcome = ({ forecast: { estimated_profit: profit, outlook }, input }: Calculation): string =>
  `${expectation(outlook)} ${clients(outlook.clients.expected)} on average${profit === null ? "" : `, profit ${amountsOf(input.values).money(profit)}`}.`
