import { type Html, html } from "../text/html.ts"

/** A text with a label above it, such as its language. */
export const code = (text: string, label: string): Html =>
  html`<div class="code"><span class="language">${label}</span><pre tabindex="0"><code>${text}</code></pre></div>`

/** The same program in several languages, of which the script of the page shows one at a time. */
export const codeExamples = (samples: ReadonlyArray<{ readonly lang: string; readonly source: string }>): Html =>
  html`<div class="examples">${samples.map(({ lang, source }) => html`<section class="example" aria-label="${lang}">${code(source, lang)}</section>`)}</div>`
