import { BigDecimal } from "effect"

/** An exact decimal. */
export type Decimal = BigDecimal.BigDecimal

/** A number of steps of 10^-scale: a decimal, or one whose `value` is a number because that has all its digits. */
export interface Scaled {
  readonly value: number | bigint
  readonly scale: number
}

/** A value rounded once; `exact` says that nothing was cut off. */
export interface Rounded extends Scaled {
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
  BigDecimal.make(whole === one ? rate.value : whole.value * rate.value, whole.scale + rate.scale + 2)

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
 * `a / b` in steps of 10^-scale, for `a` of 0 or more and `b` above 0; nearest is half away from zero. Safe integers
 * lose no digit as numbers, which cost less than bigints.
 */
const divide = (a: Scaled, b: Scaled, scale: number, towards: "nearest" | "up" | "down"): Rounded => {
  const shift = scale + b.scale - a.scale
  const left = Number(a.value) * (shift > 0 ? (doublePowers[shift] ?? Infinity) : 1)
  const right = Number(b.value) * (shift < 0 ? (doublePowers[-shift] ?? Infinity) : 1)
  if (left >= 0 && left <= Number.MAX_SAFE_INTEGER && right <= Number.MAX_SAFE_INTEGER) {
    const value = Math.floor(left / right)
    const rest = left - value * right
    const isUp = rest > 0 && (towards === "nearest" ? rest + rest >= right : towards === "up")
    return { value: isUp ? value + 1 : value, scale, exact: rest === 0 }
  }
  const numerator = BigInt(a.value) * pow10(Math.max(shift, 0))
  const denominator = BigInt(b.value) * pow10(Math.max(-shift, 0))
  const value = numerator / denominator
  const rest = numerator - value * denominator
  const isUp = rest !== 0n && (towards === "nearest" ? rest + rest >= denominator : towards === "up")
  const rounded = isUp ? value + 1n : value
  return { value: rounded <= doubleLimit ? Number(rounded) : rounded, scale, exact: rest === 0n }
}

/** `a / b` rounded once from the exact quotient, half away from zero; `a` is 0 or more, `b` above 0. */
export const quotient = (a: Scaled, b: Scaled, scale: number): Rounded => divide(a, b, scale, "nearest")

/** `a / b` rounded up to `scale` decimals. */
export const quotientUp = (a: Scaled, b: Scaled, scale: number): Rounded => divide(a, b, scale, "up")

/** `a / b` rounded down to `scale` decimals. */
export const quotientDown = (a: Scaled, b: Scaled, scale: number): Rounded => divide(a, b, scale, "down")

/** 1, as a number. */
const unit: Scaled = { value: 1, scale: 0 }

/** Rounds a value of 0 or more to `scale` decimals, half away from zero. */
export const round = (value: Scaled, scale: number): Rounded => divide(value, unit, scale, "nearest")

/** Rounds a value of 0 or more down to `scale` decimals. */
export const roundDown = (value: Scaled, scale: number): Rounded => divide(value, unit, scale, "down")

/** A rounded value as a decimal. */
export const toDecimal = ({ scale, value }: Rounded): Decimal => BigDecimal.make(BigInt(value), scale)

/** `a / b` rounded up to 2 decimals or, below 0.1, to two significant digits; `a` is above 0. */
export const quotientUpVisibly = (a: Decimal, b: Decimal): Rounded => {
  let scale = 2
  let rounded = quotientUp(a, b, scale)
  while (rounded.value < 10 && rounded.value > 0 && !rounded.exact) rounded = quotientUp(a, b, ++scale)
  return rounded
}

/** Like `round`, but a value that is not 0 never looks like 0: it is shown to its first two digits instead. */
export const roundVisibly = (exact: Scaled, scale: number): Rounded => {
  const rounded = round(exact, scale)
  return rounded.value > 0 || rounded.exact ? rounded : round(exact, exact.scale - String(exact.value).length + 2)
}

/** The double nearest to a value. */
export const toDouble = ({ scale, value }: Scaled): number => {
  const power = doublePowers[Math.abs(scale)]
  const double = Number(value)
  if (power === undefined || Math.abs(double) > Number.MAX_SAFE_INTEGER) return Number(`${value}e${-scale}`)
  // Both operands are exact doubles here, so the result is rounded once, to the nearest double.
  return scale < 0 ? double * power : double / power
}

const grouped = (digits: string): string => {
  let text = digits
  for (let end = digits.length - 3; end > 0; end -= 3) text = `${text.slice(0, end)},${text.slice(end)}`
  return text
}

/** A rounded value for readers: thousands separated by commas, no trailing zeros, `12,345.5`. */
export const show = ({ scale, value }: Rounded): string => {
  const digits = String(value)
  if (scale === 0) return grouped(digits)
  const padded = digits.length > scale ? digits : digits.padStart(scale + 1, "0")
  const point = padded.length - scale
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

/** The double nearest to `a / b`, `b` above 0, rounded once to `scale` decimals, half away from zero. */
export const quotientToDouble = (a: Scaled, b: Scaled, scale: number): number =>
  a.value < 0 ? 0 - toDouble(quotient({ value: -a.value, scale: a.scale }, b, scale)) : toDouble(quotient(a, b, scale))

/** The double nearest to a value rounded to `scale` decimals, half away from zero. */
export const roundToDouble = (value: Scaled, scale: number): number =>
  value.scale <= scale ? toDouble(value) : quotientToDouble(value, unit, scale)
