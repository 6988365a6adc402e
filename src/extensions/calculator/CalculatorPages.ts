import { cutLink, cutLinkMessage, historyField } from "../tables/Fragment.ts"
import type { HttpServerResponse } from "effect/http"
import { addressOf, openingValues } from "./Presets.ts"
import type { CalculatedForm } from "./calculatedPages.ts"
import { readForm } from "./readForm.ts"
import {
  contactsField,
  fieldLabels,
  fieldNames,
  flightFields,
  moreFields,
  moreSummary,
  spreadField
} from "./FormFields.ts"
import { messageView, noOutcome } from "./views/Message.ts"
import { columns, labelOf } from "../tables/Columns.ts"
import { pastRowsIn, tableOf } from "../tables/PastRows.ts"
import { cellLabel, historyRows } from "./views/History.ts"
import { importDialog } from "./views/Import.ts"
import { computeProgress } from "../progress/Progress.ts"
import { type Place, viewsOf } from "./Views.ts"
import { citation, presetSource, presetsView } from "./views/Presets.ts"
import { clientiumCampaigns } from "../../forecast/benchmarks/Publications.ts"
import { languageNames, languages } from "../../http/document/CodeSamples.ts"
import type { ApiAddress } from "../../site/ApiAddress.ts"
import { type Html, html } from "../../text/html.ts"
import { accessForm } from "../../keys/AccessPages.ts"
import { errorSummary, fieldErrors, type FormState, formTitle } from "../../site/form.ts"
import { page, sheet } from "../../site/layout.ts"
import { campaignInputs, flightInputs, goalInputs, moreInputs, secondInputs, spreadInput } from "./calculatorInputs.ts"
import { calculate } from "./Calculation.ts"

/** The state of the page: the form, and the calculation if there is one. */
export interface CalculatorState {
  readonly reading: CalculatedForm
  readonly views: { readonly [place: string]: Html } | undefined
  readonly address: ApiAddress
  readonly status?: number
}

const details = (summary: string, isOpen: boolean, content: Html): Html =>
  html`<details${isOpen ? html` open` : html``}><summary>${summary}</summary>
${content}</details>`

const figureOf = (id: Place, title: string, caption: Html, show: (place: Place) => Html): Html =>
  html`<figure class="card"><figcaption><h3>${title}</h3><p>${caption}</p></figcaption><div id="${id}">${show(id)}</div></figure>`

const codeSection = (
  show: (place: Place) => Html
): Html => html`<details class="card" id="api"><summary>Get this as an API call</summary>
<p>These exact numbers, ready to paste. One forecast, goal or campaign in flight costs one credit, and the API returns what you see here.</p>
<div class="languages">
<div class="language-tabs" role="radiogroup" aria-label="Language">${languages.map(
  (language, index) =>
    html`<input type="radio" name="language" id="language-${language}" value="${languageNames[language]}"${index === 0 ? html` checked` : html``}><label for="language-${language}">${languageNames[language]}</label>`
)}</div>
${languages.map(
  (language) =>
    html`<div class="code panel panel-${language}"><pre tabindex="0" aria-label="${languageNames[language]}"><code id="code-${language}">${show(`code-${language}`)}</code></pre></div>`
)}</div>
</details>`

const audienceSection = html`<details class="card" id="audience"><summary>Who it is for</summary>
<ul class="ways"><li><strong>Agencies</strong> rank campaigns and print forecasts. <a href="/list">Rank a list</a></li>
<li><strong>Programs</strong> get the same with one POST. <a href="/docs/first-call">Make a first call</a></li>
<li><strong>Agents</strong> have it as MCP tools. <a href="/docs/agents">Connect an agent</a></li></ul>
</details>`

const accessSection = html`<section class="card access" aria-labelledby="access">
<h2 id="access">Get an API key</h2>
${accessForm()}
</section>`

/** A part of the page that is a fold: its heading and a sentence are what opens it. */
const foldOf = (title: string, id: string, sentence: Html, isOpen: boolean, content: Html): Html =>
  html`<details${isOpen ? html` open` : html``}><summary><h2 id="${id}">${title}</h2> ${sentence}</summary>
${content}</details>`

/** The campaign in flight: its counts, and its end. */
const flightSection = (
  state: FormState,
  isOpen: boolean,
  show: (place: Place) => Html
): Html => html`<section class="card" id="flight" aria-labelledby="flight-title">
${foldOf(
  "Already sending?",
  "flight-title",
  html`<span class="help">Bad luck or a bad plan? See where it ends.</span>`,
  isOpen,
  html`<p class="help">The plan is the forecast above. <a href="/docs/progress">How to count</a></p>
${flightInputs(state)}
<button type="submit" form="calculator" class="quiet" id="flight-submit">Calculate where it ends</button>`
)}
<div id="flight-answer">${show("flight-answer")}</div></section>`

