import { html, type Html } from "../text/html.ts"
import { linkMark, type Message } from "./Mail.ts"

/** The parts of a letter: paragraphs, a button with the link, and what is below it. */
interface Parts {
  readonly subject: string
  /** The owner's name; undefined in mails to unconfirmed addresses, where a stranger may have chosen it. */
  readonly greeting: string | undefined
  readonly paragraphs: ReadonlyArray<string>
  readonly button: string
  readonly closing: ReadonlyArray<string>
}

/** A name on one line and in its own text direction: without control characters, and isolated from the surrounding text. */
const isolated = (name: string) => `\u2068${name.replaceAll(/[\p{Cc}\p{Cf}\p{Co}\u2028\u2029]+/gu, " ").trim()}\u2069`

/**
 * True if a text may be a person's name, rather than a message that a stranger smuggles into a mail: an address, a link,
 * a telephone number, a sentence.
 */
const isName = (text: string) =>
  text.length <= 60 && !/[@/\\]|www\.|\p{L}\.\p{L}{2}|(?:\p{N}\P{L}*){4}/iu.test(text.normalize("NFKC"))

const paragraph = (text: string): Html => html`<p style="margin:0 0 16px;white-space:pre-line">${text}</p>`

/** A letter with a link, as plain text and as HTML for any mail client. */
export const letter = ({ button, closing, greeting, paragraphs, subject }: Parts): Message => {
  const hello = greeting === undefined || !isName(greeting) ? "Hello," : `Hello ${isolated(greeting)},`
  return {
    subject,
    text: [hello, ...paragraphs, `${button}:\n${linkMark}`, ...closing, "Outreach Forecast"].join("\n\n"),
    html: html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${subject}</title></head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:36em;margin:0 auto">
${paragraph(hello)}
${paragraphs.map(paragraph)}
<p style="margin:24px 0"><a href="${linkMark}" style="background:#0b6b5b;color:#ffffff;padding:12px 20px;border-radius:6px;text-decoration:none;display:inline-block">${button}</a></p>
${closing.map(paragraph)}
<p style="margin:0;font-size:14px">If the button does not work, open this address in your browser: <br>${linkMark}</p>
</div>
</body>
</html>
`.text
  }
}
