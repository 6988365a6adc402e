import { exampleAssumptions } from "../../forecast/Assumptions.ts"
import { computeForecast } from "../../forecast/Forecast.ts"
import { html } from "../../html.ts"
import type { RevealLink } from "../../keys/RevealLink.ts"
import { emptyForm, type FormState, formMessage, ownerFields } from "./form.ts"
import { funnelDrawing } from "./funnelDrawing.ts"
import { page } from "./layout.ts"

const { forecast: example } = computeForecast(exampleAssumptions)

const number = new Intl.NumberFormat("en-US")

const exampleCard = html`<section class="card" aria-labelledby="example">
<h2 id="example">An example</h2>
<p>5,000 emails, a deal value of 2,500 and a campaign that costs 600:</p>
${funnelDrawing([
  { name: "Emails sent", count: 5000, rate: "" },
  { name: "Replies", count: example.estimated_replies, rate: "5 %" },
  { name: "Positive replies", count: example.estimated_positive_replies, rate: "30 %" },
  { name: "Meetings", count: example.estimated_meetings, rate: "20 %" },
  { name: "Clients", count: example.estimated_clients, rate: "25 %" }
])}
<dl><dt>Revenue</dt><dd>${number.format(example.estimated_revenue ?? 0)}</dd>
<dt>ROI</dt><dd>${number.format(example.roi_multiple ?? 0)} times the cost</dd>
<dt>Cost per client</dt><dd>${number.format(example.cost_per_client ?? 0)}</dd>
<dt>Grade</dt><dd>${example.performance_grade}</dd></dl>
</section>`

/** `/`: what the service does, an example, and the form that asks for a key. */
export const homePage = (state: FormState = emptyForm, status = 200) =>
  page(
    "Forecast the return of cold email",
    html`<h1>What will your cold-email campaign return?</h1>
<p class="lead">One API call turns your assumptions into replies, meetings, clients, revenue and ROI: exact, the same
every time, and honest about what it cannot know. It sends no email and scrapes nothing.</p>
${exampleCard}
<section aria-labelledby="access">
<h2 id="access">Get an API key</h2>
<p>100 forecasts for free, no credit card. They never expire. More come in <a href="/credits">credit packs</a>.</p>
${formMessage(state)}
<form method="post" action="/api/v1/access-requests" novalidate>
${ownerFields(state)}
<button type="submit">Send me a key</button>
</form>
</section>`,
    status
  )

/** After the form was sent, whether the address is known or not. */
export const acceptedPage = (email: string) =>
  page(
    "Look into your mailbox",
    html`<h1>Look into your mailbox</h1>
<p class="lead">A mail with a link is on its way to ${email}.</p>
<p>The link works for 24 hours. If no mail comes, look into the spam folder, then <a href="/">ask again</a>.</p>`,
    202
  )

const confirmTexts = {
  confirm: {
    title: "Show my API key",
    text: "Your address is confirmed by this click, and your key is shown once. Have a safe place for it ready.",
    button: "Show my API key"
  },
  replace: {
    title: "Replace my API key",
    text: "A new key is shown once. The old one works until the new one is used for the first time. Credits and usage stay.",
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
<p class="lead">This is the only time that it is shown. Store it now, and keep it out of code that runs in a browser.</p>
<div class="card"><code class="key" id="key">${options.secret}</code>
<button type="button" data-copy="key" hidden>Copy</button></div>
<p>It has ${number.format(options.creditsRemaining)} forecast credits.</p>
<h2>Try it</h2>
<pre tabindex="0">curl -s ${options.publicUrl}/api/v1/forecast \\
  -H 'x-api-key: ${options.secret}' \\
  -H 'content-type: application/json' \\
  -d '{"emails_sent":5000,"reply_rate":5,"positive_reply_rate":30,"meeting_booking_rate":20,"close_rate":25,"average_deal_value":2500,"campaign_cost":600}'</pre>
<p>Lost it before you used it? Open the link in the mail again: it shows another key, and this one is void.</p>`
  )

/** A page that says what is wrong and what to do about it. */
export const problemPage = (title: string, text: string, status: number) =>
  page(
    title,
    html`<h1>${title}</h1>
<p class="lead">${text}</p>
<p><a href="/#access">Ask for a new mail</a></p>`,
    status
  )
