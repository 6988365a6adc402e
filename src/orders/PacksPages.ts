import type { ApiKey } from "../keys/ApiKey.ts"
import { counted, integer } from "../text/Figures.ts"
import { html, type Html } from "../text/html.ts"
import { type CreditPack, showPrice, showPricePerCredit } from "../settings/CreditPack.ts"
import { isTrial, type Ordering } from "../settings/Ordering.ts"
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

/** The label of the field in error messages. */
export const packLabel = "The pack"

/** The notice for a buyer who returns from the payment. */
const notices: ReadonlyMap<string, string> = new Map([
  ["done", "Thank you. Once the payment is confirmed, we add the credits and email you."],
  [
    "cancelled",
    "You have not been charged. Your order is still open: return to its payment page, or place a new order."
  ]
])

/** The first choice has the attributes of the field: its ID, which the error summary links to, and the focus. */
const choice = (pack: CreditPack, isFree: boolean, isChosen: boolean, attributes: Html) =>
  html`<label class="choice"><input${attributes} type="radio" name="pack" value="${pack.id}" required${isChosen ? html` checked` : html``}>
${integer(pack.credits)} credits${isFree ? html`` : html` for ${showPrice(pack)} <span class="soft">(${showPricePerCredit(pack)} a forecast)</span>`}</label>
`

/** The form field to choose a pack. A trial names no price. */
export const packChoices = (packs: ReadonlyArray<CreditPack>, ordering: Ordering, state: FormState): Html => {
  const { focus, ofGroup, text } = fieldErrors("pack", packLabel, state)
  const chosen = state.values["pack"] ?? packs[0]?.id
  return html`<fieldset role="radiogroup"${ofGroup}><legend>Credit pack</legend>
${packs.map((pack, i) => choice(pack, isTrial(ordering), pack.id === chosen, i === 0 ? html` id="pack"${focus}` : html``))}</fieldset>
${text}`
}

/** The saving per credit compared with the first pack. */
const saving = (pack: CreditPack, first: CreditPack | undefined): Html => {
  if (first === undefined || first.currency !== pack.currency) return html``
  const percent = Math.round(100 - (100 * pack.amount * first.credits) / (pack.credits * first.amount))
  return percent <= 0 ? html`` : html` <span class="less">${percent}% less each</span>`
}

const variants = 5

/** An example of what a number of credits pays for. */
const enoughFor = (credits: number): string =>
  credits < variants
    ? `Enough for ${counted(credits, "forecast")}`
    : `Enough to plan ${counted(Math.floor(credits / variants), "campaign")} with ${variants} variants each`

const cardOf = (pack: CreditPack, first: CreditPack | undefined, ordering: Ordering): Html => {
  const name = pack.id.replace(/^./, (letter) => letter.toUpperCase())
  const credits = counted(pack.credits, "credit")
  const enough = html`<span class="soft">${enoughFor(pack.credits)}</span>`
  return isTrial(ordering)
    ? html`<span><b>${name}</b></span>
<strong>${credits}</strong>
${enough}`
    : html`<span><b>${name}</b>${saving(pack, first)}</span>
<strong>${showPrice(pack)}</strong>
<b>${credits}</b>
<span class="each">${showPricePerCredit(pack)} each</span>
${enough}`
}

/** The packs as selectable cards. */
const packCards = (packs: ReadonlyArray<CreditPack>, ordering: Ordering, state: FormState): Html => {
  const { focus, ofGroup, text } = fieldErrors("pack", packLabel, state)
  const chosen = state.values["pack"] ?? packs[0]?.id
  return html`<fieldset class="packs" role="radiogroup"${ofGroup}><legend>Credit pack</legend>
${packs.map(
  (pack, i) =>
    html`<label class="card pack"><input${i === 0 ? html` id="pack"${focus}` : html``} type="radio" name="pack" value="${pack.id}" required${pack.id === chosen ? html` checked` : html``}>
${cardOf(pack, packs[0], ordering)}</label>
`
)}</fieldset>
${text}`
}

const counting = (ordering: Ordering): Html => html`<section class="card" aria-labelledby="counted">
<h2 id="counted">What costs a credit</h2>
<ul class="ticks"><li>a forecast, through the API or by an agent</li><li>a goal, such as “4 clients in 80 of 100 campaigns”</li>
<li>a campaign in flight</li><li>each campaign of a list</li></ul>
<h3>What does not</h3>
<ul class="ticks none"><li>the calculator on this site</li><li>an error, or a request repeated with the same Idempotency-Key</li>
<li>benchmarks, usage, ledger and orders</li></ul>
<h3>After the order</h3>
<p>${
  isTrial(ordering)
    ? "An email tells you when the operator has added the credits."
    : "The credits arrive within one business day of payment, with an email and a receipt to print."
} Sub-keys share them, each with its own monthly limit.</p>
</section>`

