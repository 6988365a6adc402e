import { addGammaRatio, addGammaStep, type Beta, type ComplexSum, digamma, trigamma } from "./SpecialFunctions.ts"

/**
 * The number of successes in `trials`, each with the chance `known · B₁ · … · Bₘ`, where the shares Bᵢ are the same for
 * all.
 */
export interface Mixture {
  readonly trials: number
  readonly known: number
  readonly shares: ReadonlyArray<Beta>
}

/** The logarithm of a chance that makes no difference. */
const negligible = -36

/** The first step of the trapezoidal rule: each is half of the one before, so that its nodes are reused. */
const firstStep = 0.2
const maxHalvings = 2

/** Two integrals agree if they differ by this part of them, or by this much; the error is about the square of the part. */
const agreement = 1e-8
const rounding = 1e-10

/** A term that makes no difference, as a part of the sum. */
const negligibleTerm = 1e-14
const farthest = 100

/** Where the integrand exceeds its value at the saddle point by more than a factor of exp of this, terms would cancel. */
const greatestGrowth = 1.5

/**
 * How far a contour bends to the left, as the tangent of the angle between its ends and the imaginary axis. On the left
 * the powers of large ratios fall off; where the gammas grow faster there, the integrand falls off on the right.
 */
const bends = [0.6, -0.6, 0]

/** Up to this gap, Γ(z + gap) / Γ(z) can be computed in one step to the last digits at any z. */
const smallGap = 1000

/** The derivatives of the logarithm of the integrand without its pole, at the real number s. */
const slope = ({ known, shares, trials }: Mixture, count: number, s: number): number =>
  shares.reduce(
    (sum, { alpha, beta }) => sum + digamma(alpha + s) - digamma(alpha + beta + s),
    Math.log(known) - digamma(count - s) + digamma(trials + 1 - s)
  )

const curvature = ({ shares, trials }: Mixture, count: number, s: number): number =>
  shares.reduce(
    (sum, { alpha, beta }) => sum + trigamma(alpha + s) - trigamma(alpha + beta + s),
    trigamma(count - s) - trigamma(trials + 1 - s)
  )

/** Newton's method within the bracket from `low` to `high`: where the integrand with its pole is least on the real axis. */
const saddle = (mixture: Mixture, count: number, isRight: boolean, atZero: number, pole: number): number => {
  let low = isRight ? 0 : pole
  let high = isRight ? count : 0
  const bend = curvature(mixture, count, 0)
  const root = Math.sqrt(atZero * atZero + 4 * bend)
  let s = (isRight ? root - atZero : -root - atZero) / (2 * bend)
  for (let round = 0; round < 60; round++) {
    if (!(s > low && s < high)) s = (low + high) / 2
    const gradient = slope(mixture, count, s) - 1 / s
    if (gradient > 0) high = s
    else low = s
    const steepness = curvature(mixture, count, s) + 1 / (s * s)
    const step = gradient / steepness
    s -= step
    // Any nearby point serves as well.
    if (step * step * steepness < 1e-4 && s > low && s < high) break
  }
  return s
}

/** Γ(z + t) Γ(z + gap) / (Γ(z) Γ(z + gap + t)) with t = sign · s; `step` is ln Γ(z + gap) - ln Γ(z) for a small gap. */
interface Quotient {
  readonly sign: number
  readonly z: number
  readonly gap: number
  readonly step: number | undefined
}

const quotient = (sign: number, z: number, gap: number, reach: number): Quotient => {
  if (gap >= Math.max(reach, smallGap)) return { sign, z, gap, step: undefined }
  const sum = { re: 0, im: 0 }
  addGammaStep(sum, 1, gap, z, 0)
  return { sign, z, gap, step: sum.re }
}

