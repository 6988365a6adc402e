import { expectedClients, figure, percent, range, shortPeople, shortPercent } from "../../../text/Figures.ts"
import { ofContacts } from "./History.ts"
import { fields, usualNames, refinements } from "../../../campaign/Fields.ts"
import { countNames, rateNames } from "../../../campaign/Rates.ts"
import { showExact, toDouble } from "../../../forecast/Decimal.ts"
import { countOf, listed, ofHundred, sentenceCase } from "../../../forecast/Words.ts"
import { ofChanceAlone, ofRates } from "../../../forecast/outlook/OutlookNotes.ts"
import { modelVersion } from "../../../forecast/modelVersion.ts"
import { type Html, html } from "../../../text/html.ts"
import { amountsOf } from "../Amounts.ts"
import type { Calculation } from "../Calculation.ts"
import { currencyField, longestName, preparedFields } from "../FormFields.ts"
import { distributionDrawing, distributionLegend } from "../drawings/DistributionDrawing.ts"
import { axisHeight, barHeight, barOf, funnelScale } from "../drawings/FunnelDrawing.ts"
import { patterns } from "../drawings/Svg.ts"
import { withLabels } from "../withLabels.ts"
import { planAddress, presetOf } from "../Presets.ts"
import { publishedSpread, sourceOf } from "../Sources.ts"
import { hasLearnedRates, type FunnelStage } from "../Stages.ts"
import { flightSentence } from "./Flight.ts"
import { comparisonSentence } from "./Comparison.ts"
import { goalSentence } from "./Goal.ts"
import { unreadView } from "./Message.ts"
import { headline, resultTiles } from "./Outcome.ts"
import { trackRecordSentence } from "./TrackRecord.ts"

/** The number of printed characters of an address that has more than a plan; the link has all of them. */
const shownAddress = 80

/** The lines for names, to be filled in before printing or by hand. */
const nameLines = ({ input: { values } }: Calculation): ReadonlyArray<Html> =>
  preparedFields.map(
    ({ label, name }) =>
      html`<label>${label} <input type="text" name="${name}" maxlength="${longestName}" autocomplete="off" value="${(values[name] ?? "").slice(0, longestName)}"></label> `
  )

/** The given numbers. */
const given = ({ forecast: { outlook }, input: { first, values } }: Calculation): Html => {
  const campaign = first.assumptions
  const names = [...usualNames, ...refinements].filter((name) => campaign[name] !== undefined)
  return html`<dl class="given">${names.map((name) => {
    const value = campaign[name]
    const { form, unit } = fields[name]
    const show = { percent, money: amountsOf(values).exactMoney, count: figure }[unit]
    const rate = rateNames.find((each) => each === name)
    const learned = rate === undefined ? undefined : outlook.rates[rate]
    const planned = value === undefined ? "" : show(toDouble(value))
    const shown =
      learned?.basis === "history" ? `${shortPercent(learned.expected)} learned, ${planned} planned` : planned
    return html`<div><dt>${form.label}</dt><dd>${shown}</dd></div>`
  })}</dl>`
}

/** The funnel as a table: a line for each stage, with its bar on a logarithmic scale. */
const funnel = ({ stages }: Calculation): Html => {
  const { axis, lines, x } = funnelScale(stages)
  const row = (stage: FunnelStage) => {
    const { count, name, outlook, rate } = stage
    return html`<tr><th scope="row">${name} <span>${rate}</span></th><td class="bars"><svg class="drawing" width="100%" height="${barHeight + 6}" aria-hidden="true">${lines}${barOf(stage, 5, x)}</svg></td><td><strong>${shortPeople(count)}</strong> <span>${outlook === undefined ? "" : range(outlook.low, outlook.high, shortPeople)}</span></td></tr>`
  }
  return html`<table class="funnel"><thead><tr><th scope="col">Stage</th><th scope="col" class="bars"><span class="visually-hidden">Logarithmic scale</span><svg class="drawing" width="100%" height="${axisHeight}" aria-hidden="true">${axis}</svg></th><th scope="col">Average, range</th></tr></thead>
<tbody>${stages.map(row)}</tbody></table>`
}

/** The calculation of the expected clients and profit, at the rates of the outlook. */
const product = ({
  campaign,
  forecast: { estimated_profit: expectedProfit, outlook },
  input: { values }
}: Calculation): string => {
  const { calculatedMoney, exactMoney } = amountsOf(values)
  const { average_deal_value: dealValue, campaign_cost: cost, emails_sent: emails } = campaign
  const { expected: count } = outlook.clients
  const rounded = hasLearnedRates(outlook) ? ", rounded" : ""
  const shares = rateNames.flatMap((name) => {
    const rate = outlook.rates[name]
    return rate === undefined ? [] : [`${figure(rate.expected)}%`]
  })
  const profit =
    dealValue === undefined || cost === undefined || expectedProfit === null
      ? ""
      : ` Profit: ${figure(count)} × ${exactMoney(toDouble(dealValue))} − ${exactMoney(toDouble(cost))} = ${calculatedMoney(expectedProfit)}${rounded}.`
  return `Average clients: ${[showExact(emails), ...shares].join(" × ")} = ${figure(count)}${rounded}.${profit}`
}

