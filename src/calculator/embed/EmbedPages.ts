import type { HttpServerResponse } from "effect/http"
import { sheet } from "../../site/layout.ts"
import { html, type Html } from "../../text/html.ts"

/** `/embed?…`: a forecast that any site may show in a frame. */
export const embedPage = (main: Html, status = 200): HttpServerResponse.HttpServerResponse =>
  sheet("Campaign forecast", main, status, { kind: "embed", isFramed: true, styles: ["embed.css"] })

/** The message in the frame if there is no forecast to show. */
export const embedMessage = (
  text: string,
  status: number,
  next: { readonly path: string; readonly text: string }
): HttpServerResponse.HttpServerResponse =>
  embedPage(
    html`<main><h1 class="says">${text}</h1><p><a href="${next.path}" target="_blank" rel="noopener">${next.text}</a></p></main>`,
    status
  )
