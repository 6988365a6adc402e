import type { SubKey } from "../../keys/SubKey.ts"
import { maxSubKeys } from "../subkeys/SubKeys.ts"
import { errorSummary, fieldErrors, type FormState, formTitle } from "../../site/form.ts"
import { page, secretCard } from "../../site/layout.ts"
import { graceLabel, replacementFields } from "./secretReplacement.ts"
import { csvLine } from "../../input/Csv.ts"
import { integer } from "../../text/Figures.ts"
import { html, type Html } from "../../text/html.ts"
import { isoTime, showShortDate } from "../../text/Times.ts"

/** The labels of the fields of a sub-key's forms. */
const subKeyLabels = { name: "Name", monthly_limit: "Credits per month", ...graceLabel } as const
const newLabels = { name: "Names", monthly_limit: subKeyLabels.monthly_limit } as const

const nameField = (values: FormState["values"], state: FormState): Html => {
  const { attributes, text } = fieldErrors("name", subKeyLabels.name, state, "name-help")
  return html`<label for="name">${subKeyLabels.name}</label>
<p class="help" id="name-help">A program, client or colleague, in up to 50 characters.</p>
<input id="name" name="name" autocomplete="off" maxlength="100" required value="${values["name"] ?? ""}"${attributes}>
${text}`
}

const namesField = (state: FormState): Html => {
  const { attributes, text } = fieldErrors("name", newLabels.name, state, "name-help")
  return html`<label for="name">${newLabels.name}</label>
<p class="help" id="name-help">Programs, clients or colleagues, one a line, each in up to 50 characters.</p>
<textarea id="name" name="name" rows="3" autocomplete="off" required${attributes}>
${state.values["name"] ?? ""}</textarea>
${text}`
}

const limitField = (values: FormState["values"], state: FormState): Html => {
  const limit = fieldErrors("monthly_limit", subKeyLabels.monthly_limit, state, "monthly_limit-help")
  return html`<label for="monthly_limit">${subKeyLabels.monthly_limit}</label>
<p class="help" id="monthly_limit-help">The most that a sub-key may spend in a calendar month (UTC). Leave it empty for no limit.</p>
<input class="short" id="monthly_limit" name="monthly_limit" inputmode="numeric" maxlength="12" value="${values["monthly_limit"] ?? ""}"${limit.attributes}>
${limit.text}`
}

const meter = (used: number, limit: number, isLimited = true): Html =>
  html`<svg class="meter" height="10" aria-hidden="true"><rect class="track" width="100%" height="10" rx="5"/><rect${isLimited && used >= limit ? html` class="full"` : html``} width="${(Math.min(1, used / limit) * 100).toFixed(1)}%" height="10" rx="5"/></svg>`

/** The usage of a sub-key in this month, with a bar of its limit, or of `most` if it has none. */
const usedOf = ({ monthlyLimit: limit, requests: used }: SubKey, most = 0): Html => {
  if (limit === null) {
    return html`<span>${integer(used)} <span class="soft">· no limit</span>${most === 0 ? html`` : meter(used, most, false)}</span>`
  }
  const left = Math.max(0, limit - used)
  return html`<span>${integer(used)} of ${integer(limit)} <span class="soft">· ${left === 0 ? "limit reached" : `${integer(left)} left`}</span>${meter(used, limit)}</span>`
}

const rowOf =
  (most: number) =>
  (subKey: SubKey): Html =>
    html`<tr><td data-title="Name"><span><a href="/key/sub-keys/${subKey.id}">${subKey.name}</a> <code>${subKey.secretPrefix}…</code></span></td>
<td data-title="This month">${usedOf(subKey, most)}</td>
<td data-title="Last used" class="when">${subKey.lastUsedAt === undefined ? "never" : showShortDate(subKey.lastUsedAt)}</td></tr>
`

/** The usable sub-keys of a key, with their usage in this UTC month, and a link to add one. */
export const subKeysSection = (usable: ReadonlyArray<SubKey>): Html => html`<section aria-labelledby="sub-keys">
<h2 id="sub-keys">Sub-keys</h2>
<p class="soft">One for each program, client or colleague. All draw on the same balance, each within a limit of its own if you set one.</p>
${
  usable.length === 0
    ? html``
    : html`<table class="amounts" aria-labelledby="sub-keys">
