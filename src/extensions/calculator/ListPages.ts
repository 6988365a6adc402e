import type { HttpServerResponse } from "effect/http"
import { html, type Html } from "../../text/html.ts"
import { formTitle } from "../../site/form.ts"
import { page } from "../../site/layout.ts"
import type { CalculatedList } from "./calculatedPages.ts"
import { independentField, listField, maxListed } from "./list/readList.ts"
import { moreFields } from "./FormFields.ts"
import { isWhole } from "./Presets.ts"
import { listed } from "../../forecast/Words.ts"

/** A list to begin with. */
const example = `Name, Emails sent, Reply rate, Positive reply rate, Meeting booking rate, Close rate, Deal value, Campaign cost
Agencies, 5000, 2.5%, 20%, 45%, 20%, €4000, €900
Shops, 8000, 1.4%, 14%, 40%, 25%, €4000, €900
Founders, 1200, 3.2%, 25%, 50%, 20%, €4000, €600
`

const problems = (errors: ReadonlyArray<string>): Html =>
  errors.length === 0
    ? html``
    : html`<div class="error-summary" role="alert" aria-labelledby="problem" tabindex="-1" autofocus>
<h2 id="problem">There is a problem</h2>
<ul>${errors.map((sentence) => html`<li><a href="#${listField}">${sentence}</a></li>`)}</ul>
</div>`

/** `/list`: a list of campaigns, with its ranking and totals if it has been read. */
export const listPage = (
  { errors, values }: CalculatedList,
  result: Html | undefined,
  url: string
): HttpServerResponse.HttpServerResponse => {
  const text = values[listField] ?? ""
  const isLong = result !== undefined && !isWhole(values)
  return page(
    formTitle("Rank campaigns", { values, errors: [], ...(errors[0] !== undefined && { message: errors[0] }) }),
    html`${problems(errors)}
<h1>Which campaigns are worth sending?</h1>
<p class="lead">Paste up to ${maxListed} campaigns from a spreadsheet to see what they bring together, and which is the best. Free, nothing is stored.</p>
${
  result === undefined
    ? html``
    : html`<section aria-label="Result" id="result">${result}
${isLong ? html`<p class="hint">This list is too long for a link: keep the table to see it again.</p>` : html``}</section>`
}
<form method="post" action="/list" class="list" novalidate>
<label for="${listField}">Campaigns</label>
<p class="help" id="${listField}-help">One line each, below the names of the columns. Rates in percent; ${listed(moreFields.map(({ label }) => label.toLowerCase()))} may be left out, and so may deal value and cost.</p>
<textarea id="${listField}" name="${listField}" rows="10" spellcheck="false" autocomplete="off" aria-describedby="${errors.length === 0 ? "" : "problem "}${listField}-help"${errors.length === 0 ? html`` : html` aria-invalid="true"`}>
${text === "" && errors.length === 0 ? example : text}</textarea>
<p>One sender, or different clients? <label class="choice"><input type="checkbox" name="${independentField}" value="yes"${values[independentField] === "yes" ? html` checked` : html``}> Different clients, with nothing in common</label></p>
<button type="submit">Rank these campaigns</button>
</form>
<p><a href="/">Back to the calculator</a>. For up to 1,000 campaigns at once, use the <a href="/docs/clients#what-will-the-quarter-bring">API</a>.</p>`,
    errors.length === 0 ? 200 : 400,
    {
      ...(errors.length === 0 ? { url } : {}),
      isUnlisted: text !== "",
      section: "/",
      styles: ["calculator.css"],
      kind: "wide",
      description: "Paste up to 20 cold-email campaigns and see which is the best, and what they bring together. Free."
    }
  )
}
