/** The range to search for the smallest sufficient number: from `least` to `greatest`, starting near `guess`. */
export interface SearchRange {
  readonly least: number
  readonly greatest: number
  readonly guess: number
}

/**
 * The smallest sufficient whole number, if every greater one is sufficient too; undefined if `greatest` is not.
 * Brackets it from the guess with doubling steps, then bisects.
 */
export const smallestEnough = (
  { greatest, guess, least }: SearchRange,
  isEnough: (value: number) => boolean
): number | undefined => {
  // `low` is known to be too little, `high` to be enough.
  let low = least - 1
  let high = Math.min(Math.max(Math.ceil(guess), least), greatest)
  for (let step = 1 + Math.floor(high / 8); !isEnough(high); step *= 2) {
    if (high === greatest) return undefined
    low = high
    high = Math.min(high + step, greatest)
  }
  for (let step = 1 + Math.floor(high / 8); high - step > low; step *= 2) {
    if (!isEnough(high - step)) {
      low = high - step
      break
    }
    high -= step
  }
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle
  }
  return high
}
