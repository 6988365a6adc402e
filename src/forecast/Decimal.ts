import { BigDecimal } from "effect"

/** An exact decimal. */
export type Decimal = BigDecimal.BigDecimal

/**
 * A value rounded once. `units` counts steps of 10^-places: as a number, unless only a bigint has all its digits.
 * `exact` says that nothing was cut off.
 */
export interface Rounded {
  readonly units: number | bigint
  readonly places: number
  readonly exact: boolean
}

/** An exact fraction that is never divided out: `numerator / denominator`, the denominator above 0. */
export interface Ratio {
  readonly numerator: Decimal
  readonly denominator: Decimal
}

export const zero = BigDecimal.make(0n, 0)
export const one = BigDecimal.make(1n, 0)
export const hundred = BigDecimal.make(100n, 0)

const powers: ReadonlyArray<bigint> = Array.from({ length: 129 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10 to the given exponent, 0 or more. */
export const pow10 = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)

/** The exact product of two decimals, not normalized: a hot path multiplies integers and adds scales, nothing else. */
export const times = (a: Decimal, b: Decimal): Decimal => {
  if (a === one) return b
  return b === one ? a : BigDecimal.make(a.value * b.value, a.scale + b.scale)
}

/** The exact difference of two decimals. */
export const minus = (a: Decimal, b: Decimal): Decimal => {
  const shift = a.scale - b.scale
  return shift < 0
    ? BigDecimal.make(a.value * pow10(-shift) - b.value, b.scale)
    : BigDecimal.make(a.value - b.value * pow10(shift), a.scale)
}

/** Exactly `rate` percent of `whole`. */
export const percentOf = (whole: Decimal, rate: Decimal): Decimal =>
  BigDecimal.make(whole.value * rate.value, whole.scale + rate.scale + 2)

/** Negative, 0 or positive if `a` is less than, equal to or greater than `b`. */
export const compare = (a: Decimal, b: Decimal): number => {
  const shift = a.scale - b.scale
  const left = shift < 0 ? a.value * pow10(-shift) : a.value
  const right = shift > 0 ? b.value * pow10(shift) : b.value
  return left < right ? -1 : left > right ? 1 : 0
}

/** The powers of ten that are exact doubles. */
const doublePowers: ReadonlyArray<number> = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

const doubleLimit = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * `a / b` in steps of 10^-places, for `a` of 0 or more and `b` above 0; nearest is half away from zero. Safe
 * integers lose no digit as numbers, which cost less than bigints.
 */
const divide = (a: Decimal, b: Decimal, places: number, towards: "nearest" | "up" | "down"): Rounded => {
  const shift = places + b.scale - a.scale
  const left = Number(a.value) * (shift > 0 ? (doublePowers[shift] ?? Infinity) : 1)
  const right = Number(b.value) * (shift < 0 ? (doublePowers[-shift] ?? Infinity) : 1)
  if (left >= 0 && left <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) {
    const units = Math.floor(left / right)
    const rest = left - units * right
    const isUp = rest > 0 && (towards === "nearest" ? rest + rest >= right : towards === "up")
    return { units: isUp ? units + 1 : units, places, exact: rest === 0 }
  }
  const numerator = shift > 0 ? a.value * pow10(shift) : a.value
  const denominator = shift < 0 ? b.value * pow10(-shift) : b.value
  const units = numerator / denominator
  const rest = numerator - units * denominator
  const isUp = rest !== 0n && (towards === "nearest" ? rest + rest >= denominator : towards === "up")
  const rounded = isUp ? units + 1n : units
  return { units: rounded <= doubleLimit ? Number(rounded) : rounded, places, exact: rest === 0n }
}

/** `a / b` rounded once from the exact quotient, half away from zero; `a` is 0 or more, `b` above 0. */
export const quotient = (a: Decimal, b: Decimal, places: number): Rounded => divide(a, b, places, "nearest")

/** `a / b` rounded up to `places` decimals. */
export const quotientUp = (a: Decimal, b: Decimal, places: number): Rounded => divide(a, b, places, "up")

/** `a / b` rounded down to `places` decimals. */
export const quotientDown = (a: Decimal, b: Decimal, places: number): Rounded => divide(a, b, places, "down")

/** Rounds a decimal of 0 or more to `places` decimals, half away from zero. */
export const round = (value: Decimal, places: number): Rounded => divide(value, one, places, "nearest")

/** Rounds a decimal of 0 or more down to `places` decimals. */
export const roundDown = (value: Decimal, places: number): Rounded => divide(value, one, places, "down")

/** A rounded value as a decimal. */
export const toDecimal = ({ places, units }: Rounded): Decimal => BigDecimal.make(BigInt(units), places)

/** `a / b` rounded up to 2 decimals or, below 0.1, to two significant digits; `a` is above 0. */
export const quotientUpVisibly = (a: Decimal, b: Decimal): Rounded => {
  let places = 2
  let rounded = quotientUp(a, b, places)
  while (rounded.units < 10 && rounded.units > 0 && !rounded.exact) rounded = quotientUp(a, b, ++places)
  return rounded
}

/** Like `round`, but a value that is not 0 never looks like 0: it is shown to its first two digits instead. */
export const roundVisibly = (value: Decimal, places: number): Rounded => {
  const rounded = round(value, places)
  return rounded.units > 0 || value.value === 0n ? rounded : round(value, value.scale - String(value.value).length + 2)
}

/** The double nearest to a rounded decimal. */
export const toNumber = ({ places, units }: Rounded): number => {
  const power = doublePowers[places]
  // Both operands are exact doubles here, so the division is rounded once, to the nearest double.
  return power !== undefined && typeof units === "number" ? units / power : Number(`${units}e-${places}`)
}

/** The double nearest to an exact decimal of 0 or more. */
export const toDouble = ({ scale, value }: Decimal): number => {
  const power = doublePowers[scale]
  // Both operands are exact doubles here, so the division is rounded once, to the nearest double.
  return power !== undefined && value <= doubleLimit ? Number(value) / power : Number(`${value}e${-scale}`)
}

const grouped = (digits: string): string => {
  let text = digits
  for (let end = digits.length - 3; end > 0; end -= 3) text = `${text.slice(0, end)},${text.slice(end)}`
  return text
}

/** A rounded decimal for readers: thousands separated by commas, no trailing zeros, `12,345.5`. */
export const show = ({ places, units }: Rounded): string => {
  const digits = String(units)
  if (places === 0) return grouped(digits)
  const padded = digits.length > places ? digits : digits.padStart(places + 1, "0")
  const point = padded.length - places
  let end = padded.length
  while (end > point && padded.charCodeAt(end - 1) === 48) end--
  const before = grouped(padded.slice(0, point))
  return end === point ? before : `${before}.${padded.slice(point, end)}`
}

/** A decimal with all its digits, as `show` writes it. */
export const showExact = (value: Decimal): string => show(round(value, Math.max(value.scale, 0)))

/** Exactly `1 - chance`, for a chance from 0 to 1. With a scale below 0 the chance can only be 0. */
export const complement = ({ scale, value }: Decimal): Decimal =>
  scale < 0 ? one : BigDecimal.make(pow10(scale) - value, scale)

/** The double nearest to `complement(chance)`. */
export const complementToDouble = (chance: Decimal): number => {
  const power = doublePowers[chance.scale]
  // A chance is at most 1: power, value and difference are exact doubles here, and the division is rounded once.
  return power !== undefined && power <= Number.MAX_SAFE_INTEGER
    ? (power - Number(chance.value)) / power
    : toDouble(complement(chance))
}

/** A whole number as an exact decimal. */
export const whole = (count: number): Decimal => BigDecimal.make(BigInt(count), 0)

/** Rounds a decimal of either sign to `places` decimals, half away from zero. */
export const roundSigned = (value: Decimal, places: number): number =>
  value.value < 0n
    ? 0 - toNumber(round(BigDecimal.make(-value.value, value.scale), places))
    : toNumber(round(value, places))

/** `a / b` of either sign of `a`, rounded once to `places` decimals, half away from zero; `b` is above 0. */
export const quotientSigned = (a: Decimal, b: Decimal, places: number): number =>
  a.value < 0n
    ? 0 - toNumber(quotient(BigDecimal.make(-a.value, a.scale), b, places))
    : toNumber(quotient(a, b, places))
