import { BigDecimal } from "effect"

/**
 * An exact decimal, `value` steps of 10^-scale: a number if that has all its digits, which costs less than a bigint.
 */
export interface Decimal {
  readonly value: number | bigint
  readonly scale: number
}

/** A value rounded once; `exact` says that nothing was cut off. */
export interface Rounded extends Decimal {
  readonly exact: boolean
}

/** An exact fraction that is never divided out: `numerator / denominator`, the denominator above 0. */
export interface Ratio {
  readonly numerator: Decimal
  readonly denominator: Decimal
}

export const zero: Decimal = { value: 0, scale: 0 }
export const one: Decimal = { value: 1, scale: 0 }
export const hundred: Decimal = { value: 100, scale: 0 }

export const isZero = ({ value }: Decimal): boolean => Number(value) === 0

const powers: ReadonlyArray<bigint> = Array.from({ length: 129 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10 to the given exponent, 0 or more. */
export const pow10 = (exponent: number): bigint => powers[exponent] ?? 10n ** BigInt(exponent)

/** The powers of ten that are exact doubles. */
const doublePowers: ReadonlyArray<number> = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/** True if a number, computed from integers, has all their digits. */
const isSafe = (value: number): boolean => Math.abs(value) <= Number.MAX_SAFE_INTEGER

/** The steps of a value with `shift` more decimals if that is a safe integer; otherwise beyond these, or NaN. */
const shifted = (value: number | bigint, shift: number): number =>
  shift > 0 ? Number(value) * (doublePowers[shift] ?? Infinity) : Number(value)

const shiftedExactly = (value: number | bigint, shift: number): bigint =>
  shift > 0 ? BigInt(value) * pow10(shift) : BigInt(value)

const product = (a: number | bigint, b: number | bigint): number | bigint => {
  const value = Number(a) * Number(b)
  return isSafe(value) ? value : BigInt(a) * BigInt(b)
}

/** The exact product of two decimals, not normalized: a hot path multiplies integers and adds scales, nothing else. */
export const times = (a: Decimal, b: Decimal): Decimal => {
  if (a === one) return b
  return b === one ? a : { value: product(a.value, b.value), scale: a.scale + b.scale }
}

/** Exactly `rate` percent of `whole`. */
export const percentOf = (whole: Decimal, rate: Decimal): Decimal => ({
  value: product(whole.value, rate.value),
  scale: whole.scale + rate.scale + 2
})

/** The exact sum of two decimals. */
export const plus = (a: Decimal, b: Decimal): Decimal => {
  const shift = a.scale - b.scale
  const scale = Math.max(a.scale, b.scale)
  const left = shifted(a.value, -shift)
  const right = shifted(b.value, shift)
  if (isSafe(left) && isSafe(right) && isSafe(left + right)) return { value: left + right, scale }
  return { value: shiftedExactly(a.value, -shift) + shiftedExactly(b.value, shift), scale }
}

/** The exact difference of two decimals. */
export const minus = (a: Decimal, b: Decimal): Decimal => plus(a, { value: -b.value, scale: b.scale })

/** Negative, 0 or positive if `a` is less than, equal to or greater than `b`. */
export const compare = (a: Decimal, b: Decimal): number => {
  const shift = a.scale - b.scale
  const left = shifted(a.value, -shift)
  const right = shifted(b.value, shift)
  if (isSafe(left) && isSafe(right)) return left - right
  const [exactLeft, exactRight] = [shiftedExactly(a.value, -shift), shiftedExactly(b.value, shift)]
  return exactLeft < exactRight ? -1 : exactLeft > exactRight ? 1 : 0
}

const doubleLimit = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * `a / b` in steps of 10^-scale, for `a` of 0 or more and `b` above 0; nearest is half away from zero. Safe integers
 * lose no digit as numbers, which cost less than bigints.
 */
const divide = (a: Decimal, b: Decimal, scale: number, towards: "nearest" | "up" | "down"): Rounded => {
  const shift = scale + b.scale - a.scale
  const left = shifted(a.value, shift)
  const right = shifted(b.value, -shift)
  if (isSafe(left) && isSafe(right)) {
    const value = Math.floor(left / right)
    const rest = left - value * right
    const isUp = rest > 0 && (towards === "nearest" ? rest + rest >= right : towards === "up")
    return { value: isUp ? value + 1 : value, scale, exact: rest === 0 }
  }
  const numerator = shiftedExactly(a.value, shift)
  const denominator = shiftedExactly(b.value, -shift)
  const value = numerator / denominator
  const rest = numerator - value * denominator
  const isUp = rest !== 0n && (towards === "nearest" ? rest + rest >= denominator : towards === "up")
  const rounded = isUp ? value + 1n : value
  return { value: rounded <= doubleLimit ? Number(rounded) : rounded, scale, exact: rest === 0n }
}

/** `a / b` rounded once from the exact quotient, half away from zero; `a` is 0 or more, `b` above 0. */
export const quotient = (a: Decimal, b: Decimal, scale: number): Rounded => divide(a, b, scale, "nearest")

/** `a / b` rounded up to `scale` decimals. */
export const quotientUp = (a: Decimal, b: Decimal, scale: number): Rounded => divide(a, b, scale, "up")

/** `a / b` rounded down to `scale` decimals. */
export const quotientDown = (a: Decimal, b: Decimal, scale: number): Rounded => divide(a, b, scale, "down")

/** Rounds a value of 0 or more to `scale` decimals, half away from zero. */
export const round = (value: Decimal, scale: number): Rounded => divide(value, one, scale, "nearest")

/** Rounds a value of 0 or more down to `scale` decimals. */
export const roundDown = (value: Decimal, scale: number): Rounded => divide(value, one, scale, "down")

/** The same decimal, as assumptions have it. */
export const toBigDecimal = ({ scale, value }: Decimal): BigDecimal.BigDecimal => BigDecimal.make(BigInt(value), scale)

/** `a / b` rounded up to 2 decimals or, below 0.1, to two significant digits; `a` is above 0. */
export const quotientUpVisibly = (a: Decimal, b: Decimal): Rounded => {
  let scale = 2
  let rounded = quotientUp(a, b, scale)
  while (rounded.value < 10 && rounded.value > 0 && !rounded.exact) rounded = quotientUp(a, b, ++scale)
  return rounded
}

/** Like `round`, but a value that is not 0 never looks like 0: it is shown to its first two digits instead. */
export const roundVisibly = (exact: Decimal, scale: number): Rounded => {
  const rounded = round(exact, scale)
  return rounded.value > 0 || rounded.exact ? rounded : round(exact, exact.scale - String(exact.value).length + 2)
}

/** The double nearest to a value. */
export const toDouble = ({ scale, value }: Decimal): number => {
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
export const show = ({ scale, value }: Decimal): string => {
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
export const showExact = (value: Decimal): string => show(value.scale < 0 ? round(value, 0) : value)

/** Exactly `1 - chance`, for a chance from 0 to 1. With a scale below 0 the chance can only be 0. */
export const complement = (chance: Decimal): Decimal => (chance.scale < 0 ? one : minus(one, chance))

/** The double nearest to `complement(chance)`. */
export const complementToDouble = (chance: Decimal): number => {
  const power = doublePowers[chance.scale]
  // A chance is at most 1: power, value and difference are exact doubles here, and the division is rounded once.
  return power !== undefined && power <= Number.MAX_SAFE_INTEGER
    ? (power - Number(chance.value)) / power
    : toDouble(complement(chance))
}

/** A whole number as an exact decimal. */
export const whole = (count: number): Decimal => ({ value: count, scale: 0 })

/** The double nearest to `a / b`, `b` above 0, rounded once to `scale` decimals, half away from zero. */
export const quotientToDouble = (a: Decimal, b: Decimal, scale: number): number =>
  a.value < 0 ? 0 - toDouble(quotient({ value: -a.value, scale: a.scale }, b, scale)) : toDouble(quotient(a, b, scale))

/** The double nearest to a value rounded to `scale` decimals, half away from zero. */
export const roundToDouble = (value: Decimal, scale: number): number =>
  value.scale <= scale ? toDouble(value) : quotientToDouble(value, one, scale)

/** The fewest people, a whole number, that are enough. */
export const wholePeople = ({ denominator, numerator }: Ratio): number =>
  numerator.value <= 0 ? 0 : toDouble(quotientUp(numerator, denominator, 0))
