/** A complex number that terms are added to; its imaginary part is only known up to a multiple of 2π. */
export interface ComplexSum {
  re: number
  im: number
}

/** From this size of the argument on, the asymptotic series below are accurate to the last digits of a double. */
const asymptotic = 10

/** The last coefficient of Stirling's series for ln Γ that is used, that of z^-9 (DLMF 5.11.1). */
const lastOfStirling = 1 / 1188

/** The sum of Stirling's series at x; written out, because learning from a history spends most of its time here. */
const stirlingSum = (x: number): number => {
  const inverse = 1 / x
  const square = inverse * inverse
  return inverse * (1 / 12 + square * (-1 / 360 + square * (1 / 1260 + square * (-1 / 1680 + square / 1188))))
}

/** From this square of the size of the argument on, the first term of Stirling's series is all of it. */
const veryLarge = 1e9

/** Adds `sign` times the sum of Stirling's series at x + iy. */
const addStirling = (sum: ComplexSum, sign: number, x: number, y: number): void => {
  const size = x * x + y * y
  const re = x / size
  const im = -y / size
  if (size > veryLarge) {
    sum.re += (sign * re) / 12
    sum.im += (sign * im) / 12
    return
  }
  const squareRe = re * re - im * im
  const squareIm = 2 * re * im
  // Horner's rule in real numbers: w² is `twice` w, less `norm`.
  const twice = 2 * squareRe
  const norm = squareRe * squareRe + squareIm * squareIm
  const third = -1 / 1680 + twice * lastOfStirling
  const second = 1 / 1260 + twice * third - norm * lastOfStirling
  const first = -1 / 360 + twice * second - norm * third
  const seriesRe = 1 / 12 + squareRe * first - norm * second
  const seriesIm = squareIm * first
  sum.re += sign * (seriesRe * re - seriesIm * im)
  sum.im += sign * (seriesRe * im + seriesIm * re)
}

/** Left of the imaginary axis the series lose digits towards the negative real axis. True for NaN. */
const isLarge = (x: number, y: number): boolean =>
  x < 0 ? !(y * y < 1.44 * asymptotic * asymptotic) : !(x * x + y * y < asymptotic * asymptotic)

/** The size at which a product is turned into a logarithm: its square times one more factor does not overflow. */
const greatestProduct = 1e100

/**
 * Adds `sign` times ln Γ(z + s) - ln Γ(z) - s ln z, for s = x + iy and z above 0, without the cancellation that the
 * difference of two logarithms would bring: Stirling's series, after raising the argument by Γ(z + 1) = z Γ(z). Where
 * z + x is negative, y has to be of the same size.
 */
export const addGammaRatio = (sum: ComplexSum, sign: number, z: number, x: number, y: number): void => {
  let base = z
  if (z < asymptotic || !isLarge(z + x, y)) {
    let productRe = 1
    let productIm = 0
    const divide = () => {
      sum.re -= sign * 0.5 * Math.log(productRe * productRe + productIm * productIm)
      sum.im -= sign * Math.atan2(productIm, productRe)
      productRe = 1
      productIm = 0
    }
    for (; base < asymptotic || !isLarge(base + x, y); base++) {
      const re = 1 + x / base
      const im = y / base
      const next = productRe * re - productIm * im
      productIm = productRe * im + productIm * re
      productRe = next
      if (Math.abs(productRe) + Math.abs(productIm) > greatestProduct) divide()
    }
    divide()
    const rise = Math.log(base / z)
    sum.re += sign * x * rise
    sum.im += sign * y * rise
  }
  const shareX = x / base
  const shareY = y / base
  const re = 0.5 * Math.log1p(2 * shareX + shareX * shareX + shareY * shareY)
  const im = Math.atan2(shareY, 1 + shareX)
  const height = base + x - 0.5
  sum.re += sign * (height * re - y * im - x)
  sum.im += sign * (height * im + y * re - y)
  addStirling(sum, sign, base + x, y)
  sum.re -= sign * stirlingSum(base)
}

/**
 * Adds `sign` times ln Γ(z + gap) - ln Γ(z), for z = x + iy and a gap above 0, with an error in proportion to the gap
 * and not to z. Where x is negative, y has to be of the same size.
 */
export const addGammaStep = (sum: ComplexSum, sign: number, gap: number, x: number, y: number): void => {
  let re = x
  if (!isLarge(re, y)) {
    let productRe = 1
    let productIm = 0
    for (; !isLarge(re, y); re++) {
      const size = re * re + y * y
      const factorRe = 1 + (gap * re) / size
      const factorIm = (-gap * y) / size
      const next = productRe * factorRe - productIm * factorIm
      productIm = productRe * factorIm + productIm * factorRe
      productRe = next
    }
    sum.re -= sign * 0.5 * Math.log(productRe * productRe + productIm * productIm)
    sum.im -= sign * Math.atan2(productIm, productRe)
  }
  const size = re * re + y * y
  const shareRe = (gap * re) / size
  const shareIm = (-gap * y) / size
  const logRe = 0.5 * Math.log1p(2 * shareRe + shareRe * shareRe + shareIm * shareIm)
  const logIm = Math.atan2(shareIm, 1 + shareRe)
  const height = re + gap - 0.5
  sum.re += sign * (height * logRe - y * logIm + gap * (0.5 * Math.log(size) - 1))
  sum.im += sign * (height * logIm + y * logRe + gap * Math.atan2(y, re))
  addStirling(sum, sign, re + gap, y)
  addStirling(sum, -sign, re, y)
}

