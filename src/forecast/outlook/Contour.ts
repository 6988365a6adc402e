import { digamma, trigamma } from "./Digamma.ts"
import { addGammaRatio, type ComplexSum } from "./GammaRatio.ts"

/** A share distributed as Beta(alpha, beta), both above 0. */
export interface Beta {
  readonly alpha: number
  readonly beta: number
}

/** A number of successes in `trials`, each with the chance `known · B₁ · … · Bₘ` of shares Bᵢ that are the same for all. */
export interface Mixture {
  readonly trials: number
  readonly known: number
  readonly shares: ReadonlyArray<Beta>
}

/** The first step of the rule, and how well the results of two steps have to agree: the error is the square of that. */
const firstStep = 0.2
const agreement = 1e-6
const mostHalvings = 8

/** Beyond this height the phases have no digits left; an integrand that reaches it has fallen to nothing long before. */
const farthest = 1e12

/** The logarithm of a chance that makes no difference. */
const negligible = -36

/** The derivatives of the logarithm of the integrand but for its pole, at the real number s. */
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

/** Newton's method, kept within a bracket: where the integrand with its pole is least on the real axis. */
const saddle = (mixture: Mixture, count: number, isRight: boolean, atZero: number): number => {
  let low = isRight ? 0 : -Math.min(...mixture.shares.map(({ alpha }) => alpha))
  let high = isRight ? count : 0
  const bend = curvature(mixture, count, 0)
  const root = Math.sqrt(atZero * atZero + 4 * bend)
  let s = (isRight ? root - atZero : -root - atZero) / (2 * bend)
  for (let round = 0; round < 60; round++) {
    if (!(s > low && s < high)) s = (low + high) / 2
    const gradient = slope(mixture, count, s) - 1 / s
    if (gradient > 0) high = s
    else low = s
    const step = gradient / (curvature(mixture, count, s) + 1 / (s * s))
    s -= step
    // Any point nearby serves the integral as well.
    if (Math.abs(step) < 1e-3 * Math.abs(s) && s > low && s < high) break
  }
  return s
}

/**
 * The chance of at least `count` successes, `count` from 1 to `trials`; right to about 1e-11.
 *
 * At least `count` of n succeed where a share U, distributed as Beta(count, n - count + 1), is at most the chance of one
 * success. That is an inverse Mellin transform: with M(s) = knownˢ · ∏ Γ(αᵢ+s) Γ(αᵢ+βᵢ) / (Γ(αᵢ) Γ(αᵢ+βᵢ+s)) ·
 * Γ(count-s) Γ(n+1) / (Γ(count) Γ(n+1-s)), it is 1/(2πi) ∫ M(s)/s ds along a line through 0 < Re s < count, and 1 more
 * than that through -min αᵢ < Re s < 0. The line goes through the real saddle point σ, as s(u) = σ + i w sinh u; the
 * trapezoidal rule in u converges exponentially, so its step is halved until two results agree.
 */
export const chanceOfAtLeast = (mixture: Mixture, count: number): number => {
  const { known, shares, trials } = mixture
  const atZero = slope(mixture, count, 0)
  const isRight = atZero < 0
  const s = saddle(mixture, count, isRight, atZero)
  const width = 1 / Math.sqrt(curvature(mixture, count, s) + 1 / (s * s))
  // Γ(z + s) / Γ(z) is about zˢ: the powers of all ratios together, which nearly cancel.
  const scale = Math.log(
    shares.reduce((ratio, { alpha, beta }) => ratio * (alpha / (alpha + beta)), known * ((trials + 1) / count))
  )
  const exponent = (x: number, y: number): ComplexSum => {
    const sum = { re: x * scale, im: y * scale }
    for (const { alpha, beta } of shares) {
      addGammaRatio(sum, 1, alpha, x, y)
      addGammaRatio(sum, -1, alpha + beta, x, y)
    }
    addGammaRatio(sum, 1, count, -x, -y)
    addGammaRatio(sum, -1, trials + 1, -x, -y)
    return sum
  }
  const top = exponent(s, 0).re
  // By Markov's inequality M(s) bounds the chance on the right, and the chance of the contrary on the left.
  if (top < negligible) return isRight ? 0 : 1
  let size = 0
  const term = (u: number): number => {
    const stretch = Math.cosh(u)
    const y = width * Math.sinh(u)
    const { im, re } = exponent(s, y)
    const weight = Math.exp(re - top) * stretch
    const distance = s * s + y * y
    size = weight / Math.sqrt(distance)
    return (weight * (Math.cos(im) * s + Math.sin(im) * y)) / distance
  }
  let step = firstStep
  let sum = 0.5 / s
  let nodes = 1
  for (; width * Math.sinh(nodes * step) < farthest; nodes++) {
    sum += term(nodes * step)
    if (size < 1e-16 * Math.abs(sum)) break
  }
  const end = nodes * step
  const factor = (width / Math.PI) * Math.exp(top)
  let integral = sum * step
  for (let halving = 0; halving < mostHalvings; halving++) {
    for (let u = step / 2; u < end; u += step) sum += term(u)
    step /= 2
    const finer = sum * step
    const difference = Math.abs(finer - integral)
    integral = finer
    if (difference < agreement * Math.abs(finer)) break
  }
  return isRight ? integral * factor : 1 + integral * factor
}
