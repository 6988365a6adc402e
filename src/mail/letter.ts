import { html, type Html } from "../text/html.ts"
import { type Message, siteMark } from "./Mail.ts"

/** A link in a letter: its words, and a `linkMark`, an `orderMark`, or an address, which `siteMark` may begin. */
interface LetterLink {
  readonly words: string
  readonly address: string
}

/** The parts of a letter, in their order. */
interface Parts {
  readonly subject: string
  /** The owner's name; undefined in emails to unconfirmed addresses, for which a stranger may have chosen it. */
  readonly greeting: string | undefined
  readonly paragraphs: ReadonlyArray<string>
  /** Names and values, as a small table. */
  readonly figures?: ReadonlyArray<readonly [name: string, value: string]>
  /** The only button. It must not break anything that works: people press it without reading. */
  readonly button: LetterLink
  /** Additional links, and before each the text, up to a colon, that explains what it does and when to use it. */
  readonly further?: ReadonlyArray<LetterLink & { readonly before: string }>
  readonly closing: ReadonlyArray<string>
  /** The reason why the recipient gets this email. */
  readonly reason: string
}

/** A name on one line in its own text direction: without control characters, and isolated from the text. */
const isolated = (name: string) => `\u2068${name.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]+/gu, " ").trim()}\u2069`

/**
 * True if a text may be a person's name, rather than a message that a stranger smuggles into an email: an address, a
 * link, a telephone number, a sentence.
 */
const isName = (text: string) =>
  text.length <= 60 && !/[@/\\]|www\.|\p{L}\.\p{L}{2}|(?:\p{N}\P{L}*){4}/iu.test(text.normalize("NFKC"))

const paragraph = (text: string): Html => html`<p style="margin:0 0 16px;white-space:pre-line">${text}</p>`

const small = (content: Html): Html =>
  html`<p class="soft" style="margin:0 0 16px;font-size:13px;color:#4c5f59">${content}</p>`

const linkTo = ({ address, words }: LetterLink): Html =>
  html`<a class="link" href="${address}" style="color:#0b6b5b">${words}</a>`

const figuresTable = (figures: NonNullable<Parts["figures"]>): Html =>
  html`<table style="margin:0 0 16px;border-collapse:collapse">${figures.map(
    ([name, value]) =>
      html`<tr><th class="soft" scope="row" style="padding:2px 24px 2px 0;font-weight:400;text-align:left;color:#4c5f59">${name}</th><td style="padding:2px 0;font-variant-numeric:tabular-nums">${value}</td></tr>`
  )}</table>`

/** Mail programs without media queries show the inline styles: the light scheme. */
const darkScheme = html`<style>
@media (prefers-color-scheme: dark) {
body { background: #0d1312 !important; color: #e8f0ed !important }
.card { background: #151d1b !important; border-color: #33433e !important }
.soft { color: #a9bbb5 !important }
.link, .brand { color: #6fd3bb !important }
.button { background: #6fd3bb !important; color: #06231c !important }
}
</style>`

/** The end of a letter, which is left out where nobody reads the replies. */
export const questions = " Questions? Reply to this email."

/** A letter as plain text and as HTML for any mail client, from 320 pixels on. */
export const letter = ({
  button,
  closing,
  figures,
  further = [],
  greeting,
  paragraphs,
  reason,
  subject
}: Parts): Message => {
  const salutation = greeting === undefined || !isName(greeting) ? "Hello," : `Hello ${isolated(greeting)},`
  return {
    subject,
    text: [
      salutation,
      ...paragraphs,
      ...(figures === undefined ? [] : [figures.map(([name, value]) => `${name}: ${value}`).join("\n")]),
      `${button.words}:\n${button.address}`,
      ...further.map(({ address, before }) => `${before}\n${address}`),
      ...closing,
      `Outreach Forecast, ${siteMark}\n${reason}${questions}`
    ].join("\n\n"),
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${subject}</title>
${darkScheme}</head>
<body style="margin:0;padding:16px 8px;background:#f3f7f5;color:#14211e;font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere;word-break:break-word">
<div style="max-width:560px;margin:0 auto">
<main class="card" style="padding:24px 16px;background:#ffffff;border:1px solid #d3dfda;border-radius:10px">
<p class="brand" style="margin:0 0 16px;font-weight:700;color:#0b6b5b">Outreach Forecast</p>
<h1 style="margin:0 0 16px;font-size:24px;line-height:1.25">${subject}</h1>
${paragraph(salutation)}
${paragraphs.map(paragraph)}
${figures === undefined ? html`` : figuresTable(figures)}
<p style="margin:24px 0 16px"><a class="button" href="${button.address}" style="display:inline-block;max-width:100%;box-sizing:border-box;padding:12px 20px;border-radius:10px;background:#0b6b5b;color:#ffffff;font-weight:700;text-decoration:none">${button.words}</a></p>
${small(html`If the button does not work, open this address: ${linkTo({ words: button.address, address: button.address })}`)}
${further.map((link) => small(html`${link.before} ${linkTo(link)}.`))}
${closing.map((text) => small(html`${text}`))}
</main>
<footer style="padding:16px">${small(html`${reason} Sent by Outreach Forecast, ${linkTo({ words: siteMark, address: siteMark })}.${questions}`)}</footer>
</div>
</body>
</html>
`.text
  }
}
