import { Option } from "effect"

/** A number of credits for a price. `amount` is an integer in minor units of the currency (cents), without tax. */
export interface CreditPack {
  readonly id: string
  readonly credits: number
  readonly amount: number
  /** ISO 4217, in capitals. */
  readonly currency: string
}

const decimalsByCurrency = new Map<string, number>()

/** The number of decimals of a currency: 2 for USD, 0 for JPY. */
const decimalsOf = (currency: string): number => {
  const known = decimalsByCurrency.get(currency)
  if (known !== undefined) return known
  const { maximumFractionDigits = 2 } = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions()
  decimalsByCurrency.set(currency, maximumFractionDigits)
  return maximumFractionDigits
}

/** A price in major units, as a number for programs: 19 for 1,900 cents. */
export const priceOf = ({ amount, currency }: Pick<CreditPack, "amount" | "currency">): number =>
  amount / 10 ** decimalsOf(currency)

/** A price for people: `19 USD`, `19.50 USD`. */
export const showPrice = (price: Pick<CreditPack, "amount" | "currency">): string => {
  const amount = priceOf(price)
  return `${Number.isInteger(amount) ? amount : amount.toFixed(decimalsOf(price.currency))} ${price.currency}`
}

const perCredit = new Intl.NumberFormat("en-US", { maximumSignificantDigits: 3, maximumFractionDigits: 20 })

/** Currencies whose hundredth is called a cent. */
const hasCents = new Set(["AUD", "CAD", "EUR", "HKD", "NZD", "SGD", "USD", "ZAR"])

/** The price of one of a pack's credits, and so of a forecast, for people, to 3 digits: `3.8 cents`, `0.038 GBP`. */
export const showPricePerCredit = ({ amount, credits, currency }: Omit<CreditPack, "id">): string =>
  hasCents.has(currency) && amount < 100 * credits
    ? `${perCredit.format(amount / credits)} cents`
    : `${perCredit.format(priceOf({ amount, currency }) / credits)} ${currency}`

const form = /^([a-z0-9_-]{1,40}):([1-9][0-9]{0,9}):((?:0|[1-9][0-9]{0,9})(?:\.([0-9]+))?):([A-Z]{3})$/
const currencies = new Set(Intl.supportedValuesOf("currency"))

const parsePack = (text: string): Option.Option<CreditPack> => {
  const [, id = "", credits = "", price = "", decimals = "", currency = ""] = form.exec(text) ?? []
  const pack = { id, credits: Number(credits), amount: Number(price.replace(".", "")), currency }
  return currencies.has(currency) &&
    decimals.length === decimalsOf(currency) &&
    pack.credits <= 1_000_000_000 &&
    pack.amount > 0
    ? Option.some(pack)
    : Option.none()
}

/** The form of CREDIT_PACKS, for people. */
export const creditPacksForm =
  "packs like starter:500:19.00:USD, separated by commas: each with its own ID, 1 to 1000000000 credits, a price above 0 with as many decimals as its currency has, and an ISO 4217 code"

/** Parses `id:credits:price:currency`, separated by commas; none if a pack is invalid or two have the same ID. */
export const parseCreditPacks = (text: string): Option.Option<ReadonlyArray<CreditPack>> =>
  Option.filter(
    Option.all(text.split(",").map((part) => parsePack(part.trim()))),
    (packs) => new Set(packs.map(({ id }) => id)).size === packs.length
  )

/** The packs for sale unless CREDIT_PACKS is set. */
export const defaultCreditPacks: ReadonlyArray<CreditPack> = [
  { id: "starter", credits: 500, amount: 1900, currency: "USD" },
  { id: "growth", credits: 2500, amount: 7900, currency: "USD" },
  { id: "scale", credits: 10_000, amount: 24_900, currency: "USD" }
]
