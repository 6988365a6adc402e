import type { Beta } from "./Contour.ts"
import { gammaStep } from "./GammaRatio.ts"
import { gaussLegendre } from "./GaussLegendre.ts"

/** The counts that a rate is learned from: of `trials` in one campaign, above 0, so many were `successes`. */
export interface Tally {
  readonly successes: number
  readonly trials: number
}

/** How the rate of the next campaign is distributed, after all campaigns and after all but one of them. */
export interface LearnedRate {
  readonly all: Beta
  /** Nothing where there is no other campaign. */
  readonly without: (index: number) => Beta | undefined
}

/** The plan is worth this many cases of the rarer outcome. */
const worth = 2

/** ln a is normally distributed around this, with this deviation. */
const center = Math.log(4)
const deviation = 0.7

/** Where the density, for the moments of either outcome too, has fallen to exp of -this, it makes no difference. */
const depth = 19

/** Points of the rules, for one standard deviation and in any case. */
const pointsOfMean = { each: 2.4, least: 8 }
const pointsOfShape = 1.05

/** Leaving a campaign out may widen the distribution beyond the grid: there its weight has to be below exp of this. */
const outside = -13

/** A density over u, the logit of the mean rate m, and v = ln a; and what is the greatest of it. */
type Density = (u: number, v: number) => number

interface Point {
  readonly u: number
  readonly v: number
  readonly height: number
}

/** Both shares of a logit. */
const sharesOf = (u: number): { readonly m: number; readonly rest: number } => {
  const odds = Math.exp(-Math.abs(u))
  const rare = odds / (1 + odds)
  return u < 0 ? { m: rare, rest: 1 / (1 + odds) } : { m: 1 / (1 + odds), rest: rare }
}

/** κ = a / min(m, 1 - m). */
const concentration = (u: number, v: number): number => Math.exp(v) * (1 + Math.exp(Math.abs(u)))

/** A campaign's rates are Beta(alpha, beta); and ln Γ(alpha + beta) without ln Γ(beta), and without ln Γ(alpha). */
interface Rates extends Beta {
  readonly overBeta: number
  readonly overAlpha: number
}

const ratesOf = (alpha: number, beta: number): Rates => ({
  alpha,
  beta,
  overBeta: gammaStep(alpha, beta),
  overAlpha: gammaStep(beta, alpha)
})

/** ln of the chance of a tally of one campaign, up to a constant: it is beta-binomial. */
const logLikelihood = ({ successes, trials }: Tally, { alpha, beta, overAlpha, overBeta }: Rates): number => {
  const failures = trials - successes
  // Each way round is right; the rarer outcome makes the smaller gaps, which keep more digits.
  return successes <= failures
    ? gammaStep(successes, alpha) - gammaStep(alpha + successes, beta + failures) + overBeta
    : gammaStep(failures, beta) - gammaStep(beta + failures, alpha + successes) + overAlpha
}

/** Where a function of one number is greatest, to `least`, from a guess on; with what it is there. */
const climb = (f: (x: number) => number, from: number, step: number, least: number): { x: number; height: number } => {
  let x = from
  let height = f(x)
  for (let size = step; size > least; size /= 3) {
    for (const way of [size, -size]) {
      for (let next = f(x + way); next > height; next = f(x + way)) {
        x += way
        height = next
      }
    }
  }
  return { x, height }
}

const summit = (density: Density, from: number): Point => {
  let u = from
  let v = center
  let height = -Infinity
  for (let round = 0; round < 20; round++) {
    const before = height
    u = climb((x) => density(x, v), u, round === 0 ? 1 : 0.2, 0.02).x
    ;({ height, x: v } = climb((x) => density(u, x), v, 0.6, 0.05))
    if (height - before < 0.02) break
  }
  return { u, v, height }
}

/** How far from the summit the density has fallen to nothing, where `at` is what is left of it at a distance. */
const reachOf = (at: (distance: number) => number): number => {
  let near = 0
  let far = 0.25
  while (at(far) > -depth) {
    near = far
    far *= 1.5
  }
  for (let halving = 0; halving < 2; halving++) {
    const middle = (near + far) / 2
    if (at(middle) > -depth) near = middle
    else far = middle
  }
  return far
}

interface Interval {
  readonly low: number
  readonly high: number
}

/** The rectangle that holds all of a density that matters. */
const extentOf = (density: Density, { height, u, v }: Point): { readonly u: Interval; readonly v: Interval } => {
  const along = (way: number) => {
    let other = v
    return reachOf((distance) => {
      const x = u + way * distance
      const best = climb((y) => density(x, y), other, 0.3, 0.1)
      other = best.x
      const share = (logit: number) => (way > 0 ? sharesOf(logit).m : sharesOf(logit).rest)
      return best.height - height + 2 * Math.log(share(x) / share(u))
    })
  }
  const across = (way: number) => {
    let other = u
    return reachOf((distance) => {
      const best = climb((x) => density(x, v + way * distance), other, 0.3, 0.1)
      other = best.x
      return best.height - height
    })
  }
  return {
    u: { low: u - along(-1), high: u + along(1) },
    v: { low: v - across(-1), high: v + across(1) }
  }
}

/** A standard deviation by the curvature at the summit, at most that of the prior. */
const deviationOf = (left: number, middle: number, right: number, step: number, most: number): number =>
  Math.min(step / Math.sqrt(Math.max(2 * middle - left - right, 0)), most)

