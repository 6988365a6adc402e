import { integer } from "../text/Figures.ts"
import { type Html, html } from "../text/html.ts"
import { codeSamples, languageNames, languages, jsonMembers } from "../http/document/CodeSamples.ts"
import type { RevealLink } from "./RevealLinks.ts"
import { emptyForm, errorSummary, type FormState, formTitle, ownerFields, ownerLabels } from "../site/form.ts"
import { page, codeExamples, secretCard } from "../site/layout.ts"

/** The form to request a key, on the start page and on a page of its own. */
export const accessForm = (state: FormState = emptyForm): Html => html`<p>100 free forecasts, no credit card. They never
expire. Need more? Buy a <a href="/credits">credit pack</a>.</p>
<form class="narrow" method="post" action="/access" novalidate>
${ownerFields(state)}
<button type="submit">Send me a key</button>
</form>`

/** `/access`: only the form. */
export const accessPage = (url: string, state: FormState = emptyForm, status = 200) =>
  page(
    formTitle("Get an API key", state),
    html`${errorSummary(state, ownerLabels)}
<h1>Get an API key</h1>
${accessForm(state)}`,
    status,
    {
      description: "Request an API key by email: 100 free forecasts, no credit card.",
      ...(status === 200 ? { url } : {})
    }
  )

/**
 * `/access/sent`: the page after the form, whether the address is known or not. `mailFolder` is where emails are
 * written, if no server sends them.
 */
export const sentPage = (mailFolder: string | undefined) =>
  page(
    "Check your inbox",
    html`<h1>Check your inbox</h1>
<p class="lead">We have sent an email with a link to the address that you gave.</p>
<p>The link works for 24 hours. If it does not arrive, check your spam folder, then <a href="/access">request another</a>: the
address may have been mistyped.</p>
${mailFolder === undefined ? html`` : html`<p class="card">This service has no mail server: its emails are files in <code>${mailFolder}</code>, and its log has their links.</p>`}`
  )

const confirmTexts = {
  confirm: {
    title: "Show my API key",
    text: "This confirms your address and shows your key once. Have a safe place ready to store it.",
    button: "Show my API key"
  },
  replace: {
    title: "Replace my API key",
    text: "We show you a new key once. The old one keeps working until you first use the new one. Your credits and usage stay the same.",
    button: "Show a new API key"
  }
} as const

/** `/confirm/{token}`, before the button is pressed. The form posts to the page's own address. */
export const confirmPage = ({ purpose }: RevealLink) => {
  const { button, text, title } = confirmTexts[purpose]
  return page(
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<form method="post"><button type="submit">${button}</button></form>`
  )
}

const firstCall = {
  path: "/api/v1/forecast",
  clientMethod: "forecast",
  body: jsonMembers({
    emails_sent: 5000,
    reply_rate: 5,
    positive_reply_rate: 30,
    meeting_booking_rate: 20,
    close_rate: 25,
    average_deal_value: 2500,
    campaign_cost: 600
  })
}

/** The page that shows the key, once, with a first call in each language. */
export const revealedPage = (options: {
  readonly secret: string
  readonly creditsRemaining: number
  readonly publicUrl: string
}) => {
  const samples = codeSamples([firstCall], { baseUrl: options.publicUrl, key: options.secret })
  return page(
    "Your API key",
    html`<h1>Your API key</h1>
<p class="lead">We show it only this once. Store it now, and keep it out of code that runs in a browser.</p>
${secretCard(options.secret)}
<p>It has ${integer(options.creditsRemaining)} forecast credits. Its page shows its usage and the credits left.</p>
<form method="post" action="/key"><input type="hidden" name="api_key" value="${options.secret}">
<button type="submit">I have stored it: open its page</button></form>
<h2>Try it</h2>
<p>This call costs one credit. For Python and TypeScript, first <a href="/clients/">install the client</a>.</p>
${codeExamples(languages.map((language) => ({ lang: languageNames[language], source: samples[language] })))}
<p>Lost it before you used it? Open the link in the email again: it shows a new key, and this one stops working.</p>`
  )
}
