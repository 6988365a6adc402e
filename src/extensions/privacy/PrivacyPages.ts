import { keptUsageDays } from "../../credits/LedgerEntry.ts"
import { type Html, html } from "../../text/html.ts"
import type { Settings } from "../../Settings.ts"
import { page } from "../../site/layout.ts"

const row = (what: string, why: string, howLong: string): Html =>
  html`<tr role="row"><th role="rowheader" scope="row">${what}</th><td role="cell" data-title="Why">${why}</td>
<td role="cell" data-title="How long">${howLong}</td></tr>
`

/** The personal data in the database, its purpose, and when it is deleted. */
const storedFor = ({ mailDays, unconfirmedKeyDays, unpaidOrderDays }: Settings["Service"]["retention"]) => [
  row(
    "Your name, email address and company",
    "To issue your key and to write to you about it.",
    `Until you delete them on the page “Your key” or ask the operator to erase them, or for ${unconfirmedKeyDays} days if nobody confirms the key. Erasing removes them from keys, orders and emails immediately, with what the operator noted about you. Credits, usage and the amounts of orders stay, without a person; a hash of your address stays, so that its free credits are not granted twice.`
  ),
  row(
    "A hash of your key, and its first characters",
    "To recognize the key. The key itself is not stored.",
    "Until the key is replaced or revoked; after a rotation, until the grace period ends."
  ),
  row(
    "Credits and usage",
    "Every change to your balance with its time, and the number of requests in each month.",
    "As long as the key has a record. The ledger cannot be changed."
  ),
  row(
    "Sub-keys",
    "Their names, limits and hashes, and the number of requests of each on each day.",
    `As long as the key has a record, or until you have them erased. Requests by day: ${keptUsageDays} days.`
  ),
  row(
    "The number of calls with a key per day",
    "To find out why calls were refused: their number by result, with the time and the ID of the last one.",
    "30 days. They have the first characters of the key, but no content of the request."
  ),
  row(
    "Responses to requests with an Idempotency-Key",
    "To return the same response when the request is retried.",
    "24 hours. They contain the forecast."
  ),
  row(
    "Orders",
    "Who ordered which pack, its price, and the reference of the payment. Card numbers never reach us.",
    `Permanently once they are paid, as records of sales, without your name and address after erasure. Orders that are never paid: ${unpaidOrderDays} days.`
  ),
  row(
    "Emails to you",
    "To send them, and to see whether they arrived. A key or a working link is never stored in them.",
    `${mailDays} days. Of the email about a paid order, the recipient, subject and time are kept permanently.`
  ),
  row(
    "Whether you want emails about low credits",
    "To send you none if you have switched them off.",
    "As long as the key has a record. The links in these emails, stored as hashes, work for a year."
  ),
  row(
    "A session of the page “Your key”",
    "To keep you signed in: a cookie with a random text that no script can read, and its hash in the database.",
    "30 minutes, or until you sign out or the key ends. There is no other cookie."
  ),
  row(
    "A hash of your network address",
    "To limit how many keys and orders one client can request.",
    "One hour, and then until the next clean-up."
  )
]

/** `/privacy`: the stored personal data, for how long, and the contact for questions. */
export const privacyPage = (options: {
  readonly url: string
  readonly supportEmail: string | undefined
  readonly retention: Settings["Service"]["retention"]
  readonly hasStripe: boolean
}) => {
  const { hasStripe, retention, supportEmail, url } = options
  return page(
    "Privacy",
    html`<h1>Privacy</h1>
<p class="lead">We store only what a key needs to work, and nothing that tracks you: no analytics, no advertising, and no
requests to other hosts.</p>
<h2>Without a key</h2>
<p>You can read the guide and try the calculator without telling us who you are. The numbers of a campaign are not stored.
Your browser remembers the programming language that you chose for examples; it does not send it to anyone.</p>
<h2>With a key</h2>
<table role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">What</th><th role="columnheader" scope="col">Why</th>
<th role="columnheader" scope="col">How long</th></tr></thead>
<tbody role="rowgroup">${storedFor(retention)}</tbody></table>
<p>The numbers that you send for a forecast are not stored, except in a response that is kept for 24 hours because you sent an
<code>Idempotency-Key</code>.</p>
<h2>Logs and backups</h2>
<p>The log has a line for each request: time, method, the kind of page or endpoint, status, duration and the first
characters of the key; of a request that was refused also the network that it came from, cut to a /24 or /48, or a hash
of it. It has no query and no body. Logs and backups are kept as long as the operator of
this service keeps them.</p>
<h2>Who else sees it</h2>
<p>Emails go through the mail server of this service. ${hasStripe ? "If you pay by card, Stripe processes the payment. " : ""}Nobody
else gets anything.</p>
<h2 id="contact">Contact</h2>
${
  supportEmail === undefined
    ? html`<p>The operator of this service has not given an address for questions.</p>`
    : html`<p>Questions, or a request to see, correct or delete what is stored about you:
<a href="mailto:${supportEmail}">${supportEmail}</a>.</p>`
}`,
    200,
    { url, description: "What Outreach Forecast stores about you, why, and for how long." }
  )
}