interface Node {
  readonly u: number
  readonly v: number
  readonly m: number
  readonly rest: number
  readonly concentration: number
  /** The area that it stands for. */
  readonly area: number
  readonly isOuter: boolean
}

const nodesOf = (density: Density, top: Point): ReadonlyArray<Node> => {
  const { u, v } = extentOf(density, top)
  const step = 0.1
  const deviationU = deviationOf(density(top.u - step, top.v), top.height, density(top.u + step, top.v), step, 1.8)
  const deviationV = deviationOf(
    density(top.u, top.v - step),
    top.height,
    density(top.u, top.v + step),
    step,
    deviation
  )
  const rows = Math.ceil((pointsOfShape * (v.high - v.low)) / deviationV)
  // The density has an edge at 0, where the other outcome becomes the rarer one.
  const parts =
    u.low < 0 && u.high > 0
      ? [
          { low: u.low, high: 0 },
          { low: 0, high: u.high }
        ]
      : [u]
  return parts.flatMap(({ high, low }) => {
    const half = (high - low) / 2
    const order = pointsOfMean.least + Math.ceil((pointsOfMean.each * (high - low)) / deviationU)
    const { points, weights } = gaussLegendre(order)
    return points.flatMap((point, index) => {
      const x = low + half * (1 + point)
      const { m, rest } = sharesOf(x)
      const isOuter = (low === u.low && index === order - 1) || (high === u.high && index === 0)
      return Array.from({ length: rows + 1 }, (_, row) => {
        const y = v.low + ((v.high - v.low) * row) / rows
        return {
          u: x,
          v: y,
          m,
          rest,
          concentration: concentration(x, y),
          area: (weights[index] ?? 0) * half,
          isOuter: isOuter || row === 0 || row === rows
        }
      })
    })
  })
}

/** The Beta distribution with the mean and variance of the next rate, and the greatest weight at the edge of the grid. */
const matched = (
  nodes: ReadonlyArray<Node>,
  logWeights: Float64Array
): { readonly beta: Beta; readonly edge: number } => {
  const greatest = logWeights.reduce((most, weight) => Math.max(most, weight), -Infinity)
  const weights = new Float64Array(nodes.length)
  let edge = -Infinity
  let total = 0
  let first = 0
  nodes.forEach(({ area, isOuter, m }, index) => {
    const height = (logWeights[index] ?? -Infinity) - greatest
    if (isOuter && height > edge) edge = height
    const weight = area * Math.exp(height)
    weights[index] = weight
    total += weight
    first += weight * m
  })
  const mean = first / total
  let second = 0
  nodes.forEach(({ concentration, m, rest }, index) => {
    const within = (m * rest) / (concentration + 1)
    second += (weights[index] ?? 0) * (within + (m - mean) * (m - mean))
  })
  const variance = second / total
  const cases = (mean * (1 - mean)) / variance - 1
  return { beta: { alpha: cases * mean, beta: cases * (1 - mean) }, edge }
}

/**
 * Learns a rate from past campaigns. Each of them has a rate of its own, Beta(κm, κ(1 - m)) with κ = a / min(m, 1 - m).
 * The mean m has the plan's share, from 0 to 1, as its own prior mean, Beta(kp, k(1 - p)) with k = 2 / min(p, 1 - p); ln a
 * is normal around ln 4 with a deviation of 0.7. The next campaign's rate is taken as the Beta distribution with the mean
 * and the variance of the posterior mixture, by quadrature over the logit of m and ln a; both are right to 1e-6.
 */
export const learnRate = (plan: number, tallies: ReadonlyArray<Tally>): LearnedRate => {
  const cases = worth / Math.min(plan, 1 - plan)
  const prior = (u: number, v: number): number => {
    const rare = Math.log1p(Math.exp(-Math.abs(u)))
    const [logM, logRest] = u < 0 ? [u - rare, -rare] : [-rare, -u - rare]
    const distance = (v - center) / deviation
    return cases * (plan * logM + (1 - plan) * logRest) - (distance * distance) / 2
  }
  const density = (u: number, v: number): number => {
    const { m, rest } = sharesOf(u)
    const kappa = concentration(u, v)
    const rates = ratesOf(kappa * m, kappa * rest)
    return tallies.reduce((sum, tally) => sum + logLikelihood(tally, rates), prior(u, v))
  }
  const successes = tallies.reduce((sum, tally) => sum + tally.successes, cases * plan)
  const failures = tallies.reduce((sum, { successes, trials }) => sum + trials - successes, cases * (1 - plan))
  const nodes = nodesOf(density, summit(density, Math.log(successes / failures)))
  const rates = nodes.map(({ concentration, m, rest }) => ratesOf(concentration * m, concentration * rest))
  const all = new Float64Array(nodes.length)
  nodes.forEach(({ u, v }, index) => {
    all[index] = prior(u, v)
  })
  const likelihoods = tallies.map((tally) => {
    const likelihood = new Float64Array(nodes.length)
    rates.forEach((each, index) => {
      const logarithm = logLikelihood(tally, each)
      likelihood[index] = logarithm
      all[index] = (all[index] ?? 0) + logarithm
    })
    return likelihood
  })
  return {
    all: matched(nodes, all).beta,
    without: (left) => {
      const others = tallies.filter((_, index) => index !== left)
      const likelihood = likelihoods[left]
      if (others.length === 0 || likelihood === undefined) return undefined
      const { beta, edge } = matched(
        nodes,
        all.map((weight, index) => weight - (likelihood[index] ?? 0))
      )
      return edge < outside ? beta : learnRate(plan, others).all
    }
  }
}
