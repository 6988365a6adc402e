import { type Html, html } from "../../text/html.ts"

/** What is shown in place of a forecast: why there is none, and a link that opens a page of its own. */
export const messageView = (text: string, next: { readonly path: string; readonly text: string }): Html =>
  html`<main><h1 class="says">${text}</h1><p><a href="${next.path}" target="_blank" rel="noopener">${next.text}</a></p></main>`
