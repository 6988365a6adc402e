import { type Html, html } from "../../../text/html.ts"
import { unreadHistory } from "../../tables/Fragment.ts"
import type { FormValues } from "../../../site/form.ts"

/** The text in place of an outcome while a field is invalid. */
export const noOutcome = "Correct the fields to see the forecast."

/** A message in place of a forecast: why there is none, and a link that opens a page of its own. */
export const messageView = (text: string, next: { readonly path: string; readonly text: string }): Html =>
  html`<main><h1 class="says">${text}</h1><p><a href="${next.path}" target="_blank" rel="noopener">${next.text}</a></p></main>`

/** Says to readers without the script that their figures leave out the past campaigns of the link, if they do. */
export const unreadView = (values: FormValues): Html =>
  values[unreadHistory] === undefined
    ? html``
    : html`<noscript><p><strong>Without past campaigns:</strong> this link has some, which only JavaScript can read. Turn it on, then reload.</p></noscript>
`
