import type { HttpServerResponse } from "effect/http"
import { html, type Html } from "../../text/html.ts"
import { type FormValues, formTitle } from "../../site/form.ts"
import { page } from "../../site/layout.ts"
import type { CalculatedList } from "./calculatedPages.ts"
import { independentField, listField, listFields, maxListed, meaningField, rowsField } from "./list/readList.ts"
import type { ListRow } from "./list/listRows.ts"
import { campaignFields, contactsField, moreFields } from "./FormFields.ts"
import { historyField } from "../tables/Fragment.ts"
import { pastRowsIn, tableOf } from "../tables/PastRows.ts"
import { isWhole } from "./Presets.ts"
import { listed } from "../../forecast/Words.ts"

/** A list to begin with. */
const example = `Name, Emails sent, Reply rate, Positive reply rate, Meeting booking rate, Close rate, Deal value, Campaign cost
Agencies, 5000, 2.5%, 20%, 45%, 20%, €4000, €900
Shops, 8000, 1.4%, 14%, 40%, 25%, €4000, €900
Founders, 1200, 3.2%, 25%, 50%, 20%, €4000, €600
`

const problems = (errors: CalculatedList["errors"]): Html =>
  errors.length === 0
    ? html``
    : html`<div class="error-summary" role="alert" aria-labelledby="problem" tabindex="-1" autofocus>
<h2 id="problem">There is a problem</h2>
<ul>${errors.map(({ field, sentence }) => html`<li><a href="#${field}">${sentence}</a></li>`)}</ul>
</div>`

/** The attributes of a field that has a help, and errors if its name is among those that have. */
const described = ({ errors }: CalculatedList, name: string): Html => {
  const isWrong = errors.some(({ field }) => field === name)
  return html` aria-describedby="${isWrong ? "problem " : ""}${name}-help"${isWrong ? html` aria-invalid="true"` : html``}`
}

/** The values of the page as it was read, with which another form asks for more. */
const hidden = (values: FormValues, except: ReadonlyArray<string>): ReadonlyArray<Html> =>
  listFields.flatMap((name) => {
    if (except.includes(name)) return []
    const { [name]: value = "" } = values
    return value === "" ? [] : [html`<input type="hidden" name="${name}" value="${value}">`]
  })

/** The numbers of a row as written, in the order of the form. */
const numbersOf = ({ numbers }: ListRow): string =>
  [...campaignFields, ...moreFields]
    .flatMap(({ name, unit }) => {
      const { [name]: written } = numbers
      if (written !== undefined && name === "emails_sent") return `${written} emails`
      return written === undefined ? [] : [unit === "%" && /^[\d.,]+$/.test(written) ? `${written}%` : written]
    })
    .join(" · ")

/** The names of the numbers that rows have. */
const labelsOf = (rows: ReadonlyArray<ListRow>): string =>
  [...campaignFields, ...moreFields]
    .filter(({ name }) => rows.some(({ numbers }) => numbers[name] !== undefined))
    .map(({ label }) => label)
    .join(" · ")

/** A row with its box, and the reason why it is left out. */
const rowItem = (row: ListRow): Html => {
  const { isIn, line, name, place, reason, refusal } = row
  const why = refusal ?? reason
  const state = refusal === undefined ? (isIn ? html` checked` : html``) : html` disabled`
  const ofWhy = why === undefined ? html`` : html` aria-describedby="row-${line}-why"`
  const said = isIn ? "Taken in, although" : "Left out:"
  return html`<li><label class="choice"><input type="checkbox" name="${rowsField}" value="${line}"${state}${ofWhy}> ${name === "" ? place : name}</label> <span class="soft">${numbersOf(row)}</span>${why === undefined ? html`` : html` <span class="hint" id="row-${line}-why">${said} ${why}.</span>`}</li>
`
}

/** All rows of a list, each with a box that takes it in. */
const rowsForm = ({ rows, values }: CalculatedList): Html =>
  rows.length === 0
    ? html``
    : html`<form method="post" action="/list" class="rows">
<h2 id="rows">Rows of the list</h2>
<p class="hint">${labelsOf(rows)}</p>
${hidden(values, [rowsField])}<input type="hidden" name="${rowsField}" value="0">
<ul aria-labelledby="rows">${rows.map(rowItem)}</ul>
<button type="submit" class="plain">Rank the chosen rows</button>
</form>`

const answers = { percent: "They are percentages", counts: "Rank them by these rates" } as const

