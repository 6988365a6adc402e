import { integer } from "../text/Figures.ts"
import { html } from "../text/html.ts"
import type { RevealLink } from "./RevealLinks.ts"
import { page } from "../site/layout.ts"

/** After the form was sent, whether the address is known or not. */
export const acceptedPage = (email: string) =>
  page(
    "Check your inbox",
    html`<h1>Check your inbox</h1>
<p class="lead">We have sent an email with a link to ${email}.</p>
<p>The link works for 24 hours. If it does not arrive, look in your spam folder, then <a href="/">ask again</a>.</p>`,
    202
  )

const confirmTexts = {
  confirm: {
    title: "Show my API key",
    text: "This confirms your address and shows your key once. Have a safe place ready to store it.",
    button: "Show my API key"
  },
  replace: {
    title: "Replace my API key",
    text: "We show you a new key once. The old one keeps working until you first use the new one. Your credits and usage stay as they are.",
    button: "Show a new API key"
  }
} as const

/** `/confirm/{token}`, before the button was pressed. The form posts to the page's own address. */
export const confirmPage = ({ purpose }: RevealLink) => {
  const { button, text, title } = confirmTexts[purpose]
  return page(
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<form method="post"><button type="submit">${button}</button></form>`
  )
}

/** The key, shown for the only time. */
export const revealedPage = (options: {
  readonly secret: string
  readonly creditsRemaining: number
  readonly publicUrl: string
}) =>
  page(
    "Your API key",
    html`<h1>Your API key</h1>
<p class="lead">We show it only this once. Store it now, and keep it out of code that runs in a browser.</p>
<div class="card"><code class="key" id="key">${options.secret}</code>
<button type="button" class="copy" data-copy="key" hidden>Copy</button></div>
<p>It has ${integer(options.creditsRemaining)} forecast credits. <a href="/account">Your account</a> shows its usage and remaining credits.</p>
<h2>Try it</h2>
<div class="code"><span class="language">Shell</span><pre tabindex="0"><code>curl -s ${options.publicUrl}/api/v1/forecast \\
  -H 'x-api-key: ${options.secret}' \\
  -H 'content-type: application/json' \\
  -d '{"emails_sent":5000,"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25,"average_deal_value":2500,"campaign_cost":600}'</code></pre></div>
<p>Lost it before you used it? Open the link in the email again: it shows a new key, and this one stops working.</p>`
  )
