/** Separates decimals, or groups digits. */
export type Separator = "." | ","

/** A number in a text that is written in one of the notations. */
export interface Numeral {
  readonly value: number
  /** The separators that the text has in this notation. */
  readonly decimal: Separator | undefined
  readonly grouping: Separator | undefined
}

/** The page's own notation of numbers from 1,000 on. */
export const ownNotation = /^-?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/

/** The notations of numbers, with the separator of their groups, if that may be a decimal one elsewhere. */
const notations: ReadonlyArray<readonly [form: RegExp, grouping?: Separator]> = [
  // 1,000.5
  [ownNotation, ","],
  // 1000.5
  [/^-?(?:\d+\.?\d*|\.\d+)$/],
  // 1.000,5
  [/^-?[1-9]\d{0,2}(?:\.\d{3})+(?:,\d+)?$/, "."],
  // 1000,5, and 1000, while it is typed
  [/^-?(?:\d+,\d*|,\d+)$/],
  // 1,50,000, as in India
  [/^-?[1-9]\d?(?:,\d{2})+,\d{3}(?:\.\d+)?$/, ","],
  // 1 000,5 and 1'000.5
  [/^-?[1-9]\d{0,2}(?:[ ']\d{3})+(?:[.,]\d+)?$/],
  // 5k and 2.5 m. With three decimals, it would be unclear whether they are thousands.
  [/^-?\d+(?:[.,]\d{1,2})? ?[km]$/i]
]

/** The numbers that a text can be read as: with a separator before exactly three digits, there may be two. */
export const numeralsIn = (text: string): ReadonlyArray<Numeral> =>
  notations.flatMap(([form, grouping]) => {
    if (!form.test(text)) return []
    const digits = text.replaceAll(grouping ?? /[ ']/g, "")
    const value = Number(digits.replace(",", ".").replace(/k$/i, "e3").replace(/m$/i, "e6"))
    const decimal = /[km]$/i.test(digits)
      ? undefined
      : digits.includes(".")
        ? "."
        : digits.includes(",")
          ? ","
          : undefined
    return [{ value, decimal, grouping }]
  })