/** ln Γ(z + gap) - ln Γ(z) for z above 0 and a gap of 0 or more, as `addGammaStep`. */
export const gammaStep = (gap: number, z: number): number => {
  let base = z
  let upper = 1
  let lower = 1
  for (; base < asymptotic; base++) {
    upper *= base + gap
    lower *= base
  }
  const end = base + gap
  const step = (end - 0.5) * Math.log1p(gap / base) + gap * (Math.log(base) - 1) + stirlingSum(end) - stirlingSum(base)
  return base === z ? step : step - Math.log(upper / lower)
}

/** From this argument on, the series of ψ and ψ′ are accurate to 12 digits. */
const asymptoticOfPsi = 8

/** ψ(x), the derivative of ln Γ, for x above 0 (DLMF 5.5.2 and 5.11.2). */
export const digamma = (x: number): number => {
  let shifted = x
  let sum = 0
  for (; shifted < asymptoticOfPsi; shifted++) sum -= 1 / shifted
  const square = 1 / (shifted * shifted)
  const series =
    square *
    (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square * (1 / 132 - square / 47.4)))))
  return sum + Math.log(shifted) - 0.5 / shifted - series
}

/** ψ′(x) for x above 0 (DLMF 5.15.5 and 5.15.8). */
export const trigamma = (x: number): number => {
  let shifted = x
  let sum = 0
  for (; shifted < asymptoticOfPsi; shifted++) sum += 1 / (shifted * shifted)
  const inverse = 1 / shifted
  const square = inverse * inverse
  const series = 1 / 6 - square * (1 / 30 - square * (1 / 42 - square * (1 / 30 - square * (5 / 66 - square / 3.95))))
  return sum + inverse + square / 2 + inverse * square * series
}

/** A share distributed as Beta(alpha, beta), both above 0. */
export interface Beta {
  readonly alpha: number
  readonly beta: number
}

/** A share whose mean differs from 0 or 1 by less is taken as 0 or 1. */
const minMean = 1e-6

/** A factor of a continued fraction that differs from 1 by less changes nothing. */
const settled = 1e-13

/** A logit beyond which shares are 0 or 1 as doubles. */
const farthest = 700

/** The continued fraction of the incomplete beta function (DLMF 8.17.22), evaluated by Lentz's method. */
const continuedFraction = (x: number, a: number, b: number): number => {
  let c = 1
  let d = 1 / (1 - ((a + b) * x) / (a + 1))
  let value = d
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
    d = 1 / (1 + even * d)
    c = 1 + even / c
    value *= d * c
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1))
    d = 1 / (1 + odd * d)
    c = 1 + odd / c
    value *= d * c
    if (Math.abs(d * c - 1) < settled) break
  }
  return value
}

/** ln of the beta function. */
const logBetaOf = ({ alpha, beta }: Beta): number => {
  const [less, more] = alpha < beta ? [alpha, beta] : [beta, alpha]
  return gammaStep(less, 1) - Math.log(less) - gammaStep(less, more)
}

/** The density of a share, which is 1 - `rest`, in the logit. */
const densityAt = ({ alpha, beta }: Beta, logBeta: number, share: number, rest: number): number =>
  Math.exp(alpha * Math.log(share) + beta * Math.log(rest) - logBeta)

/** The chance that a share is below `share`, which has this density. */
const chanceBelow = ({ alpha, beta }: Beta, density: number, share: number, rest: number): number =>
  share < (alpha + 1) / (alpha + beta + 2)
    ? (density / alpha) * continuedFraction(share, alpha, beta)
    : 1 - (density / beta) * continuedFraction(rest, beta, alpha)

/** The regularized incomplete beta function: the chance of a share below `share`, from 0 to 1. */
export const betaBelow = (distribution: Beta, share: number): number => {
  if (share <= 0) return 0
  if (share >= 1) return 1
  return chanceBelow(distribution, densityAt(distribution, logBetaOf(distribution), share, 1 - share), share, 1 - share)
}

/**
 * The share below which a beta distribution has the chance `level`, to about 1e-10 of the share: Halley's method in the
 * logit of the share, within a bracket, from a logit nearby.
 */
