/** A fraction of whole numbers. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** The exact distribution of a count: whole weights of 0, 1, 2, … and their sum. */
export interface ExactCounts {
  readonly weights: ReadonlyArray<bigint>
  readonly total: bigint
}

/** Binomial weights as whole numbers: C(n, k) aᵏ (b - a)ⁿ⁻ᵏ out of bⁿ, for a chance of a / b. */
export const exactBinomial = (trials: number, { denominator, numerator }: Fraction): ExactCounts => {
  const rest = denominator - numerator
  const total = denominator ** BigInt(trials)
  if (rest === 0n) return { weights: [...Array.from({ length: trials }, () => 0n), total], total }
  const weights: Array<bigint> = []
  let weight = rest ** BigInt(trials)
  for (let count = 0; count <= trials; count++) {
    weights.push(weight)
    weight = (weight * BigInt(trials - count) * numerator) / (BigInt(count + 1) * rest)
  }
  return { weights, total }
}

/** Beta-binomial weights, for whole alpha and beta: C(n, k) α⁽ᵏ⁾ β⁽ⁿ⁻ᵏ⁾ out of (α + β)⁽ⁿ⁾, in rising factorials. */
export const exactBetaBinomial = (trials: number, alpha: bigint, beta: bigint): ExactCounts => {
  const rising = (from: bigint, steps: number) =>
    Array.from({ length: steps }, (_, step) => from + BigInt(step)).reduce((product, each) => product * each, 1n)
  const weights: Array<bigint> = []
  let choose = 1n
  for (let count = 0; count <= trials; count++) {
    weights.push(choose * rising(alpha, count) * rising(beta, trials - count))
    choose = (choose * BigInt(trials - count)) / BigInt(count + 1)
  }
  return { weights, total: rising(alpha + beta, trials) }
}

/** The distribution of the sum of two independent counts. */
export const exactSum = (a: ExactCounts, b: ExactCounts): ExactCounts => {
  const weights = Array.from({ length: a.weights.length + b.weights.length - 1 }, () => 0n)
  for (const [i, x] of a.weights.entries()) {
    for (const [j, y] of b.weights.entries()) weights[i + j] = (weights[i + j] ?? 0n) + x * y
  }
  return { weights, total: a.total * b.total }
}

/** The weight of all counts from `low` to `high`. */
export const weightWithin = ({ weights }: ExactCounts, low: number, high = weights.length): bigint =>
  weights.slice(Math.max(low, 0), high + 1).reduce((sum, weight) => sum + weight, 0n)

/** The smallest count whose cumulative chance is at least `percent`%, compared exactly. */
export const exactQuantile = ({ total, weights }: ExactCounts, percent: bigint): number => {
  let sum = 0n
  return weights.findIndex((weight) => {
    sum += weight
    return sum * 100n >= total * percent
  })
}

/** A chance as shown in responses: rounded half up to 4 decimals, and 0 or 1 only if it is exactly that. */
export const exactChance = (weight: bigint, total: bigint): number => {
  if (weight === 0n || weight === total) return weight === 0n ? 0 : 1
  return Math.min(Math.max(Number((weight * 20_000n + total) / (2n * total)), 1), 9_999) / 10_000
}
