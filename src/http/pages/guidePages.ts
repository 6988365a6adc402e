import { Marked } from "marked"
import type { HttpServerResponse } from "effect/http"
import { type GuideName, guideNames, type GuidePage } from "./Guide.ts"
import { Html, html } from "../../html.ts"
import { textPage } from "./layout.ts"

/** The anchor of a heading, as code forges make it: problem codes keep their underscores. */
export const anchorOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, "")
    .replaceAll(/\s/g, "-")

/** The guide is written by the service's own authors: its markup is trusted. What scrolls sideways takes the focus. */
const markdown = new Marked({
  renderer: {
    heading({ depth, text, tokens }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code({ text }) {
      return html`<pre tabindex="0"><code>${text}</code></pre>\n`.text
    },
    link({ href, tokens }) {
      // Between the files of docs/ links have the ending of the files.
      return html`<a href="${href.replace(/^([\w-]+)\.md/, "$1")}">${new Html(this.parser.parseInline(tokens))}</a>`
        .text
    }
  },
  hooks: {
    postprocess: (text) =>
      text
        .replaceAll("<table>", '<div class="table" role="group" aria-label="Table" tabindex="0"><table>')
        .replaceAll("</table>", "</table></div>")
  }
})

/** The name of a page where there is little room. */
const labelOf = (name: GuideName) => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("-", " ")

/** Links to the pages of the guide and to the reference, of which `current` is shown. */
export const guideNavigation = (current: GuideName | "reference"): Html => {
  const item = (name: string, path: string, title: string) =>
    html`<li><a href="${path}"${new Html(name === current ? ' aria-current="page"' : "")}>${title}</a></li>`
  return html`<nav aria-label="Documentation"><ul>${[
    ...guideNames.map((name) => item(name, `/docs/${name}`, labelOf(name))),
    item("reference", "/docs", "Reference")
  ]}</ul></nav>`
}

/** `/docs/{page}`: a page of the guide. */
export const guidePage = ({ markdown: text, name, title }: GuidePage): HttpServerResponse.HttpServerResponse =>
  textPage(title, guideNavigation(name), new Html(markdown.parse(text, { async: false })))

/** `/llms.txt`: where a program that reads finds the documentation as plain text (llmstxt.org). */
export const llmsText = (guide: ReadonlyArray<GuidePage>, publicUrl: string): string => `# Outreach Forecast

> A REST service that turns the assumptions of a cold-email campaign into an exact ROI forecast, metered in credits: one forecast, one credit. Results are estimates, not guarantees.

A forecast is POST ${publicUrl}/api/v1/forecast with JSON and an \`x-api-key\` header. Rates are percentages from 0 to 100. It sends no email and scrapes nothing.

## Guide

${guide.map(({ name, summary, title }) => `- [${title}](${publicUrl}/docs/${name}.md): ${summary}`).join("\n")}

## Reference

- [OpenAPI document](${publicUrl}/openapi.json): Every endpoint with its fields, bounds, examples and errors, in OpenAPI 3.1.
`
