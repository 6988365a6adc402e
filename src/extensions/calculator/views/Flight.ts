import {
  counted,
  expectedClients,
  integer,
  percent,
  range,
  shortFigure,
  shortPeople,
  shortPercent
} from "../../../text/Figures.ts"
import { fields } from "../../../campaign/Fields.ts"
import { countLabel, type RateName, rateNames, requiredRates } from "../../../campaign/Rates.ts"
import { type Campaign, type Funnel, funnel } from "../../../forecast/Campaign.ts"
import { listed, ofHundred, sentenceCase, shortOfHundred } from "../../../forecast/Words.ts"
import { type Decided, decidedCases } from "../../progress/DecidedCases.ts"
import type { ProgressAnswer } from "../../progress/ProgressAnswer.ts"
import { type Html, html } from "../../../text/html.ts"
import { flightLegend } from "../drawings/Svg.ts"
import { amountsOf } from "../Amounts.ts"
import type { Calculation } from "../Calculation.ts"
import type { FlightField } from "../FormFields.ts"
import { withLabels } from "../withLabels.ts"
import { toDouble } from "../../../forecast/Decimal.ts"
import { tile } from "./Outcome.ts"
import { flightFunnelDrawing, type FlightStage } from "../drawings/FunnelDrawing.ts"
import type { Flight } from "../readForm.ts"
import { sendingDrawing } from "../drawings/SendingDrawing.ts"

type AgainstPlan = NonNullable<ProgressAnswer["against_the_plan"][RateName]>

/** The expected end of the campaign, in a sentence. */
export const flightSentence = ({ end: { clients: end } }: ProgressAnswer): string => {
  const won =
    end.so_far === 0
      ? ""
      : `, ${end.low === end.high && end.low === end.so_far ? "all" : integer(end.so_far)} of them already won`
  return `${expectedClients(end)} at the end${won}.`
}

/** Bad luck or a bad plan, in a visitor's words. */
const verdictOf = (rate: AgainstPlan, { cases, passed }: Pick<Decided, "cases" | "passed">): string => {
  const { chance_as_campaigns_vary: varying, chance_by_chance_alone: alone, observed, planned, verdict } = rate
  const chance = varying ?? alone
  if (observed === null || chance === null || verdict === null)
    return `planned ${percent(planned)}; nothing is decided yet.`
  const decided = `(${integer(passed)} of ${integer(cases)} decided)`
  const seen = `${shortPercent(observed)} ${decided} instead of ${percent(planned)}`
  if (observed === planned) return `${percent(planned)} ${decided}, exactly as planned.`
  const isLow = observed < planned
  const words = {
    below: "a bad plan rather than bad luck",
    above: "a cautious plan rather than good luck",
    as_planned: varying === null ? "too few to tell, could be chance" : "could be chance"
  }[verdict]
  const often = ofHundred(chance)
  const campaigns = `${varying === null ? `By chance alone, ${often}` : sentenceCase(often)} campaigns with this plan`
  return `${seen}: ${words}. ${campaigns} get ${isLow ? "no more" : "at least as many"}.`
}

const verdictsView = (
  plan: Campaign,
  { open, soFar }: Flight,
  { against_the_plan: compared, weakest }: ProgressAnswer
): Html => {
  const decided = decidedCases({ plan, open, soFar })
  return html`<h3>Bad luck or a bad plan?</h3>
<ul class="verdicts">${rateNames.flatMap((name) => {
    const rate = compared[name]
    const cases = decided[name]
    if (rate === undefined || cases === undefined) return []
    const mark = name === weakest ? html` <span class="badge flag">furthest below the plan</span>` : html``
    return [html`<li><strong>${fields[name].form.label}:</strong> ${verdictOf(rate, cases)}${mark}</li>`]
  })}</ul>`
}

const flightStages = (
  { emailsLeft, soFar }: Flight,
  { end }: ProgressAnswer,
  { passed }: Funnel,
  emails: number
): ReadonlyArray<FlightStage> => [
  {
    name: countLabel("emails_sent"),
    soFar: soFar.emails_sent,
    expected: soFar.emails_sent + emailsLeft,
    planned: emails
  },
  ...requiredRates.map((rate): FlightStage => {
    const { name } = fields[rate].passed
    const { expected, so_far } = end[name]
    return { name: countLabel(name), soFar: so_far, expected, planned: toDouble(passed[rate]), end: end[name] }
  })
]

