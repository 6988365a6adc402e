import { ofHundred, shortOfHundred } from "../../forecast/outlook/OfHundred.ts"
import { isMeasured } from "../../forecast/outlook/Campaign.ts"
import { leastKnown } from "../../forecast/outlook/UncertaintyShares.ts"
import type { Forecast } from "../../forecast/Forecast.ts"
import { type Html, html } from "../../text/html.ts"
import type { Calculation } from "../Calculation.ts"
import { figure, people } from "../../text/Figures.ts"
import { clients, money, range, shortFigure, shortMoney, shortPeople } from "../pageFigures.ts"
import { inWords } from "../inWords.ts"

type Outlook = Forecast["outlook"]

const grades = {
  strong: "strong",
  healthy: "healthy",
  break_even_or_unclear: "break-even or unclear",
  weak: "weak"
} as const

/** How often such campaigns end within the range. */
const rangeSentence = ({ clients: stage }: Outlook): string =>
  stage.high === 0
    ? `${capitalized(ofHundred(stage.chance_within))} such campaigns bring no client.`
    : `In ${ofHundred(stage.chance_within)} such campaigns: ${range(stage.low, stage.high, shortPeople)} client${stage.high === 1 ? "" : "s"}.`

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

const noClient = ({ chance_of_no_client: chance }: Outlook): string =>
  chance === 1 ? "One of the rates is 0 %, so there is no client." : `No client at all: in ${ofHundred(chance)}.`

const breakEven = ({ chance_to_break_even: chance, clients_to_break_even: needed }: Outlook): string | undefined => {
  if (chance === null) return undefined
  if (needed === null) return "At a deal value of 0, no number of clients covers the cost."
  return needed === 0
    ? "There is no cost to cover."
    : `Cost covered, which takes ${clients(needed)}: in ${ofHundred(chance)}.`
}

const tile = (kind: string, name: string, value: string, detail: string) =>
  html`<div class="${kind}"><dt>${name}</dt><dd><strong>${value}</strong> <span>${detail}</span></dd></div>`

const unknown = "–"

/** The answer in four figures, the first of which is the number of clients. */
export const outcomeView = ({ forecast }: Calculation): Html => {
  const { estimated_profit: profit, outlook, roi_multiple: roi } = forecast
  const isMeasured = outlook.basis === "evidence"
  const { revenue, roi_multiple: roiRange } = outlook
  const detail = (span: string | undefined) =>
    [...(isMeasured ? ["at the assumed rates"] : []), span ?? []].flat().join("; ")
  const chance = outlook.chance_to_break_even
  return html`<dl class="tiles">
${tile("tile first", "Expected clients", shortPeople(outlook.clients.expected), rangeSentence(outlook))}
${tile("tile", "Expected profit", profit === null ? unknown : shortMoney(profit), profit === null ? "needs a deal value and a cost" : detail(revenue === null ? undefined : `revenue ${range(revenue.low, revenue.high, shortMoney)}`))}
${tile("tile", "Return on cost", roi === null ? unknown : `${shortFigure(roi)}×`, roi === null ? "needs a deal value and a cost above 0" : detail(roiRange === null ? undefined : `80 %: ${range(roiRange.low, roiRange.high, shortFigure)}×`))}
${tile("tile", "Covers its cost", chance === null ? unknown : shortOfHundred(chance), chance === null ? "needs a deal value and a cost" : "such campaigns")}
</dl>`
}

const costs = ({ cost_per_client, cost_per_meeting, cost_per_reply }: Forecast): Html =>
  cost_per_reply === null && cost_per_meeting === null && cost_per_client === null
    ? html``
    : html`<dl class="costs"><div><dt>Cost per reply</dt><dd>${cost_per_reply === null ? unknown : money(cost_per_reply)}</dd></div>
<div><dt>per meeting</dt><dd>${cost_per_meeting === null ? unknown : money(cost_per_meeting)}</dd></div>
<div><dt>per client</dt><dd>${cost_per_client === null ? unknown : money(cost_per_client)}</dd></div></dl>`

const spoken = (name: string) => name.replaceAll("_", " ").replace(/\broi\b/, "ROI")

/** What the uncertainty comes from, and where rates were measured, which to measure next. */
const uncertainty = ({
  forecast: { outlook },
  input: {
    first: { assumptions }
  }
}: Calculation): Html => {
  const { uncertainty_from: shares } = outlook
  if (shares === undefined || shares === null) return html``
  const sources = Object.entries(shares).toSorted(([, a], [, b]) => b - a)
  const next = isMeasured(assumptions) ? leastKnown(assumptions) : undefined
  return html`<p><strong>Where the uncertainty comes from:</strong> ${sources
    .map(([name, share]) => `${spoken(name)} ${figure(Math.round(share * 100))} %`)
    .join(", ")}.${next === undefined ? "" : ` Measure the ${spoken(next)} next.`}</p>`
}

/** What the figures mean and what to do about them. */
export const adviceView = (calculation: Calculation): Html => {
  const { forecast } = calculation
  const { outlook, performance_grade: grade, recommendations, risk_flags: flags } = forecast
  const covered = breakEven(outlook)
  return html`<p class="grade"><span class="badge">Grade: ${grades[grade]}</span> ${flags.map(
    (flag) => html`<span class="badge flag">${spoken(flag)}</span> `
  )}</p>
<ul>${recommendations.map((sentence) => html`<li>${inWords(sentence)}</li>`)}</ul>
<p>${noClient(outlook)}${covered === undefined ? "" : ` ${covered}`}</p>
${costs(forecast)}
${uncertainty(calculation)}`
}

/** How each figure came about. */
export const notesView = ({ forecast }: Calculation): Html =>
  html`<ul>${forecast.calculation_notes.map((note) => html`<li>${inWords(note)}</li>`)}</ul>`

/** The answer in a sentence, for who hears the page, and for the bar at the bottom of a phone. */
export const spokenOutcome = ({ forecast: { estimated_profit: profit, outlook } }: Calculation): string =>
  `${clients(outlook.clients.expected)} expected, ${range(outlook.clients.low, outlook.clients.high, people)} in the 80 % range${profit === null ? "" : `, profit ${money(profit)}`}.`
