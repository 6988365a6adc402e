import { HttpServerResponse } from "effect/http"
import { integer } from "../text/Figures.ts"
import { type Html, html } from "../text/html.ts"
import { contentSecurityPolicy, referrerPolicy } from "../http/ResponseHeaders.ts"
import { assetPath } from "./Assets.ts"
import { linksIn } from "./SiteLinks.ts"

/** The options of a page. */
interface PageOptions {
  /** Its own address, if link previews may show it; other pages are hidden from them, and from search engines. */
  readonly url?: string
  /** True if only link previews may show it, not search engines. */
  readonly isUnlisted?: boolean
  /** The description for search engines and link previews. */
  readonly description?: string
  /** The path of the link in the header that leads to it. */
  readonly section?: string
  /** The names of its scripts. */
  readonly scripts?: ReadonlyArray<string>
  /** The styles of this page, in addition to those of every page. */
  readonly styles?: ReadonlyArray<string>
  /** The note on its sources in the footer. */
  readonly footnote?: Html
  /** Its layout: a readable column of text; a wide page; a page of the guide; the reference. */
  readonly kind?: "text" | "wide" | "guide" | "reference"
}

/** A page loads only files of this service, and has no inline scripts or styles and no foreign form targets. */
const policyWith = (ancestors: "'none'" | "*") =>
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; " +
  `frame-ancestors ${ancestors}; form-action 'self'`

const about = "Forecast the clients, revenue and ROI of a cold-email campaign, and see how certain the numbers are."

const unlisted = html`<meta name="robots" content="noindex">`

/** The metadata for search engines, unless it is unlisted, and for link previews; the picture needs an absolute URL. */
const preview = (
  title: string,
  url: string,
  description: string,
  isUnlisted: boolean
): Html => html`<meta name="description" content="${description}">
${isUnlisted ? unlisted : html`<link rel="canonical" href="${url}">`}
<meta property="og:type" content="website">
<meta property="og:site_name" content="Outreach Forecast">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${url}">
<meta property="og:image" content="${new URL(assetPath("preview.png"), url).href}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="A funnel that narrows from emails sent to clients">
<meta name="twitter:card" content="summary_large_image">`

/** The link to get a key: the only filled button of the header. */
export const accessLink = html`<a class="button" href="/#access">Get an API key</a>`

/** The link in its place for a signed-in owner of a key. */
export const keyLink = (company: string, remaining: number): Html =>
  html`<a class="button plain" href="/key"><span class="company">${company}</span>&nbsp;· ${integer(remaining)}<span class="unseen"> credits left</span></a>`

/** The header of every page; `current` is the path of the link that leads to it. */
const siteHeader = (current: string | undefined): Html =>
  html`<header class="top"><div class="site"><a class="brand" href="/"><img src="${assetPath("mark.svg")}" alt="" width="28" height="28"><span class="name">Outreach Forecast</span></a>
<nav aria-label="Site"><ul>${linksIn("header").map(
    ({ label, path }) =>
      html`<li><a href="${path}"${path === current ? html` aria-current="true"` : html``}>${label}</a></li>`
  )}</ul></nav>
${accessLink}</div></header>`

/** The options of a page without the frame of the site. */
interface SheetOptions extends Pick<PageOptions, "description" | "isUnlisted" | "url"> {
  /** All of its scripts and styles. */
  readonly scripts?: ReadonlyArray<string>
  readonly styles: ReadonlyArray<string>
  /** The class of its body. */
  readonly kind: string
  /** True if any site may show the page in a frame. */
  readonly isFramed?: boolean
}

/** A page outside the frame of the site, which sends no referrer. It is shown before its scripts are requested. */
export const sheet = (
  title: string,
  body: Html,
  status: number,
  { description = about, isFramed = false, isUnlisted = false, kind, scripts = [], styles, url }: SheetOptions
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Outreach Forecast</title>
${url === undefined ? unlisted : preview(title, url, description, isUnlisted)}
<link rel="icon" href="${assetPath("mark.svg")}" type="image/svg+xml">
${styles.map((name) => html`<link rel="stylesheet" href="${assetPath(name)}">`)}
${scripts.map((name) => html`<script type="module" fetchpriority="low" src="${assetPath(name)}"></script>`)}
</head>
<body class="${kind}">
${body}
</body>
</html>
`.text
  ).pipe(
    HttpServerResponse.setStatus(status),
    HttpServerResponse.setHeaders({
      "content-type": "text/html; charset=utf-8",
      ...referrerPolicy.of(),
      ...contentSecurityPolicy.of(policyWith(isFramed ? "*" : "'none'"))
    })
  )

/** A page of the service. */
export const page = (
  title: string,
  main: Html,
  status = 200,
  { footnote = html``, kind = "text", scripts = [], section, styles = [], ...options }: PageOptions = {}
): HttpServerResponse.HttpServerResponse =>
  sheet(
    title,
    html`<a class="skip" href="#main">Skip to content</a>
${siteHeader(section)}
<main id="main">
${main}
</main>
<footer class="footer">
<ul>${linksIn("footer").map(({ label, path }) => html`<li><a href="${path}">${label}</a></li>`)}</ul>
<p>Forecasts are estimates, not guarantees. ${footnote}</p>
</footer>`,
    status,
    { ...options, kind, scripts: ["page.js", ...scripts], styles: ["style.css", ...styles] }
  )

/** A text with a label above it, such as its language. */
export const code = (text: string, label: string): Html =>
  html`<div class="code"><span class="language">${label}</span><pre tabindex="0"><code>${text}</code></pre></div>`

/** The same program in several languages, of which the script of the page shows one at a time. */
export const codeExamples = (samples: ReadonlyArray<{ readonly lang: string; readonly source: string }>): Html =>
  html`<div class="examples">${samples.map(({ lang, source }) => html`<section class="example" aria-label="${lang}">${code(source, lang)}</section>`)}</div>`

/** A secret that is shown only once, with a button that copies it. */
export const secretCard = (secret: string): Html => html`<div class="card"><code class="key" id="key">${secret}</code>
<button type="button" class="copy" data-copy="key" hidden>Copy</button></div>`
