import { makeRecent } from "../../Recent.ts"

/** How many of the most recently used buckets are kept at least. */
const leastKept = 10_000

/** A remainder of floating-point arithmetic is not a missing token. */
const rounding = 1e-6

/**
 * Token buckets by name, in the memory of this process: each holds `size` tokens, and an empty one is full again after
 * `refill` milliseconds. `now` is in milliseconds, from a monotonic clock; should it go back, the wait is
 * no longer than for an empty bucket.
 */
export const makeTokenBuckets = ({ refill, size }: { readonly size: number; readonly refill: number }) => {
  const interval = refill / size
  /** When each is full again. */
  const fullAt = makeRecent<string, number>(leastKept)

  const fullTime = (name: string, now: number) => Math.min(Math.max(fullAt.get(name) ?? now, now), now + refill)

  return {
    /** Takes a token if there is one. Returns the milliseconds until there is one. */
    take: (name: string, now: number): number => {
      const before = fullTime(name, now)
      const wait = before + interval - (now + refill)
      const isTaken = wait < interval * rounding
      fullAt.set(name, isTaken ? before + interval : before)
      return isTaken ? 0 : wait
    },
    /** Takes this many tokens, or all that there are. */
    spend: (name: string, count: number, now: number): void => fullAt.set(name, fullTime(name, now) + count * interval),
    /** How many tokens there are, parts of the next one included. */
    left: (name: string, now: number): number => (now + refill - fullTime(name, now)) / interval + rounding
  }
}
