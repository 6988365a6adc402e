/** Plain sums over fine grids, which share nothing with what they check. */

/** ln of x(x + 1) … (x + steps - 1), by Stirling's series, which loses no digits where x is far above the steps. */
const lnRising = (x: number, steps: number): number => {
  if (x < 12) return Math.log(x) + lnRising(x + 1, steps) - Math.log(x + steps)
  const correction = (y: number) => (1 / 12 - (1 / 360 - 1 / 1260 / (y * y)) / (y * y)) / y
  const ratio = Math.log1p(steps / x)
  return steps * Math.log(x) + (x + steps - 0.5) * ratio - steps + correction(x + steps) - correction(x)
}

/** Both shares of a logit, without losing digits of the smaller one. */
const sharesOf = (logit: number) => ({ m: 1 / (1 + Math.exp(-logit)), rest: 1 / (1 + Math.exp(logit)) })

const grid = (from: number, to: number, steps: number): ReadonlyArray<number> =>
  Array.from({ length: steps + 1 }, (_, index) => from + ((to - from) * index) / steps)

/**
 * The smallest counts whose cumulative chance is at least each level, of trials that pass with `known` times a share
 * that is Beta(alpha, beta).
 */
export const quantilesOf = (
  trials: number,
  known: number,
  { alpha, beta }: { readonly alpha: number; readonly beta: number },
  levels: ReadonlyArray<number>
): ReadonlyArray<number> => {
  const nodes = grid(-25, 12, 6000).map((logit) => {
    const { m, rest } = sharesOf(logit)
    const p = known * m
    return { weight: Math.exp(alpha * Math.log(m) + beta * Math.log(rest)), p }
  })
  const total = nodes.reduce((sum, { weight }) => sum + weight, 0)
  const lnChances = nodes.map(({ p }) => trials * Math.log1p(-p))
  const found: Array<number> = []
  let cumulative = 0
  for (let count = 0; found.length < levels.length; count++) {
    for (const [index, { p, weight }] of nodes.entries()) {
      const lnChance = lnChances[index] ?? 0
      cumulative += (weight / total) * Math.exp(lnChance)
      lnChances[index] = lnChance + Math.log((trials - count) / (count + 1)) + Math.log(p) - Math.log1p(-p)
    }
    while (found.length < levels.length && cumulative >= (levels[found.length] ?? 1) - 1e-9) found.push(count)
  }
  return found
}

/** The mean and the standard deviation of the next campaign's rate after past ones, as docs/certainty.md describes it. */
export const learnedMoments = (
  planned: number,
  tallies: ReadonlyArray<{ readonly successes: number; readonly trials: number }>
): { readonly mean: number; readonly deviation: number } => {
  const cases = 2 / Math.min(planned, 1 - planned)
  const points = grid(-30, 30, 3000).flatMap((logit) => {
    const { m, rest } = sharesOf(logit)
    return grid(-9, 9, 150).map((deviations) => {
      const size = (4 * Math.exp(0.7 * deviations)) / Math.min(m, rest)
      const [alpha, beta] = [size * m, size * rest]
      const likelihood = tallies.reduce(
        (sum, { successes, trials }) =>
          sum + lnRising(alpha, successes) + lnRising(beta, trials - successes) - lnRising(alpha + beta, trials),
        0
      )
      const prior = cases * (planned * Math.log(m) + (1 - planned) * Math.log(rest)) - deviations ** 2 / 2
      return { m, within: (m * rest) / (size + 1), height: likelihood + prior }
    })
  })
  const top = points.reduce((most, { height }) => Math.max(most, height), -Infinity)
  let [total, first, second] = [0, 0, 0]
  for (const { height, m, within } of points) {
    const weight = Math.exp(height - top)
    total += weight
    first += weight * m
    second += weight * (m * m + within)
  }
  const mean = first / total
  return { mean, deviation: Math.sqrt(second / total - mean * mean) }
}
