import { makeLruCache } from "./LruCache.ts"

/** How many of the most recently used buckets are kept at least. */
const minKept = 10_000

/** Tolerance for floating-point rounding, in tokens. */
const rounding = 1e-6

/**
 * Token buckets by name, in the memory of this process: each holds `size` tokens, and an empty one is full again after
 * `refill` milliseconds. `now` is in milliseconds, from a monotonic clock; if it goes back, the wait is no longer than
 * for an empty bucket.
 */
export const makeTokenBuckets = ({ refill, size }: { readonly size: number; readonly refill: number }) => {
  const interval = refill / size
  /** The time when each bucket is full again. */
  const fullAt = makeLruCache<string, number>(minKept)

  const fullTime = (name: string, now: number) => Math.min(Math.max(fullAt.get(name) ?? now, now), now + refill)

  return {
    /**
     * Takes this many tokens, or as many as a full bucket has, if they are there. Returns the milliseconds to wait for them,
     * 0 if they were taken.
     */
    take: (name: string, now: number, count = 1): number => {
      const time = interval * Math.min(count, size)
      const before = fullTime(name, now)
      const wait = before + time - (now + refill)
      const isTaken = wait < interval * rounding
      fullAt.set(name, isTaken ? before + time : before)
      return isTaken ? 0 : wait
    },
    /** Takes this many tokens, or all that are left; a negative number gives tokens back. */
    spend: (name: string, count: number, now: number): void => fullAt.set(name, fullTime(name, now) + count * interval)
  }
}