<thead><tr><th scope="col">Name</th><th scope="col">This month</th><th scope="col">Last used (UTC)</th></tr></thead>
<tbody>${usable.map(rowOf(Math.max(...usable.map(({ requests }) => requests))))}</tbody></table>`
}
<p>${
  usable.length < maxSubKeys ? html`<a class="button plain" href="/key/sub-keys">Add sub-keys</a> ` : html``
}<span class="soft">${integer(usable.length)} of ${integer(maxSubKeys)}</span></p>
${usable.length === 0 ? html`` : html`<p><a href="/key/sub-keys.csv" download>Download this month's usage as CSV</a></p>`}
</section>`

/** The sub-keys of a key with their usage in this UTC month, as CSV. */
export const subKeysCsv = (usable: ReadonlyArray<SubKey>): string =>
  [
    ["name", "key_prefix", "month", "requests", "monthly_limit", "last_used_at"],
    ...usable.map(({ lastUsedAt, month, monthlyLimit, name, requests, secretPrefix }) => [
      name,
      secretPrefix,
      month,
      requests,
      monthlyLimit,
      lastUsedAt === undefined ? null : isoTime(lastUsedAt)
    ])
  ]
    .map(csvLine)
    .join("")

const section = { section: "/key" } as const

const backToKey = html`<p><a href="/key#sub-keys">Back to your key</a></p>`

/** `/key/sub-keys`: the form that creates sub-keys. */
export const newSubKeysPage = (state: FormState, status = 200) =>
  page(
    formTitle("Add sub-keys", state),
    html`${errorSummary(state, newLabels)}
<h1>Add sub-keys</h1>
<p class="lead">They make forecasts with the credits of your key, and see their own usage. They cannot buy credits,
or replace or revoke other keys.</p>
<form method="post" novalidate>${namesField(state)}
${limitField(state.values, state)}
<button type="submit">Create the sub-keys</button></form>
${backToKey}`,
    status,
    section
  )

/** A sub-key with its secret, as it is shown once. */
interface NewSecret {
  readonly name: string
  readonly monthlyLimit: number | null
  readonly secret: string
}

/** The page that shows the secrets of new sub-keys, once. */
export const newSecretsPage = (created: ReadonlyArray<NewSecret>) => {
  const [only, ...others] = created
  if (only !== undefined && others.length === 0) return subKeySecretPage(only)
  const csv = [
    ["name", "monthly_limit", "api_key"],
    ...created.map((each) => [each.name, each.monthlyLimit, each.secret])
  ]
    .map(csvLine)
    .join("")
  return page(
    "The secrets of your sub-keys",
    html`<h1>The secrets of ${integer(created.length)} sub-keys</h1>
<p class="lead">We show them only this once. Store them now, and keep them out of code that runs in a browser.</p>
<p><a class="button" download="sub-keys.csv" href="data:text/csv;charset=utf-8,${encodeURIComponent(csv)}">Download as CSV</a>
<button type="button" class="copy" data-copy="csv" hidden>Copy as CSV</button></p>
<pre id="csv" hidden>${csv}</pre>
<table class="amounts" aria-label="Secrets">
<thead><tr><th scope="col">Name</th><th scope="col">Secret</th><th scope="col">Credits per month</th></tr></thead>
<tbody>${created.map(
      ({ monthlyLimit, name, secret }) =>
        html`<tr><td data-title="Name">${name}</td><td data-title="Secret"><code class="secret">${secret}</code></td><td data-title="Credits per month">${monthlyLimit === null ? "no limit" : integer(monthlyLimit)}</td></tr>
`
    )}</tbody></table>
${backToKey}`,
    200,
    section
  )
}

/** The page that shows the secret of a sub-key, once. */
export const subKeySecretPage = (options: {
  readonly name: string
  readonly secret: string
  readonly oldSecretEnds?: string
}) =>
  page(
    "The secret of your sub-key",
    html`<h1>The secret of ${options.name}</h1>
<p class="lead">We show it only this once. Store it now, and keep it out of code that runs in a browser.</p>
${secretCard(options.secret)}
${options.oldSecretEnds === undefined ? html`` : html`<p>${options.oldSecretEnds}</p>`}
${backToKey}`,
    200,
    section
  )

/** `/key/sub-keys/{id}`: its usage, and the forms that change, replace or revoke it. */
export const subKeyPage = (subKey: SubKey, state: FormState, status = 200) => {
  const values = {
    name: subKey.name,
    monthly_limit: subKey.monthlyLimit === null ? "" : String(subKey.monthlyLimit),
    ...state.values
  }
  const path = `/key/sub-keys/${subKey.id}`
  return page(
    formTitle(subKey.name, state),
    html`${errorSummary(state, subKeyLabels)}
<h1>${subKey.name}</h1>
<dl class="card"><dt>Starts with</dt><dd><code>${subKey.secretPrefix}…</code></dd>
<dt>This month</dt><dd>${usedOf(subKey)}</dd>
<dt>Last used</dt><dd>${subKey.lastUsedAt === undefined ? "never" : `${showShortDate(subKey.lastUsedAt)} UTC`}</dd></dl>
<form method="post" action="${path}" novalidate>${nameField(values, state)}
${limitField(values, state)}
<button type="submit">Save</button></form>
<h2 id="new-secret">New secret</h2>
<p>You get a new secret, shown once. Name, limit and usage stay the same.</p>
<form method="post" action="${path}/rotate" novalidate>${replacementFields(subKey.secretPrefix, state)}
<button type="submit" class="plain">New secret</button></form>
<h2>Revoke</h2>
<p>Requests with this sub-key are refused from then on, for good. Your key and the other sub-keys keep working.</p>
<form method="post" action="${path}/revoke"><button type="submit" class="plain">Revoke ${subKey.name}</button></form>
${backToKey}`,
    status,
    section
  )
}