/** A question about a list, with a button for each answer. */
const questionForm = ({ question, values }: CalculatedList): Html =>
  question === undefined
    ? html``
    : html`<form method="post" action="/list" class="card" aria-labelledby="question">
<h2 id="question">${question.sentence}</h2>
${hidden(values, [rowsField, meaningField, ...(question.isOfContacts ? [contactsField] : [])])}
${question.isOfContacts ? html`<p class="help" id="asked-help">On average, follow-ups included: emails sent are the contacts times this number, such as 3.</p><input class="short" name="${contactsField}" inputmode="decimal" autocomplete="off" maxlength="6" aria-labelledby="question" aria-describedby="asked-help" value="${values[contactsField] ?? ""}">` : html``}
<p class="actions">${question.answers.map((answer, index) => html`<button type="submit" name="${meaningField}" value="${answer}"${index === 0 ? html`` : html` class="plain"`}>${answers[answer]}</button> `)}</p>
${question.answers.includes("counts") ? html`` : html`<p class="help">If they are counts, add a first line that names the columns.</p>`}
</form>`

/** The emails that each contact of past campaigns got, once that was asked. */
const contactsInput = (list: CalculatedList): Html => {
  const { [contactsField]: value = "" } = list.values
  return value === "" && !list.errors.some(({ field }) => field === contactsField)
    ? html``
    : html`<label for="${contactsField}">Emails per contact</label>
<p class="help" id="${contactsField}-help">On average, follow-ups included: emails sent are the contacts times this number.</p>
<input class="short" id="${contactsField}" name="${contactsField}" inputmode="decimal" autocomplete="off" maxlength="6" value="${value}"${described(list, contactsField)}>`
}

/** Past campaigns in a fold: those of an address are shown as a table. */
const pastFold = (list: CalculatedList): Html => {
  const { values } = list
  const { [historyField]: text = "" } = values
  const rows = pastRowsIn(text)
  return html`<details${text === "" ? html`` : html` open`}><summary>Learn the rates from past campaigns</summary>
<label for="${historyField}">Past campaigns</label>
<p class="help" id="${historyField}-help">Rows from a spreadsheet, with the names of the columns, such as Emails sent, Replies, Clients. All campaigns above learn their rates from them. <a href="/docs/past-campaigns">Recognized columns</a></p>
<textarea id="${historyField}" name="${historyField}" rows="6" spellcheck="false" autocomplete="off"${described(list, historyField)}>
${rows.length > 0 && !text.includes("\n") ? tableOf(rows) : text}</textarea>
${contactsInput(list)}</details>`
}

/** `/list`: a list of campaigns, with its ranking and totals if it has been read. */
export const listPage = (
  list: CalculatedList,
  result: Html | undefined,
  url: string
): HttpServerResponse.HttpServerResponse => {
  const { errors, values } = list
  const text = values[listField] ?? ""
  const isLong = result !== undefined && !isWhole(values)
  return page(
    formTitle("Rank campaigns", {
      values,
      errors: [],
      ...(errors[0] !== undefined && { message: errors[0].sentence })
    }),
    html`${problems(errors)}
<h1>Which campaigns are worth sending?</h1>
<p class="lead screen-only">Paste up to ${maxListed} campaigns from a spreadsheet to see which is best, and what they bring together. Free; nothing is stored.</p>
${questionForm(list)}${
      result === undefined
        ? html``
        : html`<section aria-label="Result" id="result">${result}
${isLong ? html`<p class="hint screen-only">This list is too long for a link: keep the table to see it again.</p>` : html``}</section>`
    }
${rowsForm(list)}
<form method="post" action="/list" class="list screen-only" novalidate>
<label for="${listField}">Campaigns</label>
<p class="help" id="${listField}-help">One line each, below the names of the columns. Rates in percent; ${listed(moreFields.map(({ label }) => label.toLowerCase()))} may be left out, and so may deal value and cost.</p>
<textarea id="${listField}" name="${listField}" rows="10" spellcheck="false" autocomplete="off"${described(list, listField)}>
${text === "" && errors.length === 0 ? example : text}</textarea>
${pastFold(list)}
<p>One sender, or different clients? <label class="choice"><input type="checkbox" id="${independentField}" name="${independentField}" value="yes"${values[independentField] === "yes" ? html` checked` : html``}> Different clients, with nothing in common</label></p>
<button type="submit">Rank these campaigns</button>
</form>
<p class="screen-only"><a href="/">Back to the calculator</a>. For up to 1,000 campaigns at once, use the <a href="/docs/clients#what-will-the-quarter-bring">API</a>.</p>`,
    errors.length === 0 ? 200 : 400,
    {
      ...(errors.length === 0 ? { url } : {}),
      isUnlisted: text !== "",
      section: "/",
      styles: ["calculator.css"],
      kind: "wide",
      description: "Paste up to 20 cold-email campaigns and see which is best, and what they bring together. Free."
    }
  )
}
