import type { ApiAddress } from "../../site/ApiAddress.ts"
import type { HttpServerResponse } from "effect/http"
import { type GuideName, type GuidePage, guideShelves, indexPath, placeholderUrl, type RenderedPage } from "./Guide.ts"
import { Html, html } from "../../text/html.ts"
import { page } from "../../site/layout.ts"
import { searchForm, searchScript } from "./SearchForm.ts"

/** The name of a page where space is limited; sub-keys keep their hyphen. */
const labelOf = (name: GuideName) => name.replace(/(?<!^sub)-/, " ").replace(/^./, (letter) => letter.toUpperCase())

const pageLink = (name: GuideName, current: GuideName): Html =>
  html`<li><a href="/docs/${name}"${new Html(name === current ? ' aria-current="page"' : "")}>${labelOf(name)}</a></li>`

/** A paragraph of Markdown without its marks. */
const plain = (markdown: string) => markdown.replaceAll(/\[(.+?)\]\(.+?\)/g, "$1").replaceAll(/[`*]/g, "")

/** The collapsible contents for screens without room next to the text. */
const menu = (title: string, content: Html): Html =>
  html`<details class="menu"><summary>${title}</summary>${content}</details>`

/** `/docs/{page}`: a page of the guide, with the list of pages on the left and its headings on the right. */
export const guidePage = (
  { name, summary, title }: GuidePage,
  { headings, withDemoKey, withoutDemoKey }: RenderedPage,
  { baseUrl, hasDemoKey }: ApiAddress
): HttpServerResponse.HttpServerResponse => {
  const pages = html`${guideShelves.map(
    (shelf) => html`<h2>${shelf.title}</h2><ul>${shelf.names.map((each) => pageLink(each, name))}</ul>`
  )}`
  const contents = html`<ul>${headings
    .filter(({ depth }) => depth === 2)
    .map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`
  const path = `/docs/${name}`
  const article = (hasDemoKey ? withDemoKey : withoutDemoKey).replaceAll(placeholderUrl, () => html`${baseUrl}`.text)
  return page(
    title,
    html`<nav class="guide-pages" aria-label="Guide">${pages}</nav>
<nav class="guide-contents" aria-label="On this page"><h2>On this page</h2>${contents}</nav>
<div class="guide-menus">${menu("Pages of the guide", pages)}${menu("On this page", contents)}</div>
<article>
${searchForm}
<p class="page-tools"><button type="button" class="copy" data-markdown="${path}.md" hidden>Copy as Markdown</button> <a href="${path}.md">This page as Markdown</a></p>
${new Html(article)}</article>`,
    200,
    {
      kind: "guide",
      section: indexPath,
      scripts: [searchScript],
      url: `${baseUrl}${path}`,
      description: plain(summary)
    }
  )
}
