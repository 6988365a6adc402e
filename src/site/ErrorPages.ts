import type { HttpServerResponse } from "effect/http"
import { type HeaderFields, retryAfter } from "../http/ResponseHeaders.ts"
import { counted } from "../text/Figures.ts"
import { html } from "../text/html.ts"
import type { ProblemDocument } from "../http/problems/ProblemDocument.ts"
import { page } from "./layout.ts"
import { linksIn } from "./SiteLinks.ts"

/** The wait before trying again, in words. */
const waitOf = (headers: HeaderFields): string => {
  const seconds = Number(headers[retryAfter.field])
  return seconds < 120 ? counted(seconds, "second") : counted(Math.ceil(seconds / 60), "minute")
}

/** Explanations for people, by code, where the problem's own texts are for programmers. */
const explanations: Readonly<
  Partial<Record<string, { readonly title: string; readonly text: string | ((headers: HeaderFields) => string) }>>
> = {
  not_found: {
    title: "Page not found",
    text: "There is nothing at this address. Check the spelling, or continue on one of the pages below."
  },
  method_not_allowed: {
    title: "This address is not a page",
    text: "It takes forms or API requests and cannot be opened in a browser. Continue on one of the pages below."
  },
  headers_too_large: {
    title: "This address is too long",
    text: "The link has more in it than can be sent at once. Ask for a new link: the calculator now makes shorter ones."
  },
  cross_site: {
    title: "This form came from another site",
    text: "Nothing was done. Open the form here and send it again."
  },
  rate_limited: {
    title: "Too many requests",
    text: (headers) => `Nothing was done. Try again in ${waitOf(headers)}.`
  },
  internal: {
    title: "Something went wrong",
    text: "The fault is ours, and it has been logged. Try again. If it keeps happening, tell us the request ID below."
  },
  unavailable: {
    title: "The service is temporarily unavailable",
    text: "It is restarting or busier than usual. Wait a few seconds, then reload this page."
  }
}

/** A problem as a page, which a browser gets instead of the problem document; `headers` are those of the response. */
export const errorPage = (
  { code, detail, request_id, status, title: kind }: ProblemDocument,
  headers: HeaderFields
): HttpServerResponse.HttpServerResponse => {
  const { text, title } = explanations[code] ?? { title: kind, text: detail }
  return page(
    title,
    html`<h1>${title}</h1>
<p class="lead">${typeof text === "string" ? text : text(headers)}</p>
<ul>
${linksIn("errorPage").map(
  ({ label, path }) => html`<li><a href="${path}">${label}</a></li>
`
)}</ul>
<p>Request ID: <code>${request_id}</code></p>`,
    status
  )
}

/** A page with what happened to a form, what to do, and a link to continue. */
export const noticePage = (
  title: string,
  text: string,
  status: number,
  next: { readonly path: string; readonly text: string }
) =>
  page(
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="${next.path}">${next.text}</a></p>`,
    status
  )
