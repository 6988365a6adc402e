import type { Counts } from "./Counts.ts"

/** A chance between 0 and 1, for an answer: to 4 decimals, and never rounded to 0 or 1. */
export const roundChance = (chance: number): number =>
  Math.min(Math.max(Math.round(chance * 10_000), 1), 9_999) / 10_000

/** The chance of at least `count`, for an answer; 0 and 1 only where it is exactly that. */
export const chanceOfAtLeast = (counts: Counts, count: number): number => {
  if (count <= counts.least) return 1
  return count > counts.most ? 0 : roundChance(counts.atLeast(count))
}

/** The chance of a count of 0, for an answer. */
export const chanceOfNone = (counts: Counts): number => {
  if (counts.most === 0) return 1
  return counts.least > 0 ? 0 : roundChance(1 - counts.atLeast(1))
}

/** The chance of a count from `low` to `high`, at least one of which is possible, for an answer. */
export const chanceWithin = (counts: Counts, low: number, high: number): number =>
  low <= counts.least && high >= counts.most ? 1 : roundChance(counts.atLeast(low) - counts.atLeast(high + 1))
