import { integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"
import { type CreditPack, showPrice, showPricePerCredit } from "../settings/CreditPack.ts"
import type { Sale } from "../settings/Sale.ts"
import {
  emptyForm,
  errorSummary,
  fieldErrors,
  type FormState,
  formTitle,
  ownerFields,
  ownerLabels
} from "../site/form.ts"
import { page } from "../site/layout.ts"

/** What the field is called where something is wrong with it. */
export const packLabel = "The pack"

/** The notice for a buyer who returns from the payment. */
const notices: ReadonlyMap<string, string> = new Map([
  ["done", "Thank you. Once the payment is confirmed, we add the credits and email you."],
  [
    "cancelled",
    "You have not been charged. Your order is still open: return to its payment page, or place a new order."
  ]
])

/** The attributes of the first choice are those of the field: its id, to which the summary of what is wrong leads, and the focus. */
const choice = (pack: CreditPack, isChosen: boolean, attributes: Html) =>
  html`<label class="choice"><input${attributes} type="radio" name="pack" value="${pack.id}" required${isChosen ? html` checked` : html``}>
${integer(pack.credits)} credits for ${showPrice(pack)} <span class="soft">(${showPricePerCredit(pack)} a forecast)</span></label>
`

/** The field of a form that chooses one of the packs. */
export const packChoices = (packs: ReadonlyArray<CreditPack>, state: FormState): Html => {
  const { focus, ofGroup, text } = fieldErrors("pack", packLabel, state)
  const chosen = state.values["pack"] ?? packs[0]?.id
  return html`<fieldset role="radiogroup"${ofGroup}><legend>Credit pack</legend>
${packs.map((pack, i) => choice(pack, pack.id === chosen, i === 0 ? html` id="pack"${focus}` : html``))}</fieldset>
${text}`
}

const orderForm = (packs: ReadonlyArray<CreditPack>, state: FormState, idempotencyKey: string): Html =>
  html`<form method="post" action="/credits" novalidate>
${packChoices(packs, state)}
${ownerFields(state)}
<input type="hidden" name="idempotency_key" value="${idempotencyKey}">
<button type="submit">Order</button>
</form>
<p>We add the credits to the key for this address, or to a new one: we email you a link that shows it. To buy for another
key, <a href="/account">sign in with it</a>.</p>`

/** What buyers have to know before they order. */
export const saleNotice = ({ notice }: Sale): Html =>
  notice === undefined ? html`` : html`<p class="card">${notice}</p>`

/** `/credits`: the packs, and the form that orders one. `payment` is the outcome with which a buyer returns from the payment page. */
export const creditsPage = (
  packs: ReadonlyArray<CreditPack>,
  sale: Sale,
  options: {
    /** Makes one order of a form that is sent twice. */
    readonly idempotencyKey: string
    /** The address of the page, where it shows no more than everybody's. */
    readonly url?: string
    readonly payment?: string
    readonly state?: FormState
    readonly status?: number
  }
) => {
  const { idempotencyKey, payment = "", state = emptyForm, status = 200, url } = options
  const notice = notices.get(payment)
  return page(
    formTitle("Forecast credits", state),
    html`${errorSummary(state, { pack: packLabel, ...ownerLabels })}
<h1>Forecast credits</h1>
<p class="lead">One forecast, goal or campaign in flight costs one credit. Credits never expire.</p>
${notice === undefined ? html`` : html`<p class="card" role="status">${notice}</p>`}
${saleNotice(sale)}
${sale.isOpen ? orderForm(packs, state, idempotencyKey) : html``}`,
    status,
    {
      section: "/credits",
      description: "Packs of forecast credits and what one forecast costs. Credits never expire.",
      ...(url === undefined ? {} : { url })
    }
  )
}
