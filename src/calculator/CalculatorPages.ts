import type { HttpServerResponse } from "effect/http"
import { exampleValues, type FormReading } from "./readForm.ts"
import { evidenceFields, fieldLabels, fieldNames, moreFields } from "./Fields.ts"
import { noOutcome, type Place, type Views } from "./Views.ts"
import { presetsView } from "./views/Presets.ts"
import { languageNames, languages } from "./views/Snippets.ts"
import type { ApiAddress } from "../site/ApiAddress.ts"
import { type Html, html } from "../text/html.ts"
import { emptyForm, errorSummary, type FormState, formTitle, ownerFields, ownerLabels } from "../site/form.ts"
import { page } from "../site/layout.ts"
import {
  campaignInputs,
  evidenceInputs,
  goalInputs,
  moreInputs,
  secondInputs,
  spreadInput
} from "./calculatorInputs.ts"

/** What the page shows: a form that was read, and what came of it, if anything did. */
export interface CalculatorState {
  readonly reading: FormReading
  readonly views: Views | undefined
  readonly address: ApiAddress
  /** The form that asks for a key. */
  readonly access?: FormState
  readonly status?: number
}

const details = (summary: string, isOpen: boolean, content: Html): Html =>
  html`<details${isOpen ? html` open` : html``}><summary>${summary}</summary>
${content}</details>`

const figureOf = (id: Place, title: string, caption: Html, show: (place: Place) => Html): Html =>
  html`<figure><figcaption><h3>${title}</h3><p>${caption}</p></figcaption><div id="${id}">${show(id)}</div></figure>`

const codeSection = (show: (place: Place) => Html): Html => html`<section aria-labelledby="api">
<h2 id="api">Get this as an API call</h2>
<p>These very numbers, ready to paste. One forecast or goal costs one credit, and what you see here is what the API answers.</p>
<div class="languages">
<div class="language-tabs" role="radiogroup" aria-label="Language">${languages.map(
  (language, index) =>
    html`<input type="radio" name="language" id="language-${language}" value="${languageNames[language]}"${index === 0 ? html` checked` : html``}><label for="language-${language}">${languageNames[language]}</label>`
)}</div>
${languages.map(
  (language) =>
    html`<div class="code panel panel-${language}"><pre tabindex="0" aria-label="${languageNames[language]}"><code id="code-${language}">${show(`code-${language}`)}</code></pre></div>`
)}</div>
</section>`

const accessSection = (state: FormState): Html => html`<section aria-labelledby="access">
<h2 id="access">Get an API key</h2>
<p>100 free forecasts, no credit card. They never expire. Need more? Buy a <a href="/credits">credit pack</a>.</p>
<form class="narrow" method="post" action="/api/v1/access-requests" novalidate>
${ownerFields(state)}
<button type="submit">Send me a key</button>
</form>
</section>`

/** Without the script, the numbers are sent: the service calculates. */
const lead = html`Replies, clients, profit, and how sure all of that is<span class="scripted">: calculated as you type, in your
browser, by the same exact arithmetic as the API. Free; nothing is sent.</span><noscript>: calculated by the same exact
arithmetic as the API. Free; nothing is stored.</noscript>`

const nothingYet = html`<p class="hint">${noOutcome}</p>`

/** `/`: the calculator, what it takes to call the API for the same, and the form that asks for a key. */
export const calculatorPage = ({
  access = emptyForm,
  address,
  reading,
  status = 200,
  views
}: CalculatorState): HttpServerResponse.HttpServerResponse => {
  const { errors, values } = reading
  const state: FormState = { values, errors }
  const show = (place: Place): Html => views?.[place] ?? (place === "outcome" ? nothingYet : html``)
  const isFilled = (names: ReadonlyArray<string>) =>
    names.some((name) => (values[name] ?? "") !== "" || errors.some(({ pointer }) => pointer === `/${name}`))
  const isWrong = errors.length > 0
  const main = html`${isWrong ? errorSummary(state, fieldLabels) : errorSummary(access, ownerLabels)}
<h1>What will your cold-email campaign return?</h1>
<p class="lead">${lead}</p>
<div id="presets">${presetsView(values)}</div>
<div class="calculator">
<form id="calculator" class="numbers" method="get" action="/" novalidate data-base-url="${address.baseUrl}" data-demo-key="${String(address.hasDemoKey)}" aria-labelledby="calculate">
<h2 id="calculate">Your campaign</h2>
<a class="bar-link" href="#result" id="bar">${show("bar")}</a>
${campaignInputs(state)}
${spreadInput(state)}
${details("More: delivery, show rate, emails per contact", isFilled(moreFields.map(({ name }) => name)), html`${moreInputs(state)}`)}
${details(
  "What I have measured",
  isFilled(evidenceFields.flatMap(({ observed, outOf }) => [observed.name, outOf.name])),
  html`<p class="help">Counts from your own campaigns make the ranges honest: 4 % measured on 50 emails is not 4 % measured on 5,000.</p>${evidenceInputs(state)}`
)}
<div class="actions"><button type="submit">Calculate</button> <button type="button" class="quiet" id="share" hidden>Copy link</button></div>
</form>
<section class="result" id="result" aria-labelledby="result-title">
<h2 id="result-title">Forecast</h2>
<div id="outcome">${show("outcome")}</div>
${figureOf("distribution", "How many clients?", html`Send it 100 times, and this is how often each number of clients comes out.`, show)}
<div id="advice">${show("advice")}</div>
</section>
</div>
<div class="pair">
${figureOf("funnel", "From emails to clients", html`Expected counts on a logarithmic scale: from 1 on, each line stands for ten times as many. The mark at the end of a bar is its range.`, show)}
${figureOf("levers", "What moves the result", html`One input alone, all else as it is: rates from the lowest to the highest published, the rest 20 % less and 20 % more. Linear scale.`, show)}
</div>
<div class="pair">
<section aria-labelledby="goal-title"><h2 id="goal-title">Reach a goal</h2>
${goalInputs(state)}
<button type="submit" form="calculator" class="quiet">Calculate the goal</button>
<div id="goal-answer">${show("goal-answer")}</div></section>
<section aria-labelledby="compare-title"><h2 id="compare-title">Compare with a second campaign</h2>
${details(
  "The second campaign",
  isFilled(fieldNames.filter((name) => name.startsWith("b_"))),
  html`<p class="help">Fill in what is different; what you leave empty is the same as in the first.</p><div class="second">${secondInputs(state)}</div>
<button type="submit" form="calculator" class="quiet" id="comparison-submit">Compare</button>`
)}
<div id="comparison">${show("comparison")}</div></section>
</div>
<details class="notes"><summary>How this is calculated</summary><div id="notes">${show("notes")}</div></details>
${codeSection(show)}
${accessSection(access)}
<p class="visually-hidden" role="status" id="spoken"></p>`
  return page(formTitle("Cold email ROI calculator", isWrong ? state : access), main, status, {
    // What is shared by a link with numbers is for those who have the link.
    ...(values === exampleValues && status === 200 ? { url: `${address.baseUrl}/` } : {}),
    description:
      "Type in your rates and see how many clients a cold-email campaign brings, what it returns, and how sure that is. Free.",
    section: "/",
    scripts: ["calculator.js"],
    styles: ["calculator.css"],
    kind: "wide"
  })
}
