import { hash } from "node:crypto"
import { HttpServerResponse } from "effect/http"
import { Html, html } from "../../html.ts"
import { contentSecurityPolicy, referrerPolicy } from "../ResponseHeaders.ts"

const style = `
:root { color-scheme: light dark; --text: #1a2233; --soft: #55607a; --line: #d5dae5; --back: #ffffff; --card: #f5f7fb;
  --accent: #1a56db; --on-accent: #ffffff; --bad: #b42318; --bar: #3b6fe0 }
@media (prefers-color-scheme: dark) { :root { --text: #e8ecf5; --soft: #a9b4cc; --line: #3a445c; --back: #12161f;
  --card: #1b2130; --accent: #8fb2ff; --on-accent: #10172a; --bad: #ff9b90; --bar: #6f9bff } }
* { box-sizing: border-box }
body { margin: 0; background: var(--back); color: var(--text); font: 1rem/1.55 system-ui, sans-serif }
main, header, footer { max-width: 44rem; margin: 0 auto; padding: 0 1.25rem }
header { padding-top: 1.5rem } header a { color: inherit; font-weight: 700; text-decoration: none }
footer { padding-top: 2.5rem; padding-bottom: 2rem; color: var(--soft); font-size: .9rem }
h1 { font-size: clamp(1.6rem, 5vw, 2.3rem); line-height: 1.2; margin: 1.5rem 0 .75rem }
h2 { font-size: 1.25rem; margin: 2.25rem 0 .75rem }
a { color: var(--accent) }
.lead { font-size: 1.1rem; color: var(--soft) }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem; margin: 1rem 0 }
.card h2 { margin-top: 0 }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem }
input { width: 100%; font: inherit; color: inherit; background: var(--back); border: 1px solid var(--soft);
  border-radius: .5rem; padding: .6rem .75rem }
input[type="radio"] { width: auto; margin: 0 .5rem 0 0 } .choice { font-weight: 400; margin: .5rem 0 }
fieldset { border: 1px solid var(--line); border-radius: .75rem; padding: .5rem 1.25rem 1rem; margin: 1rem 0 }
legend { font-weight: 600; padding: 0 .25rem }
[aria-invalid="true"] { border-color: var(--bad); border-width: 2px }
.error { color: var(--bad); font-weight: 600; margin: .25rem 0 0 }
button, .button { display: inline-block; text-decoration: none; font: inherit; font-weight: 600; background: var(--accent); color: var(--on-accent); border: 0;
  border-radius: .5rem; padding: .7rem 1.25rem; margin: 1.25rem 0 0; cursor: pointer }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px }
.trap { position: absolute; left: -9999px }
.key { display: block; font: 600 1.05rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere; user-select: all }
pre { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: 1rem;
  font: .9rem/1.5 ui-monospace, monospace }
svg { width: 100%; max-width: 30rem; height: auto; display: block } svg text { fill: var(--text); font: 15px system-ui, sans-serif }
svg .soft { fill: var(--soft) } svg rect { fill: var(--bar) }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1.25rem; margin: 1rem 0 0 } dt { color: var(--soft) }
dd { margin: 0; font-weight: 600 }
code { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere }
pre code { font-size: 1em; overflow-wrap: normal }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem 1.1rem; margin: .75rem 0 0; padding: 0 }
nav a { display: inline-block; padding: .15rem 0; font-weight: 400; color: var(--accent) }
nav a[aria-current] { color: inherit; font-weight: 700; border-bottom: 2px solid var(--accent) }
.table { overflow-x: auto } table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .95rem }
td code { white-space: nowrap }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line) }
main li { margin: .35rem 0 } [id] { scroll-margin-top: 1rem }
`

/** The only script there is: it copies the text of the element that the button names. */
const copyScript = `
for (const button of document.querySelectorAll("button[data-copy]")) {
  button.hidden = false
  button.addEventListener("click", async () => {
    const source = document.getElementById(button.dataset.copy)
    let copied = true
    try {
      await navigator.clipboard.writeText(source.textContent)
    } catch {
      getSelection().selectAllChildren(source)
      copied = document.execCommand("copy")
    }
    button.textContent = copied ? "Copied" : "Selected: copy it with the keyboard"
  })
}
`

const sourceOf = (text: string) => `'sha256-${hash("sha256", text, "base64")}'`

const policyOf = (...more: ReadonlyArray<string>) =>
  [
    "default-src 'none'",
    `style-src ${sourceOf(style)}`,
    "img-src data:",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    ...more
  ].join("; ")

const policy = policyOf(`script-src ${sourceOf(copyScript)}`, "form-action 'self'")
const textPolicy = policyOf("form-action 'none'")

const document = (title: string, header: Html, main: Html, end: Html) =>
  HttpServerResponse.html(
    html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Outreach Forecast</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<header><a href="/">Outreach Forecast</a>${header}</header>
<main>
${main}
</main>
<footer>Forecasts are estimates, not guarantees. <a href="/credits">Forecast credits</a> ·
<a href="/docs/first-call">Guide</a> · <a href="/docs">API reference</a></footer>
${end}
</body>
</html>
`.text
  ).pipe(HttpServerResponse.setHeaders({ "content-type": "text/html; charset=utf-8", ...referrerPolicy.of() }))

/** A page of the service; none tells another site where it was opened from. */
export const page = (title: string, main: Html, status = 200): HttpServerResponse.HttpServerResponse =>
  document(title, html``, main, html`<script>${new Html(copyScript)}</script>`).pipe(
    HttpServerResponse.setStatus(status),
    HttpServerResponse.setHeaders(contentSecurityPolicy.of(policy))
  )

/** A page to read, with a navigation in its header, without a script or a form. */
export const textPage = (title: string, navigation: Html, main: Html): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.setHeaders(document(title, navigation, main, html``), contentSecurityPolicy.of(textPolicy))