const betaQuantile = (distribution: Beta, logBeta: number, level: number, near: number): number => {
  const { alpha, beta } = distribution
  let low = -farthest
  let high = farthest
  let logit = near
  for (let round = 0; round < 60; round++) {
    const share = 1 / (1 + Math.exp(-logit))
    const rest = 1 / (1 + Math.exp(logit))
    const density = densityAt(distribution, logBeta, share, rest)
    const below = chanceBelow(distribution, density, share, rest)
    const newton = (below - level) / density
    const bend = 1 - 0.5 * newton * (alpha * rest - beta * share)
    const step = newton / Math.min(Math.max(bend, 0.5), 2)
    if (Math.abs(step) < 1e-7) return 1 / (1 + Math.exp(step - logit))
    if (below < level) low = logit
    else high = logit
    const next = logit - step
    // Outside the bracket, or where the density vanishes, a step is useless.
    logit = next > low && next < high ? next : (low + high) / 2
  }
  return 1 / (1 + Math.exp(-logit))
}

/** The 10% and 90% quantiles of a share. */
export const betaRange = (share: Beta): { readonly low: number; readonly high: number } => {
  const { alpha, beta } = share
  const mean = alpha / (alpha + beta)
  if (!(mean > minMean)) return { low: 0, high: 0 }
  if (1 - mean < minMean) return { low: 1, high: 1 }
  const logBeta = logBetaOf(share)
  const center = digamma(alpha) - digamma(beta)
  // If logits were normally distributed, the quantiles would be here.
  const reach = 1.2816 * Math.sqrt(trigamma(alpha) + trigamma(beta))
  return {
    low: betaQuantile(share, logBeta, 0.1, center - reach),
    high: betaQuantile(share, logBeta, 0.9, center + reach)
  }
}

/** A part of a distribution: the mean of the share in it, and the mean of its square. */
interface Part {
  readonly mean: number
  readonly square: number
}

/** The same parts of the rarer outcome: alpha is the less, and the mean not tiny. */
const partsOfRarer = (share: Beta, count: number): ReadonlyArray<Part> => {
  const { alpha, beta } = share
  const mean = alpha / (alpha + beta)
  const square = (mean * (alpha + 1)) / (alpha + beta + 1)
  const logBeta = logBetaOf(share)
  const parts: Array<Part> = []
  // The chances below the end of a part under Beta(alpha + 1, beta) and Beta(alpha + 2, beta) say how much of either
  // mean lies there, and follow from the one under Beta(alpha, beta), which is known (DLMF 8.17.20).
  let [ofMean, ofSquare] = [0, 0]
  let near = digamma(alpha) - digamma(beta) - 1.5 * Math.sqrt(trigamma(alpha) + trigamma(beta))
  for (let part = 1; part <= count; part++) {
    let [untilMean, untilSquare] = [1, 1]
    if (part < count) {
      const end = betaQuantile(share, logBeta, part / count, near)
      const density = densityAt(share, logBeta, end, 1 - end)
      untilMean = part / count - density / alpha
      untilSquare = untilMean - (density * end * (alpha + beta)) / (alpha * (alpha + 1))
      near = Math.log(end / (1 - end)) + 1 / count / density
    }
    parts.push({ mean: count * mean * (untilMean - ofMean), square: count * square * (untilSquare - ofSquare) })
    ;[ofMean, ofSquare] = [untilMean, untilSquare]
  }
  return parts
}

/** The parts of a distribution with equal chances, from the lowest shares up. */
export const evenParts = ({ alpha, beta }: Beta, count: number): ReadonlyArray<Part> => {
  if (alpha > beta) {
    const parts = evenParts({ alpha: beta, beta: alpha }, count)
    return parts.map(({ mean, square }) => ({ mean: 1 - mean, square: 1 - 2 * mean + square })).toReversed()
  }
  const mean = alpha / (alpha + beta)
  if (mean >= minMean) return partsOfRarer({ alpha, beta }, count)
  // Tiny shares with the same alpha differ by a factor only.
  const factor = mean / minMean
  const parts = partsOfRarer({ alpha, beta: alpha / minMean - alpha }, count)
  return parts.map(({ mean, square }) => ({ mean: mean * factor, square: square * factor * factor }))
}

/** The points of a rule on the interval from -1 to 1, with their weights. */
export interface Rule {
  readonly points: ReadonlyArray<number>
  readonly weights: ReadonlyArray<number>
}

const computeRule = (order: number): Rule => {
  const points: Array<number> = []
  const weights: Array<number> = []
  for (let index = 0; index < order; index++) {
    let x = Math.cos((Math.PI * (index + 0.75)) / (order + 0.5))
    let slope = 1
    // From such a good guess, Newton's method doubles the correct digits each time.
    for (let round = 0; round < 6; round++) {
      let value = 1
      let before = 0
      for (let degree = 0; degree < order; degree++) {
        const next = ((2 * degree + 1) * x * value - degree * before) / (degree + 1)
        before = value
        value = next
      }
      slope = (order * (x * value - before)) / (x * x - 1)
      x -= value / slope
    }
    points.push(x)
    weights.push(2 / ((1 - x * x) * slope * slope))
  }
  return { points, weights }
}

const rules = new Map<number, Rule>()

/** The Gauss-Legendre rule with this many points: exact for polynomials of a degree below twice that. */
export const gaussLegendre = (order: number): Rule => {
  const rule = rules.get(order) ?? computeRule(order)
  rules.set(order, rule)
  return rule
}