const assumptions = (calculation: Calculation): ReadonlyArray<string> => {
  const { forecast, input } = calculation
  const { outlook } = forecast
  return [
    product(calculation),
    `Ranges run from the 10% to the 90% quantile. Counts are whole numbers, so the range of clients holds ${ofHundred(outlook.clients.chance_within)} campaigns.`,
    ...ofRates(input.first.assumptions, outlook).map(withLabels),
    ...ofContacts(input),
    ...ofChanceAlone(outlook),
    `An estimate, not a guarantee.${input.values[currencyField] === undefined ? " All amounts are in one currency of your choice." : ""}`
  ]
}

/** The sources of figures other than the reader's own. */
const sources = (calculation: Calculation): ReadonlyArray<string> =>
  [...publishedSpread(calculation), ...(presetOf(calculation.input.values)?.sources ?? [])].map(sourceOf)

/** The range of clients; that of the plan once the campaign is in flight, whose end is another. */
const title = ({ flight, forecast: { outlook }, input: { first } }: Calculation): string => {
  const expected = expectedClients(outlook.clients)
  const range = flight === undefined ? expected : expected.replace("Expect", "Planned:")
  return `${range} from ${showExact(first.assumptions.emails_sent)} cold emails`
}

/** The meaning of the range, in a sentence. */
const summary = ({ forecast: { outlook } }: Calculation): string => {
  const { chance_of_no_client: none, chance_to_break_even: covered, clients } = outlook
  const rest = [
    ...(none === 0 ? [] : [`${ofHundred(none)} win no client`]),
    ...(covered === null ? [] : [`${ofHundred(covered)} cover their cost`])
  ].join("; ")
  return `${sentenceCase(ofHundred(clients.chance_within))} such campaigns end in this range.${rest === "" ? "" : ` ${sentenceCase(rest)}.`}`
}

/** The campaign in flight: its counts so far, and where it ends. */
const progress = ({ flight: answer, input: { flight } }: Calculation): Html => {
  if (answer === undefined || flight === undefined) return html``
  const counts = countNames.flatMap((name) => {
    const count = flight.soFar[name]
    return count === undefined ? [] : [countOf(count, name)]
  })
  const { chance_of_at_least: chance, clients } = answer.plan
  return html`<p><strong>So far:</strong> ${listed(counts)}. ${flightSentence(answer)} The plan, ${clients} or more, is reached in ${ofHundred(chance)}.</p>`
}

/** The goal, the comparison and the track record, as far as there are any. */
const further = (calculation: Calculation): ReadonlyArray<Html> =>
  Object.entries({
    Goal: html`${goalSentence(calculation)}`,
    Compared: comparisonSentence(calculation),
    "Past campaigns": html`${trackRecordSentence(calculation)}`
  }).flatMap(([name, sentence]) => (sentence.text === "" ? [] : [html`<p><strong>${name}:</strong> ${sentence}</p>`]))

/** The height of the chart, which leaves room for the stages of the campaign and for further sentences. */
const chartHeight = (stages: number, sentences: number): number =>
  Math.max(204 - 14 * (stages - 5) - (stages > 5 ? 40 : 12) * sentences, 136)

interface Printed {
  readonly baseUrl: string
  /** The address of the calculator with the values of the report. */
  readonly back: string
  readonly day: string
}

/** A forecast on one sheet of paper, A4 or Letter, that an agency hands to its client; `day` is the date on it. */
export const report = (calculation: Calculation, { back, baseUrl, day }: Printed): Html => {
  const { input, stages } = calculation
  const short = planAddress(input.values)
  const link = `${baseUrl}${short ?? back}`
  const shown = link.replace(/^https?:\/\//, "")
  const notes = assumptions(calculation)
  const from = sources(calculation)
  const more = further(calculation)
  return html`<nav class="controls"><a href="${back}">Change the numbers</a> <button type="button" id="print" hidden>Print or save as PDF</button> <span>One page of A4 or Letter. Click or tap a line to write a name on it; the link keeps it.</span></nav>
<main class="sheet${notes.length > 7 || stages.length > 5 || from.length > 1 || calculation.flight !== undefined || more.length > 0 ? " dense" : ""}" data-headline="${headline(calculation)}">
<header><span>${nameLines(calculation)}</span><span>${day}</span></header>
<div><h1>${title(calculation)}</h1><p>${summary(calculation)}</p>${unreadView(input.values)}${progress(calculation)}${more}</div>
${resultTiles(calculation)}
<section><h2>The campaign</h2>${given(calculation)}</section>
<section><h2>From emails to clients</h2>${funnel(calculation)}</section>
<figure><figcaption><h2>How many clients?</h2>${distributionLegend(calculation)}</figcaption>${patterns}${distributionDrawing(calculation, chartHeight(stages.length, more.length))}</figure>
<section><h2>What this assumes</h2><ul>${notes.map((note) => html`<li>${note}</li>`)}</ul>
${from.length === 0 ? html`` : html`<p class="sources"><strong>Sources.</strong> ${from.join(". ")}.</p>`}</section>
<footer><span>Outreach Forecast, model of ${modelVersion}</span> <a href="${link}">${short === undefined ? `${shown.slice(0, shownAddress)}…` : shown}</a>${short === undefined ? html` <span>Cut in print: the link in the file has everything.</span>` : html``}</footer>
</main>`
}