/** The key of the visitor who is signed in, and the credits that it has left. */
interface Buyer {
  readonly key: ApiKey
  readonly remaining: number
}

/** The key that the credits go to. */
const destination = (buyer: Buyer | undefined): Html =>
  buyer === undefined
    ? html`We add the credits to the key for this address, or to a new one: we email you a link that shows it. To buy for
another key, <a href="/key">sign in with it</a>.`
    : html`Your key <code>${buyer.key.secretPrefix}…</code> has ${counted(buyer.remaining, "credit")}. With the address above, we
add the new ones to it; with another, to that address's key.`

const orderForm = (
  packs: ReadonlyArray<CreditPack>,
  state: FormState,
  idempotencyKey: string,
  buyer: Buyer | undefined,
  ordering: Ordering
): Html =>
  html`<form method="post" action="/credits" novalidate>
${packCards(packs, ordering, state)}
<div class="order"><section class="card" aria-labelledby="who">
<h2 id="who">Order the pack</h2>
${ownerFields(state)}
<input type="hidden" name="idempotency_key" value="${idempotencyKey}">
<button type="submit">Order</button>
${termsLink(ordering)}
<p class="soft">${destination(buyer)}</p>
</section>
${counting(ordering)}</div>
</form>`

/** The packs if they cannot be ordered on the page. */
const priceList = (packs: ReadonlyArray<CreditPack>, ordering: Ordering): Html => html`<div class="packs">
${packs.map(
  (pack) => html`<div class="card pack">${cardOf(pack, packs[0], ordering)}</div>
`
)}</div>
${counting(ordering)}`

const freeCredits = 100

const freeSection = html`<section class="card free" aria-labelledby="free"><div><h2 id="free">Start with ${freeCredits} free credits</h2>
<p>${enoughFor(freeCredits)}. No credit card.</p></div><a class="button" href="/access">Get an API key</a></section>`

/** The link to the seller's terms, where one orders or pays; empty if there are none. */
export const termsLink = ({ termsUrl }: Ordering): Html =>
  termsUrl === undefined ? html`` : html`<p class="soft"><a href="${termsUrl}">Terms and refunds</a></p>`

/** The notice for buyers before they order. */
export const orderingNotice = ({ notice, writeTo }: Ordering): Html => {
  if (writeTo === undefined) return notice === undefined ? html`` : html`<p class="card">${notice}</p>`
  return html`<p class="card">To buy credits, write to <a href="mailto:${writeTo}">${writeTo}</a>.</p>`
}

/** `/credits`: the packs and the order form. `payment` is the outcome with which a buyer returns from paying. */
export const packsPage = (
  packs: ReadonlyArray<CreditPack>,
  ordering: Ordering,
  options: {
    /** Ensures that a form that is sent twice creates one order. */
    readonly idempotencyKey: string
    /** The address of the page if it is the same for everyone. */
    readonly url?: string
    readonly payment?: string
    readonly state?: FormState
    readonly status?: number
    /** The buyer whose name, address and company are filled in at first. */
    readonly buyer?: Buyer
  }
) => {
  const { buyer, idempotencyKey, payment = "", state = emptyForm, status = 200, url } = options
  const filled = { ...state, values: { ...buyer?.key.owner, ...state.values } }
  const notice = notices.get(payment)
  return page(
    formTitle("Forecast credits", state),
    html`${errorSummary(state, { pack: packLabel, ...ownerLabels })}
<h1>Forecast credits</h1>
<p class="lead">One forecast, goal or campaign in flight costs one credit. Credits never expire.</p>
${notice === undefined ? html`` : html`<p class="card" role="status">${notice}</p>`}
${orderingNotice(ordering)}
${buyer === undefined ? freeSection : html``}
${ordering.isOpen ? orderForm(packs, filled, idempotencyKey, buyer, ordering) : priceList(packs, ordering)}`,
    status,
    {
      section: "/credits",
      kind: "wide",
      styles: ["credits.css"],
      description: "Packs of forecast credits and what one forecast costs. Credits never expire.",
      ...(url === undefined ? {} : { url })
    }
  )
}