/** ln M(x + iy) of `mixtureAtLeast`, for a contour that matters within about `reach` of 0. */
const logarithm = ({ known, shares, trials }: Mixture, count: number, reach: number) => {
  const quotients = shares.map(({ alpha, beta }) => quotient(1, alpha, beta, reach))
  quotients.push(quotient(-1, count, trials + 1 - count, reach))
  // Γ(z + s) / Γ(z) is about zˢ: the powers of all ratios together, which nearly cancel.
  const scale = Math.log(
    quotients.reduce((ratio, { gap, sign, step, z }) => {
      if (step !== undefined) return ratio
      return sign > 0 ? ratio * (z / (z + gap)) : ratio * ((z + gap) / z)
    }, known)
  )
  const sum: ComplexSum = { re: 0, im: 0 }
  return (x: number, y: number): ComplexSum => {
    sum.re = x * scale
    sum.im = y * scale
    for (const { gap, sign, step, z } of quotients) {
      if (step === undefined) {
        addGammaRatio(sum, 1, z, sign * x, sign * y)
        addGammaRatio(sum, -1, z + gap, sign * x, sign * y)
      } else {
        addGammaStep(sum, -1, gap, z + sign * x, sign * y)
        sum.re += step
      }
    }
    return sum
  }
}

/**
 * The chance of at least `count` successes, `count` from 1 to `trials`; right to about 1e-10.
 *
 * At least `count` of n succeed where a share U, distributed as Beta(count, n - count + 1), is at most the chance of
 * one success. That is an inverse Mellin transform: with M(s) = knownˢ · ∏ Γ(αᵢ+s) Γ(αᵢ+βᵢ) / (Γ(αᵢ) Γ(αᵢ+βᵢ+s)) ·
 * Γ(count-s) Γ(n+1) / (Γ(count) Γ(n+1-s)), it is 1/(2πi) ∫ M(s)/s ds along a line through 0 < Re s < count, and 1 more
 * than that through -min αᵢ < Re s < 0. A small β or n - count leaves little that falls off along a line, so the
 * contour is bent: s(u) = σ + i w sinh u - d (cosh u - 1), through the real saddle point σ. The trapezoidal rule in u
 * converges exponentially, so its step is halved until two results agree. Throws if no contour makes them agree.
 */
export const mixtureAtLeast = (mixture: Mixture, count: number): number => {
  const pole = -Math.min(...mixture.shares.map(({ alpha }) => alpha))
  const atZero = slope(mixture, count, 0)
  const isRight = atZero < 0
  const s = saddle(mixture, count, isRight, atZero, pole)
  const width = Math.min(
    1 / Math.sqrt(curvature(mixture, count, s) + 1 / (s * s)),
    Math.abs(s),
    isRight ? count - s : s - pole
  )
  const exponent = logarithm(mixture, count, Math.abs(s) + width)
  const top = exponent(s, 0).re
  // By Markov's inequality M(s) bounds the chance on the right, and that of the complement on the left.
  if (top < negligible) return isRight ? 0 : 1
  const factor = (width / Math.PI) * Math.exp(top)
  let bend = 0
  let size = 0
  const term = (u: number): number => {
    const rise = Math.exp(u)
    const cosh = 0.5 * (rise + 1 / rise)
    const sinh = 0.5 * (rise - 1 / rise)
    const x = s - bend * width * (cosh - 1)
    const y = width * sinh
    const { im, re } = exponent(x, y)
    const weight = re - top < greatestGrowth ? Math.exp(re - top) : Infinity
    const distance = x * x + y * y
    const cos = Math.cos(im)
    const sin = Math.sin(im)
    size = (weight * cosh) / Math.sqrt(distance)
    return (weight * (cosh * (cos * x + sin * y) - bend * sinh * (sin * x - cos * y))) / distance
  }
  const integral = (): number | undefined => {
    let sum = 0.5 / s
    let end = firstStep
    for (; ; end += firstStep) {
      sum += term(end)
      if (size < negligibleTerm * Math.abs(sum)) break
      if (!(size < Infinity) || end > farthest) return undefined
    }
    let coarse = sum * firstStep
    for (let step = firstStep / 2, halvings = 0; halvings < maxHalvings; halvings++, step /= 2) {
      for (let u = step; u < end; u += 2 * step) sum += term(u)
      const fine = sum * step
      const difference = Math.abs(fine - coarse)
      if (difference < agreement * Math.abs(fine) || difference * factor < rounding) return fine
      coarse = fine
    }
    return undefined
  }
  for (bend of bends) {
    const found = integral()
    if (found !== undefined) return isRight ? found * factor : 1 + found * factor
  }
  throw new Error(`no contour converges for ${count} successes of ${JSON.stringify(mixture)}`)
}
