/** How many refusals are answered in each step, and how long a step is, in milliseconds: 1,000 a second. */
const perStep = 10
const step = 10

/** How many may wait for their refusal. */
const mostWaiting = 5000

/**
 * Paces refusals that cost their sender nothing: who sends the next request as soon as one is refused would otherwise
 * keep the event loop from everybody else's work. A few are answered at once, the others in their turn. The time is
 * always real: senders have no clock of a test.
 */
export const makeRefusalPace = () => {
  const waiting: Array<() => void> = []
  let left = perStep
  let timer: NodeJS.Timeout | undefined

  const next = () => {
    left = perStep
    for (const refuse of waiting.splice(0, perStep)) {
      left--
      refuse()
    }
    timer = left < perStep ? setTimeout(next, step) : undefined
  }

  /** Calls `refuse` in its turn; false, and it is never called, where too many wait. */
  return (refuse: () => void): boolean => {
    if (waiting.length >= mostWaiting) return false
    timer ??= setTimeout(next, step)
    if (left > 0) {
      left--
      refuse()
    } else {
      waiting.push(refuse)
    }
    return true
  }
}
