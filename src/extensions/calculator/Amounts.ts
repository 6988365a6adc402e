import { isCurrency, withSign } from "../../input/Currency.ts"
import { about, aboutAtLeast, aboutAtMost, brief, figure, money, shortAbout } from "../../text/Figures.ts"
import { currencyField, fieldNames, numberField } from "./FormFields.ts"
import { splitUnit, symbols } from "../tables/readNumber.ts"
import type { FormValues } from "../../site/form.ts"

/**
 * The form with its numbers without percent signs and signs of currencies. Its currency is that of its amounts without
 * a sign, or else the first sign. A sign of another currency stays: nothing is converted.
 */
export const withoutSigns = (values: FormValues): FormValues => {
  const { [currencyField]: given = "", ...others } = values
  const typed = fieldNames.flatMap((name) => {
    const expected = numberField(name, others)?.unit ?? ""
    const text = expected === "" ? "" : symbols(others[name] ?? "")
    const { currency: sign, number, unit } = splitUnit(text)
    if (text === "" || (unit !== "" && unit !== expected)) return []
    return [{ name, number, unit, isAmount: expected === "money", sign }]
  })
  const own = isCurrency(given) ? given : undefined
  const isKept = own !== undefined && typed.some(({ isAmount, sign = own }) => isAmount && sign === own)
  const currency = isKept ? own : (typed.find(({ sign }) => sign !== undefined)?.sign ?? own)
  const plain = typed.flatMap(({ name, number, sign = currency, unit }) =>
    unit !== "" && sign === currency ? [[name, number] as const] : []
  )
  if (plain.length === 0 && given === (currency ?? "")) return values
  return { ...others, ...Object.fromEntries(plain), ...(currency && { [currencyField]: currency }) }
}

/** The sign to show before an amount that was typed without one; empty without a currency. */
export const signBefore = (name: string, values: FormValues): string => {
  const { [currencyField]: given = "" } = withoutSigns(values)
  const isBare = numberField(name, values)?.unit === "money" && splitUnit(symbols(values[name] ?? "")).unit === ""
  return isBare && isCurrency(given) ? withSign("", given).trim() : ""
}

/**
 * Shows the amounts of a form, with the sign of its currency if it has one: rounded to three digits, up or down where
 * only that is enough, or exact where they were typed or are part of a calculation.
 */
export const amountsOf = ({ [currencyField]: given = "" }: FormValues) => {
  const signed = (show: typeof shortAbout) => (value: number, greatest?: number) =>
    withSign(show(value, greatest), isCurrency(given) ? given : undefined)
  return {
    money: signed(about),
    shortMoney: signed(shortAbout),
    aboutAtLeast: signed(aboutAtLeast),
    aboutAtMost: signed(aboutAtMost),
    briefMoney: signed(brief),
    exactMoney: signed(figure),
    calculatedMoney: signed(money)
  }
}
