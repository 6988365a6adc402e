import { integer } from "../../text/Figures.ts"
import { html, type Html } from "../../text/html.ts"
import type { CreditPack } from "../../settings/CreditPack.ts"
import type { Ordering } from "../../settings/Ordering.ts"
import { packChoices, packLabel, orderingNotice, termsLink } from "../../orders/PacksPages.ts"
import { fieldErrors, type FormState } from "../../site/form.ts"
import { page, secretCard } from "../../site/layout.ts"
import { graceLabel, replacementFields } from "./secretReplacement.ts"

/** The parameters of the forms of a key's page. */
export interface KeyForms {
  readonly packs: ReadonlyArray<CreditPack>
  readonly ordering: Ordering
  /** Ensures that a form that is sent twice creates one order. */
  readonly formKey: string
  /** The first characters of the key's secret. */
  readonly prefix: string
  readonly state: FormState
}

/** The labels of the fields of all of these forms, in their order. */
export const keyLabels = {
  pack: packLabel,
  notices: "The choice",
  ...graceLabel,
  company: "The company"
} as const

/** The form that buys a pack for the key. */
export const packForm = ({ formKey, packs, ordering, state }: KeyForms): Html => html`<section aria-labelledby="buy">
<h2 id="buy">Buy credits</h2>
${orderingNotice(ordering)}
${
  ordering.isOpen
    ? html`<form method="post" action="/key/orders" novalidate>
${packChoices(packs, ordering, state)}
<input type="hidden" name="idempotency_key" value="${formKey}">
<button type="submit">Order</button>
${termsLink(ordering)}
</form>`
    : html``
}
</section>`

/** The switch for the emails about low credits. */
export const emailsSection = (isOn: boolean): Html => html`<section aria-labelledby="emails">
<h2 id="emails">Emails</h2>
<form method="post" action="/key/emails">
<p>${
  isOn
    ? "We email you when less than a fifth of your credits is left, and when they are used up."
    : "We do not email you when your credits run low or are used up."
}</p>
<button type="submit" class="quiet" name="notices" value="${isOn ? "off" : "on"}">${isOn ? "Stop these emails" : "Email me when credits run low"}</button>
</form>
</section>
`

/** A part of the page that opens on request, and is open if it has errors. */
const folded = (id: string, title: string, isOpen: boolean, content: Html): Html =>
  html`<details class="fold" id="${id}"${isOpen ? html` open` : html``}><summary>${title}</summary>
${content}</details>
`

const replaceForm = ({ prefix, state }: KeyForms): Html =>
  html`<p>You get a new secret, shown once. Credits, usage and ledger stay the same.</p>
<form method="post" action="/key/rotate" novalidate>${replacementFields(prefix, state)}
<button type="submit" class="plain">Replace the secret</button>
</form>`

const deleteForm = (state: FormState): Html => {
  const { attributes, text } = fieldErrors("company", keyLabels.company, state, "company-help")
  return html`<p>Removes your name, email address and company from every key of your mailbox, from their orders and from the
emails to you, and revokes these keys for good: the credits that they have left are lost. Orders that await payment are
cancelled. Credits, usage and the amounts of orders are kept for the books, without your name.</p>
<form method="post" action="/key/delete" novalidate>
<label for="company">Company</label>
<p class="help" id="company-help">To confirm, type the company's name as you gave it.</p>
<input id="company" name="company" autocomplete="off" maxlength="254" required value="${state.values["company"] ?? ""}"${attributes}>
${text}
<button type="submit" class="plain">Delete my data</button>
</form>`
}

/** The irreversible actions at the end of the page, closed: replace the secret, revoke the key, delete the data. */
export const endSection = (forms: KeyForms): Html => {
  const { state } = forms
  const isAbout = (name: keyof typeof keyLabels) => state.errors.some(({ pointer }) => pointer === `/${name}`)
  return html`<section aria-labelledby="end">
<h2 id="end">Replace or end</h2>
${folded("replace", "Replace the key's secret", isAbout("grace_hours"), replaceForm(forms))}
${folded(
  "revoke",
  "Revoke the key",
  false,
  html`<p>Ends the key for good, along with the credits that it has left. <a href="/key/revoke">Revoke the key</a></p>`
)}
${folded("delete", "Delete my data", isAbout("company"), deleteForm(state))}
</section>`
}

/** `/key/revoke`: asks for confirmation. */
export const revokePage = (prefix: string, remaining: number) =>
  page(
    "Revoke the key",
    html`<h1>Revoke the key</h1>
<p class="lead">A revoked key cannot be restored. The ${integer(remaining)} credits that it has left are lost.</p>
<p>The key starts with <code>${prefix}</code>. To get a new key and keep the credits,
<a href="/key#replace">replace it</a> instead.</p>
<form method="post"><button type="submit" class="danger">Revoke the key for good</button></form>
<p><a href="/key">Back to your key</a></p>`,
    200,
    { section: "/key" }
  )

/** The page after the key was revoked. */
export const revokedPage = (prefix: string) =>
  page(
    "Key revoked",
    html`<h1>Key revoked</h1>
<p class="lead">The key that starts with <code>${prefix}</code> is refused from now on, and you are signed out.</p>
<p><a href="/#access">Ask for a new key</a></p>`,
    200,
    { section: "/key" }
  )

/** The page after the data of the key's owner was deleted. */
export const deletedPage = (openPayments: number) =>
  page(
    "Your data is deleted",
    html`<h1>Your data is deleted</h1>
<p class="lead">Your name, email address and company are gone, your keys are refused from now on, and you are signed out.</p>
<p>Credits, usage and the amounts of orders are kept for the books, but no longer belong to anyone.</p>
${openPayments === 0 ? html`` : html`<p>A payment page that you opened could not be closed. Do not pay there: no key would get the credits.</p>`}
<p><a href="/">Back to the calculator</a></p>`,
    200,
    { section: "/key" }
  )

/** The page that shows the new key, once. */
export const rotatedPage = (options: { readonly secret: string; readonly oldKeyEnds: string }) =>
  page(
    "Your new API key",
    html`<h1>Your new API key</h1>
<p class="lead">We show it only this once. Store it now, and keep it out of code that runs in a browser.</p>
${secretCard(options.secret)}
<p>${options.oldKeyEnds}</p>
<p><a href="/key">Back to your key</a></p>`,
    200,
    { section: "/key" }
  )