const unknown = "–"

const tiles = (
  { end, if_you_stop_now: stop, plan }: ProgressAnswer,
  planned: number,
  { shortMoney }: ReturnType<typeof amountsOf>
): Html => {
  const { chance_to_break_even: chance, roi_multiple: roi } = end
  return html`<dl class="tiles">
${tile("tile first", "Clients at the end", shortPeople(end.clients.expected), `${range(end.clients.low, end.clients.high, shortPeople)} in ${shortOfHundred(end.clients.chance_within)}`)}
${tile("tile", "Planned", shortPeople(planned), `${shortPeople(plan.clients)} or more in ${shortOfHundred(plan.chance_of_at_least)}`)}
${tile("tile", "If you stop now", shortPeople(stop.clients.expected), stop.chance_of_another_client === 0 ? "nothing more to come" : `${range(stop.clients.low, stop.clients.high, shortPeople)}; ${end.clients.so_far === 0 ? "a client" : "another one"} in ${shortOfHundred(stop.chance_of_another_client)}`)}
${tile("tile", "Covers its cost", chance === null ? unknown : shortOfHundred(chance), end.revenue === null ? "needs a deal value and a cost" : `revenue ${roi === null ? range(end.revenue.low, end.revenue.high, shortMoney) : `${range(roi.low, roi.high, shortFigure)}× the cost`}`)}
</dl>`
}

const answerView = (
  { campaign, input: { first, values } }: Calculation,
  flight: Flight,
  answer: ProgressAnswer
): Html => {
  // What was planned stays so, whatever past campaigns teach.
  const plannedFunnel = funnel(first.assumptions)
  const planned = toDouble(plannedFunnel.clients)
  const stages = flightStages(flight, answer, plannedFunnel, toDouble(first.assumptions.emails_sent))
  const isSent = flight.emailsLeft === 0
  const verdicts = verdictsView(campaign, flight, answer)
  const sending = html`<figure><figcaption><h3>Go on or stop?</h3><p>Clients at the end against emails still to send. Linear scale, from stopping now at the left edge.</p></figcaption>${flightLegend}${sendingDrawing(answer, planned)}</figure>`
  return html`<p class="says">${flightSentence(answer)}</p>
${tiles(answer, planned, amountsOf(values))}
<div class="pair">
<figure><figcaption><h3>So far and at the end</h3><p>Logarithmic scale. The mark at the end of a bar is its range.</p></figcaption>${flightLegend}${flightFunnelDrawing(stages)}</figure>
${isSent ? html`<div>${verdicts}</div>` : sending}
</div>
${isSent ? html`` : verdicts}
${
  answer.recommendations.length === 0
    ? html``
    : html`<h3>What to do</h3>
<ul>${answer.recommendations.map((sentence) => html`<li>${withLabels(sentence)}</li>`)}</ul>`
}
<details class="notes"><summary>How the end is calculated</summary><ul>${answer.calculation_notes.map((note) => html`<li>${withLabels(note)}</li>`)}</ul></details>`
}

/** Asks for the counts without which the end cannot be calculated. */
export const countsMissing = (missing: ReadonlyArray<FlightField>): Html =>
  html`<p class="hint">To see the end, enter ${listed(missing.map(({ heading }) => heading.toLowerCase()))} too: 0 if there are none yet.</p>`

/** The expected end of the campaign in flight, its comparison with the plan, and advice. */
export const flightView = (calculation: Calculation): Html => {
  const { flight: answer, input } = calculation
  const { flight } = input
  if (flight === undefined) return html``
  if (answer !== undefined) return answerView(calculation, flight, answer)
  return html`<p>With ${counted(flight.emailsLeft + flight.open.emails, "email")} to come, this takes too long to calculate while you type.</p>
<button type="submit" form="calculator" data-served>Calculate the end on the server</button>`
}
