import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { retryAfter } from "../http/ResponseHeaders.ts"
import { counted } from "../text/Figures.ts"
import { html } from "../text/html.ts"
import type { ProblemDocument } from "../http/problems/ProblemDocument.ts"
import { page } from "./layout.ts"

interface Explanation {
  readonly title: string
  readonly text: string
}

/** Explanations for people where the problem's own texts are for programmers. */
const explanations: Readonly<Record<number, Explanation>> = {
  404: {
    title: "Page not found",
    text: "There is nothing at this address. Check the spelling, or continue on one of the pages below."
  },
  405: {
    title: "This address is not a page",
    text: "It takes forms or API requests and cannot be opened in a browser. Continue on one of the pages below."
  },
  500: {
    title: "Something went wrong",
    text: "The fault is ours, and it has been logged. Try again. If it keeps happening, tell us the request ID below."
  },
  503: {
    title: "The service is temporarily unavailable",
    text: "It is restarting or busier than usual. Wait a few seconds, then reload this page."
  }
}

/** A problem as a page, which a browser gets instead of the problem document. */
export const errorPage = ({ detail, request_id, status, title }: ProblemDocument) => {
  const explained: Explanation = explanations[status] ?? { title, text: detail }
  return page(
    explained.title,
    html`<h1>${explained.title}</h1>
<p class="lead">${explained.text}</p>
<ul>
<li><a href="/">Calculator</a></li>
<li><a href="/credits">Credits</a></li>
<li><a href="/docs/first-call">Guide</a></li>
<li><a href="/docs">Reference</a></li>
</ul>
<p>Request ID: <code>${request_id}</code></p>`,
    status
  )
}

/** A page with an error, what to do, and a link to continue. */
export const problemPage = (
  title: string,
  text: string,
  status: number,
  next: { readonly path: string; readonly text: string } = { path: "/#access", text: "Request a new email" }
) =>
  page(
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="${next.path}">${next.text}</a></p>`,
    status
  )

/** The page for a failure after too many requests: nothing was done. */
export const tooManyPage = ({ retryAfter: seconds }: { readonly retryAfter: number }) => {
  const wait = seconds < 120 ? counted(seconds, "second") : counted(Math.ceil(seconds / 60), "minute")
  const next = { path: "/", text: "Start page" }
  const page = problemPage("Too many requests", `Nothing was done. Try again in ${wait}.`, 429, next)
  return Effect.succeed(HttpServerResponse.setHeaders(page, retryAfter.of(seconds)))
}
