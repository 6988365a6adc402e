import { toDouble } from "../../../src/forecast/Decimal.ts"
import type { RateBelief } from "../../../src/forecast/outlook/Posterior.ts"
import { beliefsNow } from "../../../src/extensions/progress/InFlight.ts"
import { type Decided, decidedCases, type InFlight } from "../../../src/extensions/progress/DecidedCases.ts"

/**
 * The clients at the end of a campaign in flight, drawn at random person by person, by the urn model with which the
 * rates are learned.
 */
export const simulateEnds = (
  flight: InFlight,
  emailsLeft: number,
  { random, ends }: { readonly random: () => number; readonly ends: number }
): ReadonlyArray<number> => {
  const opens = new Map(Object.values<Decided>(decidedCases(flight)).map(({ open, rate }) => [rate, open]))
  const steps = Object.values<RateBelief>(beliefsNow(flight)).map(({ belief, name }) => ({
    open: opens.get(name) ?? 0,
    ...("alpha" in belief
      ? { passed: belief.alpha, all: belief.alpha + belief.beta, drawn: 1 }
      : { passed: toDouble(belief), all: 1, drawn: 0 })
  }))
  return Array.from({ length: ends }, () => {
    let people = emailsLeft
    for (const { all, drawn, open, passed } of steps) {
      let passing = 0
      for (let person = 0; person < people + open; person++) {
        if (random() * (all + drawn * person) < passed + drawn * passing) passing++
      }
      people = passing
    }
    return flight.soFar.clients + people
  })
}

/** The largest difference between the shares and the chances of simulated ends, in standard errors. */
export const worstError = (ends: ReadonlyArray<number>, atLeast: (count: number) => number, most: number): number => {
  const errors = Array.from({ length: most }, (_, index) => {
    const chance = atLeast(index + 1)
    const share = ends.filter((end) => end >= index + 1).length / ends.length
    const error = Math.sqrt((chance * (1 - chance)) / ends.length)
    return error === 0 ? 0 : Math.abs(share - chance) / error
  })
  return Math.max(...errors)
}
