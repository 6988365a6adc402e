/** How many buckets are kept at most; beyond that, the one that was not used for the longest time is forgotten. */
const mostKept = 10_000

/** A remainder of floating-point arithmetic is not a missing token. */
const rounding = 1e-6

/**
 * Token buckets by name, in the memory of this process: each holds `size` tokens, and an empty one is full again after
 * `refill` milliseconds. `now` is in milliseconds, of a clock that nobody sets; one that goes back makes nobody wait longer
 * than an empty bucket does.
 */
export const makeTokenBuckets = ({ refill, size }: { readonly size: number; readonly refill: number }) => {
  const interval = refill / size
  /** When each is full again, in the order of their last use. */
  const fullAt = new Map<string, number>()

  const fullTime = (name: string, now: number) => Math.min(Math.max(fullAt.get(name) ?? now, now), now + refill)

  const set = (name: string, time: number) => {
    fullAt.delete(name)
    fullAt.set(name, time)
    if (fullAt.size <= mostKept) return
    for (const oldest of fullAt.keys()) {
      fullAt.delete(oldest)
      return
    }
  }

  return {
    /** Takes a token; where there is none, nothing is taken. Returns how many milliseconds it takes until there is one. */
    take: (name: string, now: number): number => {
      const before = fullTime(name, now)
      const wait = before + interval - (now + refill)
      const isTaken = wait < interval * rounding
      set(name, isTaken ? before + interval : before)
      return isTaken ? 0 : wait
    },
    /** Takes this many tokens, or all that there are. */
    spend: (name: string, count: number, now: number): void => set(name, fullTime(name, now) + count * interval),
    /** How many tokens there are, parts of the next one included. */
    left: (name: string, now: number): number => (now + refill - fullTime(name, now)) / interval + rounding
  }
}
