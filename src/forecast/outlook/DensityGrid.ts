import { gaussLegendre } from "../counts/SpecialFunctions.ts"

/** The logarithm of a density over u, the logit of the mean rate m, and v = ln a; a says how much rates vary around m. */
export type Density = (u: number, v: number) => number

/** A point of a density, and its logarithm there. */
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

/**
 * Once the density, including that for the moments of either outcome, has fallen to exp of -this, it makes no
 * difference.
 */
const depth = 19

/** Points of the rules, for one standard deviation and in any case; equal steps are never wider than `widest`. */
const pointsOfMean = { equal: 1.4, widest: 0.3, each: 2.4, least: 8 }
const pointsOfShape = { one: 1.05, two: 1.25 }

/**
 * A density that spans more standard deviations of the prior of v has two humps or nearly, and the lower one may be
 * narrower.
 */
const spanOfOne = 10

/** The width of the narrowest density that any counts lead to. */
const narrowest = 1e-9

/** A step that costs less than this much height is as good as none. */
const flat = 0.5

/**
 * The maximum of a function of one number and its place, searched from a guess. The steps shrink to `least`, and
 * further if the function is so steep that this still makes a difference.
 */
const maximize = (
  f: (x: number) => number,
  from: number,
  step: number,
  least: number
): { x: number; height: number } => {
  let x = from
  let height = f(x)
  let isSteep = true
  for (let size = step; size > least || (isSteep && size > narrowest); size /= 3) {
    isSteep = false
    for (const way of [size, -size]) {
      let next = f(x + way)
      for (; next > height; next = f(x + way)) {
        x += way
        height = next
      }
      isSteep ||= next < height - flat
    }
  }
  return { x, height }
}

/** The mode of a density, searched from a guess. */
const modeOf = (density: Density, from: Pick<Point, "u" | "v">): Point => {
  let { u, v } = from
  let height = -Infinity
  for (let round = 0; round < 20; round++) {
    const before = height
    u = maximize((x) => density(x, v), u, round === 0 ? 1 : 0.2, 0.02).x
    ;({ height, x: v } = maximize((x) => density(u, x), v, 0.6, 0.05))
    if (height - before < 0.02) break
  }
  return { u, v, height }
}

/** The distance from the mode at which the density is negligible; `heightAt` is its height at a distance. */
const reachOf = (heightAt: (distance: number) => number): number => {
  let near = 0
  let far = 0.25
  while (heightAt(far) > -depth) {
    near = far
    far *= 1.5
  }
  // The rates of large campaigns that hardly differ leave a density far narrower than the first step.
  for (let halving = 0; halving < 2 && far > narrowest;) {
    const middle = (near + far) / 2
    if (heightAt(middle) > -depth) near = middle
    else far = middle
    if (near > 0) halving++
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
      const best = maximize((y) => density(x, y), other, 0.3, 0.1)
      other = best.x
      const share = (logit: number) => (way > 0 ? sharesOf(logit).m : sharesOf(logit).rest)
      return best.height - height + 2 * Math.log(share(x) / share(u))
    })
  }
  const across = (way: number) => {
    let other = u
    return reachOf((distance) => {
      const best = maximize((x) => density(x, v + way * distance), other, 0.3, 0.1)
      other = best.x
      return best.height - height
    })
  }
  return {
    u: { low: u - along(-1), high: u + along(1) },
    v: { low: v - across(-1), high: v + across(1) }
  }
}

/** The standard deviation that the curvature at the mode implies, at most that of the prior. */
const deviationOf = (left: number, middle: number, right: number, step: number, most: number): number =>
  Math.min(step / Math.sqrt(Math.max(2 * middle - left - right, 0)), most)

/**
 * A column of points with the same logit u: both of its shares, the odds exp |u|, and the interval of u that it
 * represents.
 */
interface Column {
  readonly u: number
  readonly m: number
  readonly rest: number
  readonly odds: number
  readonly length: number
  readonly isOuter: boolean
}

/**
 * The points at which a density is evaluated: columns of u with the same rows of v each, in one array, column by
 * column.
 */
export interface Grid {
  readonly columns: ReadonlyArray<Column>
  readonly rows: ReadonlyArray<{ readonly v: number; readonly shape: number }>
  /** 1 / (κ + 1) at each point, for κ = a / min(m, 1 - m): the part of m(1 - m) that a campaign's rate varies by. */
  readonly spreads: Float64Array
}

/**
 * Points of an interval of u with the lengths that they represent. Equal steps need a third of the points of another
 * rule, unless the density has an edge in between, at 0, where the other outcome becomes the rarer one.
 */
const meansOf = ({ high, low }: Interval, deviation: number) => {
  const length = high - low
  if (low >= 0 || high <= 0) {
    // Few cases lead to a lopsided density, whose curvature at the mode says little about its slopes.
    const steps = Math.ceil(length / Math.min(deviation / pointsOfMean.equal, pointsOfMean.widest))
    return Array.from({ length: steps + 1 }, (_, index) => {
      const isOuter = index === 0 || index === steps
      return { x: low + (length * index) / steps, length: length / steps, isOuter }
    })
  }
  return [
    { from: low, to: 0 },
    { from: 0, to: high }
  ].flatMap(({ from, to }) => {
    const half = (to - from) / 2
    const order = pointsOfMean.least + Math.ceil((pointsOfMean.each * (to - from)) / deviation)
    const { points, weights } = gaussLegendre(order)
    return points.map((point, index) => ({
      x: from + half * (1 + point),
      length: (weights[index] ?? 0) * half,
      isOuter: (from === low && index === order - 1) || (to === high && index === 0)
    }))
  })
}

/** The grid for a density, whose mode is searched from a guess; the prior deviation of v bounds that of the density. */
export const gridOf = (density: Density, guess: Pick<Point, "u" | "v">, deviation: number): Grid => {
  const top = modeOf(density, guess)
  const { u, v } = extentOf(density, top)
  const step = 0.1
  const stepU = Math.min(step, (u.high - u.low) / 16)
  const deviationU = deviationOf(density(top.u - stepU, top.v), top.height, density(top.u + stepU, top.v), stepU, 1.8)
  const deviationV = deviationOf(
    density(top.u, top.v - step),
    top.height,
    density(top.u, top.v + step),
    step,
    deviation
  )
  const points = v.high - v.low > spanOfOne * deviation ? pointsOfShape.two : pointsOfShape.one
  const steps = Math.ceil((points * (v.high - v.low)) / deviationV)
  const columns = meansOf(u, deviationU).map(({ isOuter, length, x }) => ({
    u: x,
    ...sharesOf(x),
    odds: Math.exp(Math.abs(x)),
    length,
    isOuter
  }))
  const rows = Array.from({ length: steps + 1 }, (_, row) => {
    const y = v.low + ((v.high - v.low) * row) / steps
    return { v: y, shape: Math.exp(y) }
  })
  const spreads = columns.flatMap(({ odds }) => rows.map(({ shape }) => 1 / (shape * (1 + odds) + 1)))
  return { columns, rows, spreads: Float64Array.from(spreads) }
}
