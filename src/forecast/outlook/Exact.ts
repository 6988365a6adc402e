import { BigDecimal } from "effect"
import { pow10, quotient, round, toNumber } from "../Decimal.ts"

type Decimal = BigDecimal.BigDecimal

/** An exact quotient that is never carried out: `numerator / denominator`, the denominator above 0. */
export interface Ratio {
  readonly numerator: Decimal
  readonly denominator: Decimal
}

export const zero = BigDecimal.make(0n, 0)
export const one = BigDecimal.make(1n, 0)
export const hundred = BigDecimal.make(100n, 0)

const doubleLimit = BigInt(Number.MAX_SAFE_INTEGER)

/** The powers of ten that are doubles without rounding. */
const exactPowers = Array.from({ length: 23 }, (_, exponent) => Number(`1e${exponent}`))

/** The double nearest to an exact decimal of 0 or more. */
export const toDouble = ({ scale, value }: Decimal): number => {
  const power = exactPowers[scale]
  // Both operands are exact doubles here, so the division is rounded once, to the nearest double.
  return power !== undefined && value <= doubleLimit ? Number(value) / power : Number(`${value}e${-scale}`)
}

/** What is missing to 1, exactly: `1 - chance`, for a chance from 0 to 1. With a scale below 0 that can only be 0. */
export const complement = ({ scale, value }: Decimal): Decimal =>
  scale < 0 ? one : BigDecimal.make(pow10(scale) - value, scale)

/** The double nearest to `complement(chance)`. */
export const complementToDouble = (chance: Decimal): number => {
  const power = exactPowers[chance.scale]
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
