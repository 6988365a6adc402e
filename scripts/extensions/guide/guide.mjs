// Builds dist/guide: the pages of the guide as HTML with highlighted code. The service only fills in its address.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import hljs from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import http from "highlight.js/lib/languages/http"
import json from "highlight.js/lib/languages/json"
import python from "highlight.js/lib/languages/python"
import typescript from "highlight.js/lib/languages/typescript"
import { Marked } from "marked"
import { Html, html } from "../../../src/text/html.ts"
import { anchorOf, asServed, guideNames, placeholderUrl } from "../../../src/extensions/guide/Guide.ts"

for (const [name, language] of Object.entries({ http, json, python, sh: bash, ts: typescript })) {
  hljs.registerLanguage(name, language)
}

/** The languages of examples, as readers call them. */
const labels = new Map([
  ["sh", "Shell"],
  ["python", "Python"],
  ["ts", "TypeScript"]
])

/** @typedef {import("marked").Token} Token */

/** @param {Token | undefined} token */
const languageOf = (token) => (token?.type === "code" ? labels.get(String(token["lang"])) : undefined)

/** @param {string} text @returns {Token} */
const markup = (text) => ({ type: "html", block: true, pre: false, raw: "", text })

/**
 * The tokens of a page, with an element around each example in several languages: consecutive blocks of code, each
 * followed by its output. @param {ReadonlyArray<Token>} tokens
 */
const grouped = (tokens) => {
  /** @type {Array<Token>} */
  const all = []
  /** @type {Array<Array<Token>>} */
  let examples = []
  const close = () => {
    const languages = examples.map(([first]) => languageOf(first))
    if (languages.length > 1 && new Set(languages).size === languages.length) {
      all.push(markup('<div class="examples">'))
      for (const [i, tokens] of examples.entries()) {
        all.push(
          markup(`<section class="example" aria-label="${languages[i] ?? ""}">`),
          ...tokens,
          markup("</section>")
        )
      }
      all.push(markup("</div>"))
    } else all.push(...examples.flat())
    examples = []
  }
  for (const token of tokens) {
    if (languageOf(token) !== undefined) examples.push([token])
    else if (examples.length > 0 && (token.type === "code" || token.type === "space")) examples.at(-1)?.push(token)
    else {
      close()
      all.push(token)
    }
  }
  close()
  return all
}

/**
 * The guide is written by the service's own authors, so its markup is trusted. Blocks of code take the focus, so that
 * they can be scrolled with the keyboard.
 */
const markdown = new Marked({
  renderer: {
    heading({ depth, text, tokens }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
    code({ lang = "", text }) {
      const label = labels.get(lang)
      const code = hljs.getLanguage(lang) ? new Html(hljs.highlight(text, { language: lang }).value) : html`${text}`
      return html`<div class="code${label === undefined ? " output" : ""}">${
        label === undefined ? html`` : html`<span class="language">${label}</span>`
      }<pre tabindex="0"><code>${code}</code></pre></div>\n`.text
    },
    link({ href, tokens }) {
      // Links between the files of docs/ end in .md.
      return html`<a href="${href.replace(/^([\w-]+)\.md/, "$1")}">${new Html(this.parser.parseInline(tokens))}</a>`
        .text
    },
    table({ header, rows }) {
      const titles = header.map(({ tokens }) => this.parser.parseInline(tokens))
      /** @param {string} title */
      const plain = (title) => title.replaceAll(/<[^>]+>/g, "")
      // On a phone each row is a block, in which every cell follows its title; the roles keep it a table for screen
      // readers.
      const body = rows.map(
        (cells) =>
          html`<tr role="row">${cells.map(
            ({ tokens }, column) =>
              html`<td role="cell" data-title="${new Html(plain(titles[column] ?? ""))}">${new Html(this.parser.parseInline(tokens))}</td>`
          )}</tr>
`
      )
      return html`<table role="table"><thead role="rowgroup"><tr role="row">${titles.map(
        (title) => html`<th role="columnheader" scope="col">${new Html(title)}</th>`
      )}</tr></thead>
<tbody role="rowgroup">
${body}</tbody></table>\n`.text
    }
  },
  hooks: {
    processAllTokens: (tokens) => grouped(tokens)
  }
})

/** @param {string} text */
const headingsOf = (text) =>
  markdown.lexer(text).flatMap((token) =>
    token.type === "heading" && token.depth > 1
      ? [
          {
            depth: Number(token.depth),
            id: anchorOf(String(token["text"])),
            text: String(token["text"]).replaceAll("`", "")
          }
        ]
      : []
  )

/**
 * Makes the folder.
 * @param {string} folder
 */
export const makeGuide = (folder) => {
  mkdirSync(folder, { recursive: true })
  for (const name of guideNames) {
    const text = readFileSync(`docs/${name}.md`, "utf8")
    /** @param {boolean} hasDemoKey */
    const render = (hasDemoKey) =>
      markdown.parse(asServed(text, { hasDemoKey, baseUrl: placeholderUrl }), { async: false })
    const made = { headings: headingsOf(text), withDemoKey: render(true), withoutDemoKey: render(false) }
    writeFileSync(`${folder}/${name}.json`, JSON.stringify(made))
  }
}
