import { integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"
import type { CreditPack } from "../settings/CreditPack.ts"
import type { Sale } from "../settings/Sale.ts"
import { packChoices, packLabel, saleNotice } from "../orders/CreditsPages.ts"
import { fieldErrors, type FormState } from "../site/form.ts"
import { page } from "../site/layout.ts"

/** What the forms of an account need. */
export interface AccountForms {
  readonly packs: ReadonlyArray<CreditPack>
  readonly sale: Sale
  /** Makes one order of a form that is sent twice. */
  readonly formKey: string
  readonly state: FormState
}

/** The labels of the fields of all forms of an account, in their order. */
export const accountLabels = { pack: packLabel, grace_hours: "The time" } as const

/** The form that buys a pack for the key. */
export const packForm = ({ formKey, packs, sale, state }: AccountForms): Html => html`<section aria-labelledby="buy">
<h2 id="buy">Buy credits</h2>
${saleNotice(sale)}
${
  sale.isOpen
    ? html`<form method="post" action="/account/orders" novalidate>
${packChoices(packs, state)}
<input type="hidden" name="idempotency_key" value="${formKey}">
<button type="submit">Order</button>
</form>`
    : html``
}
</section>`

/** The form that replaces the key, and the way to the page that revokes it. */
export const keyForms = ({ state }: AccountForms): Html => {
  const { attributes, text } = fieldErrors("grace_hours", accountLabels.grace_hours, state, "grace_hours-help")
  return html`<section aria-labelledby="replace">
<h2 id="replace">Replace the key</h2>
<p>You get a new key, shown once. Credits, usage and ledger stay.</p>
<form method="post" action="/account/rotate" novalidate>
<label for="grace_hours">Hours for which the old key still works</label>
<p class="help" id="grace_hours-help">0 to 72. Choose 0 if somebody else has seen the key.</p>
<input class="short" id="grace_hours" name="grace_hours" inputmode="numeric" maxlength="4" required value="${state.values["grace_hours"] ?? "24"}"${attributes}>
${text}
<button type="submit">Replace the key</button>
</form>
</section>
<section aria-labelledby="revoke">
<h2 id="revoke">Revoke the key</h2>
<p>This ends the key for good, along with the credits it has left. <a href="/account/revoke">Revoke it</a>.</p>
</section>`
}

/** `/account/revoke`: asks once more. */
export const revokePage = (prefix: string, remaining: number) =>
  page(
    "Revoke the key",
    html`<h1>Revoke the key</h1>
<p class="lead">A revoked key cannot be restored. The ${integer(remaining)} credits that it has left are lost.</p>
<p>The key starts with <code>${prefix}</code>. To get a new key and keep the credits,
<a href="/account#replace">replace it</a> instead.</p>
<form method="post"><button type="submit" class="danger">Revoke the key for good</button></form>
<p><a href="/account">Back to your account</a></p>`,
    200,
    { section: "/account" }
  )

/** After the key was revoked. */
export const revokedPage = (prefix: string) =>
  page(
    "Key revoked",
    html`<h1>Key revoked</h1>
<p class="lead">The key that starts with <code>${prefix}</code> is refused from now on, and you are signed out.</p>
<p><a href="/#access">Ask for a new key</a></p>`,
    200,
    { section: "/account" }
  )

/** The new key, shown for the only time. */
export const rotatedPage = (options: { readonly secret: string; readonly oldKeyEnds: string }) =>
  page(
    "Your new API key",
    html`<h1>Your new API key</h1>
<p class="lead">We show it only this once. Store it now, and keep it out of code that runs in a browser.</p>
<div class="card"><code class="key" id="key">${options.secret}</code>
<button type="button" class="copy" data-copy="key" hidden>Copy</button></div>
<p>${options.oldKeyEnds}</p>
<p><a href="/account">Back to your account</a></p>`,
    200,
    { section: "/account" }
  )
