/** Binomial counts that are summed: `trials` with success chance `p`, and `q` that is 1 - p. */
export interface Trials {
  readonly trials: number
  readonly p: number
  readonly q: number
}

/** K(t) = Σ nᵢ ln(qᵢ + pᵢ eᵗ), the cumulant generating function of the sum, by its first two derivatives. */
const cumulants = (parts: ReadonlyArray<Trials>, t: number) => {
  let mean = 0
  let variance = 0
  for (const { p, q, trials } of parts) {
    const tilted = p / (p + q * Math.exp(-t))
    mean += trials * tilted
    variance += trials * tilted * (1 - tilted)
  }
  return { mean, variance }
}

/** A p or q below this changes nothing about 1e8 trials. */
const settled = 1e-25

/** Where K(t) - count·t - ln|1 - e^-t| is least, on the side of 0 that keeps the pole there out of the way. */
const saddle = (parts: ReadonlyArray<Trials>, count: number, isRight: boolean): number => {
  let low = isRight ? 0 : -745
  let high = isRight ? 745 : 0
  for (let round = 0; round < 100 && high - low > 1e-4 * (Math.abs(low) + Math.abs(high)); round++) {
    const t = (low + high) / 2
    if (cumulants(parts, t).mean - count - 1 / Math.expm1(t) > 0) high = t
    else low = t
  }
  return (low + high) / 2
}

/**
 * The chance that independent binomial counts sum up to at least `count`; right to 1e-10.
 *
 * The probability generating function of the sum is ∏ (qᵢ + pᵢ z)^nᵢ, so the chance is a contour integral around 0,
 * 1/2π ∫ exp(K(s) - count·s) / (1 - e^-s) dθ with s = t + iθ, and 1 more than that for t below 0. Along the circle through
 * the saddle point it falls off within a few standard deviations, and the trapezoidal rule is exact but for e^-40.
 */
export const chanceOfSum = (parts: ReadonlyArray<Trials>, count: number): number => {
  const isOpen = ({ p, q }: Trials) => p > settled && q > settled
  if (!parts.every(isOpen)) {
    const sure = parts.reduce((sum, { q, trials }) => (q > settled ? sum : sum + trials), 0)
    return chanceOfSum(parts.filter(isOpen), count - sure)
  }
  const all = parts.reduce((sum, { trials }) => sum + trials, 0)
  if (count <= 0 || count > all) return count <= 0 ? 1 : 0
  // All of them: there is no saddle point, but the chance is a product.
  if (count === all) {
    return Math.exp(parts.reduce((sum, { q, trials }) => sum + trials * Math.log1p(-q), 0))
  }
  const isRight = cumulants(parts, 0).mean < count
  const t = saddle(parts, count, isRight)
  const { variance } = cumulants(parts, t)
  const nodes = Math.ceil(40 / Math.abs(t) + 20 * Math.sqrt(variance)) + 64
  const z = Math.exp(t)
  let atSaddle = -count * t
  for (const { p, q, trials } of parts) {
    const rise = p * Math.expm1(t)
    // ln(q + p z) either way; each keeps the digits that the other would lose.
    atSaddle += trials * (rise > -0.5 ? Math.log1p(rise) : Math.log(q + p * z))
  }
  const term = (theta: number): { readonly value: number; readonly size: number } => {
    const half = Math.sin(theta / 2)
    let re = 0
    let im = -count * theta
    for (const { p, q, trials } of parts) {
      // |q + p z e^iθ|² / (q + p z)² = 1 - 4 p q z sin²(θ/2) / (q + p z)²
      const whole = q + p * z
      re += 0.5 * trials * Math.log1p((-4 * p * q * z * half * half) / (whole * whole))
      im += trials * Math.atan2(p * z * Math.sin(theta), q + p * z * Math.cos(theta))
    }
    const weight = Math.exp(re)
    const poleRe = 1 - Math.cos(theta) / z
    const poleIm = Math.sin(theta) / z
    const pole = poleRe * poleRe + poleIm * poleIm
    return {
      value: (weight * (Math.cos(im) * poleRe + Math.sin(im) * poleIm)) / pole,
      size: weight / Math.sqrt(pole)
    }
  }
  let sum = term(0).value
  for (let node = 1; node <= nodes / 2; node++) {
    const { size, value } = term((2 * Math.PI * node) / nodes)
    // Both halves of the circle, but for the point where they meet.
    sum += node * 2 === nodes ? value : 2 * value
    if (size < 1e-17 * Math.abs(sum)) break
  }
  const integral = (sum / nodes) * Math.exp(atSaddle)
  return Math.min(Math.max(isRight ? integral : 1 + integral, 0), 1)
}