/** Past campaigns: a table, editable with the script, and the rates learned from them. */
const pastSection = (state: FormState, said: ReadonlyArray<string>, show: (place: Place) => Html): Html => {
  const text = state.values[historyField] ?? ""
  const rows = pastRowsIn(text)
  const { attributes, text: error } = fieldErrors(historyField, "Past campaigns", state, "history-help")
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Past campaigns"><table class="past">
<thead><tr><td></td>${columns.map((name) => html`<th scope="col">${labelOf(name)}</th>`)}<td></td></tr></thead>
<tbody id="history-rows">${historyRows(rows, state.errors, false)}</tbody>
<tfoot id="history-sums">${show("history-sums")}</tfoot></table></div>`
  return html`<section class="card" id="past" aria-labelledby="past-title">
${foldOf(
  "Your past campaigns",
  "past-title",
  html`<span class="help" id="history-help">Your own results change the forecast most.</span>`,
  text !== "",
  html`<p class="help">Enter all of them, including those that failed. Leave empty what you do not know. <a href="/docs/past-campaigns">Recognized columns</a></p>
<p class="help scripted">Type, or paste cells from a spreadsheet into the table, with the names of its columns or without.</p>
${rows.length === 0 ? html`<div class="scripted">${table}</div>` : table}
<div class="field-error" id="${historyField}-place">${error}</div>
<div class="scripted"><p class="actions"><button type="button" class="quiet" id="history-add">Add a campaign</button> <button type="button" class="quiet" id="history-columns" hidden>Change columns</button> <button type="button" class="quiet" id="history-clear" hidden>Remove all</button></p>
<label for="history-file">Or choose a CSV or Excel file</label>
<input type="file" id="history-file" accept=".csv,.tsv,.txt,.xlsx,text/csv,text/tab-separated-values,text/plain">
<p class="hint">Files are read in your browser. Only the columns that you choose are used; they are kept in the address of this page.</p>
<p class="error" role="alert" id="history-refusal"></p>
${importDialog}</div>
<input type="hidden" id="${contactsField}" name="${contactsField}" form="calculator" value="${state.values[contactsField] ?? ""}">
<div class="unscripted"><label for="${historyField}">Rows from a spreadsheet, with the names of the columns</label>
<textarea id="${historyField}" name="${historyField}" form="calculator" rows="8" spellcheck="false" autocomplete="off"${attributes}>
${rows.length > 0 && !text.includes("\n") ? tableOf(rows) : text}</textarea>
${said.map((sentence) => html`<p class="hint">${sentence}</p>`)}
<button type="submit" form="calculator" class="quiet">Calculate with these campaigns</button></div>`
)}
<div id="history-added" role="status"></div>
<div id="history-answer">${show("history-answer")}</div></section>`
}

/** The labels of the fields of past campaigns in error messages. */
const pastLabels = ({ errors, values }: FormState): Readonly<Record<string, string>> => {
  const rows = pastRowsIn(values[historyField] ?? "")
  return Object.fromEntries(
    errors.flatMap(({ pointer }) => {
      const [field, row, name] = pointer.slice(1).split("/")
      const column = columns.find((each) => each === name)
      return field !== historyField || column === undefined
        ? []
        : [[pointer.slice(1), cellLabel(rows[Number(row)] ?? {}, Number(row), column)] as const]
    })
  )
}

/** Without the script, the numbers are sent and the service calculates. */
const lead = html`Free, no sign-up. <span class="scripted">Calculated in your browser; nothing is sent.</span><noscript>Nothing is stored.</noscript>`

const nothingYet = html`<p class="hint">${noOutcome}</p>`

/** `/`: the calculator, the equivalent API calls, and the form to request a key. */
export const calculatorPage = ({
  address,
  reading,
  status = 200,
  views
}: CalculatorState): HttpServerResponse.HttpServerResponse => {
  const { errors, shown, values } = reading
  const state: FormState = { values, errors, ...(values[cutLink] !== undefined && { message: cutLinkMessage }) }
  const show = (place: Place): Html => views?.[place] ?? (place === "outcome" ? nothingYet : html``)
  const isFilled = (names: ReadonlyArray<string>) =>
    names.some((name) => (values[name] ?? "") !== "" || errors.some(({ pointer }) => pointer === `/${name}`))
  const main = html`${errorSummary(state, { ...fieldLabels, ...pastLabels(state) })}
<div class="title"><h1>What will your <span class="wide-only">cold-email </span>campaign return?</h1><p class="wide-only">A forecast with its range, from 556 published campaigns or your own.</p></div>
<div class="calculator">
<a class="glance" href="#result" id="glance">${show("glance")}</a>
<div class="presets" id="presets" role="toolbar" aria-label="Start with a campaign">${presetsView(shown, true)}</div>
<form id="calculator" class="inputs card" method="post" action="/" novalidate data-base-url="${address.baseUrl}" data-demo-key="${String(address.hasDemoKey)}" aria-labelledby="calculate">
<h2 id="calculate" class="visually-hidden">Your campaign</h2>
${campaignInputs(state, show)}
${details(
  moreSummary,
  isFilled(moreFields.map(({ name }) => name)) || (values[spreadField.name] ?? "published") !== "published",
  html`${moreInputs(state, show)}${spreadInput(state)}`
)}
<details class="sources"><summary>Where do these numbers come from?</summary><p class="hint" id="preset-source">${presetSource(shown)}</p></details>
<p class="hint">${lead}</p>
<button type="submit" class="unscripted">Calculate</button>
</form>
<section class="result" id="result" aria-labelledby="result-title">
<h2 id="result-title" class="visually-hidden">Forecast</h2>
<div id="outcome">${show("outcome")}</div>
<figure class="card"><figcaption><h3>How many clients?</h3><span class="tools"><span id="take-along">${show("take-along")}</span> <button type="button" class="linklike" id="share" hidden>Copy link</button> <details class="embedding"><summary class="linklike">Embed</summary><p class="hint">For a page of your own. The frame has no border, and is as high as its content.</p><div class="code"><pre tabindex="0" aria-label="HTML"><code id="embed-code">${show("embed-code")}</code></pre></div></details></span></figcaption><div id="distribution">${show("distribution")}</div></figure>
<section class="card" aria-label="Advice" id="advice">${show("advice")}</section>
</section>
</div>
${pastSection(state, reading.said, show)}
${figureOf("levers", "Which number matters most?", html`Each bar: worst to best published value, or ±20%.`, show)}
<details class="card stages"><summary id="stages">${show("stages")}</summary><figure><figcaption><p>Logarithmic scale: from 1 on, each line is ten times the one before.</p></figcaption><div id="funnel">${show("funnel")}</div></figure></details>
<details class="notes card"><summary>How this is calculated</summary><div id="notes">${show("notes")}</div></details>
<div class="next">
<section class="card" id="aim" aria-labelledby="goal-title"><h2 id="goal-title">Reach a goal</h2>
${goalInputs(state)}
<button type="submit" form="calculator" class="quiet">Calculate the goal</button>
<div id="goal-answer">${show("goal-answer")}</div>
<details class="needed"><summary id="goal-intro">${show("goal-intro")}</summary>
<div id="goal-levers">${show("goal-levers")}</div></details></section>
${flightSection(state, isFilled(flightFields.map(({ name }) => name)), show)}
<section class="card" id="compare" aria-labelledby="compare-title"><h2 id="compare-title">Compare</h2>
<div id="comparison">${show("comparison")}</div>
${details(
  "Enter a second campaign",
  isFilled(fieldNames.filter((name) => name.startsWith("b_"))),
  html`<p class="help">Fill in what differs; empty fields are the same as in the first.</p><div class="second">${secondInputs(state)}</div>
<button type="submit" form="calculator" class="quiet" id="comparison-submit">Compare</button>`
)}</section>
<section class="card" id="test-first" aria-labelledby="test-first-title">
${foldOf(
  "Test first",
  "test-first-title",
  html`<span class="help" id="test-first-answer">${show("test-first-answer")}</span>`,
  false,
  html`<div id="test-first-table">${show("test-first-table")}</div>`
)}</section>
</div>
${codeSection(show)}
${audienceSection}
${accessSection}
<p class="visually-hidden" role="status" id="spoken"></p>`
  const isOpening = values === openingValues
  const title = isOpening || views === undefined ? "Cold email ROI calculator" : show("headline").text
  return page(formTitle(title, state), main, status, {
    ...(status === 200 ? { url: isOpening ? `${address.baseUrl}/` : `${address.baseUrl}${addressOf(shown)}` } : {}),
    // A link with numbers is only for people who have it.
    isUnlisted: !isOpening,
    description:
      isOpening || views === undefined
        ? "Type in your rates and see how many clients a cold-email campaign brings, what it returns, and how certain that is. Free."
        : show("spoken").text,
    section: "/",
    footnote: citation({ text: "Spread of reply rates", source: clientiumCampaigns }),
    scripts: ["calculator.js"],
    styles: ["calculator.css"],
    kind: "wide"
  })
}

/** `/` without numbers in its address: the calculator with a typical campaign, and the form to request a key. */
export const homePage = (address: ApiAddress) => {
  const { errors, input, values } = readForm(openingValues)
  const views = input === undefined ? undefined : viewsOf(calculate(input, computeProgress), address)
  return calculatorPage({ reading: { values, errors, said: [], shown: values }, views, address })
}

/** `/report?…`: a forecast for printing. */
export const reportPage = (title: string, report: Html): HttpServerResponse.HttpServerResponse =>
  sheet(title, report, 200, { kind: "report", scripts: ["report.js"], styles: ["report.css"] })

/** `/embed?…`: a forecast that any site may show in a frame. */
export const embedPage = (main: Html, status = 200): HttpServerResponse.HttpServerResponse =>
  sheet("Campaign forecast", main, status, {
    kind: "embed",
    isFramed: true,
    scripts: ["embed.js"],
    styles: ["embed.css"]
  })

/** The message in the frame if there is no forecast to show. */
export const embedMessage = (
  text: string,
  status: number,
  next: { readonly path: string; readonly text: string }
): HttpServerResponse.HttpServerResponse => embedPage(messageView(text, next), status)
