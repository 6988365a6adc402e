/** A sign that may stand before decimals or between thousands. */
export type Sign = "." | ","

/** A reading of a written number, and what its signs mean if it is right. */
export interface Reading {
  readonly value: number
  /** The sign before its decimals. */
  readonly decimal?: Sign
  /** The sign between its thousands. */
  readonly grouping?: Sign
  /** True if it is written in digits alone, with at most a sign before its decimals. */
  readonly isBare: boolean
}

/** A form in which numbers are written; its groups are the digits before the decimals, the sign before these, and they. */
interface Form {
  readonly pattern: RegExp
  readonly grouping?: Sign
  /** The power of ten by which the number is multiplied. */
  readonly exponent?: 3 | 6
}

const forms: ReadonlyArray<Form> = [
  // 1,000.5
  { pattern: /^([+-]?[1-9]\d{0,2}(?:,\d{3})+)(?:(\.)(\d+))?$/, grouping: "," },
  // 1000.5
  { pattern: /^([+-]?\d*)(?:(\.)(\d*))?$/ },
  // 1.000,5
  { pattern: /^([+-]?[1-9]\d{0,2}(?:\.\d{3})+)(?:(,)(\d+))?$/, grouping: "." },
  // 1000,5
  { pattern: /^([+-]?\d*)(,)(\d+)$/ },
  // 1,50,000, as in India
  { pattern: /^([+-]?[1-9]\d?(?:,\d{2})+,\d{3})(?:(\.)(\d+))?$/, grouping: "," },
  // 1 000,5 and 1'000.5
  { pattern: /^([+-]?\d{1,3}(?:[ ']\d{3})+)(?:([.,])(\d+))?$/ },
  // 5k and 2.5 m. With three decimals, it would be unclear whether they are thousands.
  { pattern: /^([+-]?\d+)(?:([.,])(\d{1,2}))? ?k$/i, exponent: 3 },
  { pattern: /^([+-]?\d+)(?:([.,])(\d{1,2}))? ?m$/i, exponent: 6 }
]

const withExponent = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)e[+-]?\d+$/i

/** The readings of a text as a number, that of English first; none if it is not a number in any notation. */
export const readingsOf = (
  text: string,
  { hasExponents = false }: { readonly hasExponents?: boolean } = {}
): ReadonlyArray<Reading> => {
  if (!/\d/.test(text)) return []
  if (hasExponents && withExponent.test(text)) return [{ value: Number(text), isBare: true }]
  return forms.flatMap(({ exponent, grouping, pattern }): ReadonlyArray<Reading> => {
    const [, whole, sign, decimals = ""] = pattern.exec(text) ?? []
    if (whole === undefined) return []
    const digits = whole.replaceAll(/[., ']/g, "")
    return [
      {
        value: Number(`${digits}.${decimals}e${exponent ?? 0}`),
        ...((sign === "." || sign === ",") && { decimal: sign }),
        ...(grouping !== undefined && { grouping }),
        isBare: digits === whole && exponent === undefined
      }
    ]
  })
}

/** The notation of numbers: the signs that some of them prove to be before decimals or between thousands. */
export interface Notation {
  readonly decimal: ReadonlySet<Sign>
  readonly grouping: ReadonlySet<Sign>
}

/** The notation that numbers prove: those with one reading only. */
export const notationOf = (numbers: ReadonlyArray<{ readonly readings: ReadonlyArray<Reading> }>): Notation => {
  const proofs = numbers.flatMap(({ readings }) => (readings.length === 1 ? readings : []))
  return {
    decimal: new Set(proofs.flatMap(({ decimal }) => decimal ?? [])),
    grouping: new Set(proofs.flatMap(({ grouping }) => grouping ?? []))
  }
}

/** True if a notation says that a sign is before decimals, false if between thousands; undefined if neither, or both. */
const isDecimal = (sign: Sign, { decimal, grouping }: Notation): boolean | undefined => {
  const other = sign === "." ? "," : "."
  const saysDecimal = decimal.has(sign) || grouping.has(other)
  const saysGrouping = grouping.has(sign) || decimal.has(other)
  return saysDecimal === saysGrouping ? undefined : saysDecimal
}

/** The readings of a number that a notation allows. */
export const readingsIn = (readings: ReadonlyArray<Reading>, notation: Notation): ReadonlyArray<Reading> =>
  readings.filter(
    ({ decimal, grouping }) =>
      (decimal === undefined || isDecimal(decimal, notation) !== false) &&
      (grouping === undefined || isDecimal(grouping, notation) !== true)
  )
