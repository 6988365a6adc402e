/** The points of a rule on the interval from -1 to 1, with their weights. */
export interface Rule {
  readonly points: ReadonlyArray<number>
  readonly weights: ReadonlyArray<number>
}

const compute = (order: number): Rule => {
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
  const rule = rules.get(order) ?? compute(order)
  rules.set(order, rule)
  return rule
}
