/** The spellings of currencies in amounts, by ISO code; the page shows the first of each. */
const written = {
  EUR: ["€", "EUR"],
  USD: ["$", "US$", "USD"],
  GBP: ["£", "GBP"],
  INR: ["₹", "INR", "Rs.", "Rs"],
  CHF: ["CHF"],
  JPY: ["¥", "JPY"],
  CAD: ["C$", "CA$", "CAD"],
  AUD: ["A$", "AU$", "AUD"],
  NZD: ["NZ$", "NZD"],
  SGD: ["S$", "SGD"],
  BRL: ["R$", "BRL"],
  MXN: ["MX$", "MXN"],
  SEK: ["SEK"],
  NOK: ["NOK"],
  DKK: ["DKK"],
  PLN: ["zł", "PLN"],
  CZK: ["Kč", "CZK"],
  ZAR: ["ZAR"],
  AED: ["AED"],
  ILS: ["₪", "ILS"],
  TRY: ["₺", "TRY"]
} as const

export type Currency = keyof typeof written

const codes = new Map(
  Object.entries(written).flatMap(([code, signs]) => signs.map((sign) => [sign.toUpperCase(), code] as const))
)

export const isCurrency = (text: string): text is Currency => Object.hasOwn(written, text)

/** The signs of all currencies, as the source of a regular expression that ignores case. */
export const currencySigns = `(?:${[...codes.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((sign) => sign.replaceAll(/[$.]/g, String.raw`\$&`))
  .join("|")})`

const around = new RegExp(`^(-?)(${currencySigns})? ?(-?[^-]*?) ?(${currencySigns})?$`, "i")

/** An amount without the sign of its currency, and that currency; none if it has no sign, or two different ones. */
export const splitCurrency = (text: string): { readonly amount: string; readonly currency: Currency | undefined } => {
  const [, minus = "", before, amount = "", after] = around.exec(text) ?? []
  const [code, other] = [before ?? after, after ?? before].map((sign = "") => codes.get(sign.toUpperCase()))
  return code !== undefined && isCurrency(code) && code === other
    ? { amount: minus + amount, currency: code }
    : { amount: text, currency: undefined }
}

/** The sign of a currency before an amount: `€5`, `−€5`, `CHF 5`. */
export const withSign = (amount: string, currency: Currency | undefined): string => {
  if (currency === undefined) return amount
  const [sign] = written[currency]
  const shown = /\p{L}$/u.test(sign) ? `${sign}\u00a0` : sign
  return amount.startsWith("−") ? `−${shown}${amount.slice(1)}` : `${shown}${amount}`
}
