import {
  type Decimal,
  compare,
  complementToDouble,
  hundred,
  one,
  percentOf,
  type Ratio,
  times,
  toDouble,
  whole,
  zero,
  plus,
  isZero
} from "../../forecast/Decimal.ts"
import { binomial, type Counts, SummedCounts } from "../../forecast/counts/Counts.ts"
import { membersOf } from "../../campaign/Fields.ts"
import { type Campaign, eachRate, type PerRate, type StageName, stageNames } from "../../forecast/Campaign.ts"
import {
  beliefsOf,
  judgingShapes,
  type Posterior,
  priorOf,
  type RateBelief,
  type RateBeliefs
} from "../../forecast/outlook/Posterior.ts"
import { decidedBelief } from "./decidedBelief.ts"
import { type Decided, decidedCases, type InFlight, openOf, type SoFar, stepOf, unlikely } from "./DecidedCases.ts"
import { afterRate, countsOf, everyEmail, type Stage } from "../../forecast/outlook/CampaignOutlook.ts"
import type { PassChance } from "../../forecast/counts/SplineThinning.ts"
import { countsOfSpline } from "../../forecast/counts/Spline.ts"
import { makeThinning, type People } from "../../forecast/counts/Thinning.ts"

/** The beliefs about the rates of the plan, after its decided cases. */
export const beliefsNow = (flight: InFlight): RateBeliefs => {
  const decided = decidedCases(flight)
  return eachRate(beliefsOf(flight.plan), (planned, name): RateBelief => {
    const cases = decided[name]
    if (cases === undefined || cases.cases === 0) return planned
    const { rate } = planned
    const belief = decidedBelief(priorOf(flight.plan, name, rate), rate, cases)
    // Nothing changes a rate of 100.
    return { name, rate, belief, basis: compare(rate, hundred) === 0 ? "as_given" : "so_far" }
  })
}

/** Counts of further people, shifted by the number already there. */
const onTop = (counts: Counts, base: number): Counts => ({
  least: base + counts.least,
  most: base + counts.most,
  atLeast: (count) => counts.atLeast(count - base),
  smallestReaching: (level) => base + counts.smallestReaching(level)
})

/** The number of people at a stage when the campaign is over. */
export interface StageEnd {
  readonly counts: Counts
  /** The exact mean. */
  readonly expected: Ratio
}

const nobody = (): Counts => new SummedCounts(binomial(1, 0, 1), 0, 0)

const summed = (people: People, least: number, most: number): Counts => {
  if ("ends" in people) return countsOfSpline(people, least, most)
  let sum = 0
  const sums = people.values.map((chance) => (sum += chance))
  return new SummedCounts({ lowest: people.lowest, sums, first: 0, last: sums.length - 1 }, least, most)
}

const passChanceOf = (belief: Posterior | Decimal): PassChance => {
  if (!("alpha" in belief)) return { known: toDouble(belief), rest: complementToDouble(belief) }
  // The mean of a very small rate underflows a double.
  return belief.beta < Infinity ? belief : { known: 0, rest: 1 }
}

/** People who all start at the same stage. Where open cases join them, a distribution of counts takes its place. */
interface OneSource {
  readonly people: number
  readonly stage: Stage
}

const meanOf = (belief: Posterior | Decimal): Ratio =>
  "alpha" in belief ? belief.mean : { numerator: belief, denominator: one }

const plusCount = ({ denominator, numerator }: Ratio, count: number): Ratio => ({
  numerator: plus(numerator, times(whole(count), denominator)),
  denominator
})

const product = (a: Ratio, b: Ratio): Ratio => ({
  numerator: times(a.numerator, b.numerator),
  denominator: times(a.denominator, b.denominator)
})

/** A rate as known now, with its open cases, and a function to the number of people whom it lets pass. */
interface Gate {
  readonly belief: Posterior | Decimal
  readonly open: number
  readonly to: keyof SoFar
  readonly thin: ReturnType<typeof makeThinning>
}

const gatesOf = (flight: InFlight): ReadonlyArray<Gate> =>
  Object.values<RateBelief>(beliefsNow(flight)).map(({ belief, name }) => {
    const step = stepOf(flight.plan, name)
    return { belief, open: openOf(flight, step), to: step.to, thin: makeThinning(passChanceOf(belief)) }
  })

type End = { readonly [stage in StageName]: StageEnd }

const endAfter = (gates: ReadonlyArray<Gate>, soFar: SoFar, emails: number): End => {
  const ends = new Map<keyof SoFar, StageEnd>()
  const passed: Array<Gate> = []
  let source: OneSource | undefined = { people: emails, stage: everyEmail }
  let people: People = { lowest: emails, values: Float64Array.of(1) }
  let expected: Ratio = { numerator: whole(emails), denominator: one }
  let [least, most] = [emails, emails]
  for (const gate of gates) {
    const { belief, open, to } = gate
    if (source !== undefined && open > 0) source = most === 0 ? { people: open, stage: everyEmail } : undefined
    if (source === undefined) {
      people = [...passed.splice(0), gate].reduce<People>((before, next) => next.thin(before, next.open), people)
    } else {
      source = { people: source.people, stage: afterRate(source.stage, belief) }
      passed.push(gate)
    }
    const isCertain = !("alpha" in belief) && compare(belief, one) === 0
    const isImpossible = !("alpha" in belief) && isZero(belief)
    expected = product(plusCount(expected, open), meanOf(belief))
    least = isCertain ? least + open : 0
    most = isImpossible ? 0 : most + open
    const counts =
      most === 0 ? nobody() : source === undefined ? summed(people, least, most) : countsOf(source.stage, source.people)
    const base = soFar[to] ?? 0
    ends.set(to, { counts: onTop(counts, base), expected: plusCount(expected, base) })
  }
  return membersOf(
    stageNames,
    (stage) => ends.get(stage) ?? { counts: nobody(), expected: { numerator: zero, denominator: one } }
  )
}

/**
 * Creates a function to the end of a campaign in flight that sends this many more emails. At each step open cases pass
 * with the same unknown rate as new ones. Where open cases join others, the distribution is summed over all counts, or
 * in steps if they are many; elsewhere it is a forecast.
 */
export const endsOf = (flight: InFlight): ((emails: number) => End) => {
  const gates = gatesOf(flight)
  return (emails) => endAfter(gates, flight.soFar, emails)
}

/** An observed rate compared with its plan; all null if nothing is decided. */
export interface AgainstThePlan {
  /** The chance of a result at least this far from the plan if the planned rate were exact; 1 if it is met. */
  readonly by_chance_alone: number | null
  /**
   * The same, given how rates vary between campaigns; null too if that is unknown. Positive replies, of which nothing
   * is published, are taken to vary as replies do.
   */
  readonly as_campaigns_vary: number | null
  readonly verdict: "below" | "above" | "as_planned" | null
}

/** Compares the decided cases of a rate with its plan. */
export const against = (
  plan: Campaign,
  { cases, passed, planned, rate }: Pick<Decided, "cases" | "passed" | "planned" | "rate">
): AgainstThePlan => {
  if (cases <= 0) return { by_chance_alone: null, as_campaigns_vary: null, verdict: null }
  const sign = compare(times(whole(passed), hundred), times(whole(cases), planned))
  const tail = (counts: Counts) => (sign === 0 ? 1 : sign < 0 ? 1 - counts.atLeast(passed + 1) : counts.atLeast(passed))
  const alone = tail(countsOf({ known: percentOf(one, planned), uncertain: [] }, cases))
  const prior = priorOf(plan, rate, planned, judgingShapes)
  const varying = prior === undefined ? null : tail(countsOf({ known: one, uncertain: [prior] }, cases))
  const isUnlikely = varying === null ? alone < unlikely.exact : varying < unlikely.varying
  return {
    by_chance_alone: alone,
    as_campaigns_vary: varying,
    verdict: !isUnlikely || sign === 0 ? "as_planned" : sign < 0 ? "below" : "above"
  }
}

/** A rate with its decided cases and how they compare with the plan. */
export type Compared = Decided & AgainstThePlan

/** The chance that the verdict on a rate rests on: 2 if nothing is decided. */
export const decidingChance = ({ as_campaigns_vary: varying, by_chance_alone: alone }: AgainstThePlan): number =>
  varying ?? alone ?? 2

/** The rate with the smallest deciding chance among those that match. */
export const leastLikely = (compared: PerRate<Compared>, matches: (rate: Compared) => boolean): Compared | undefined =>
  Object.values<Compared>(compared)
    .filter(matches)
    .toSorted((a, b) => decidingChance(a) - decidingChance(b))[0]

/** Compares each rate of a campaign in flight with its plan. */
export const againstThePlan = (flight: InFlight): PerRate<Compared> =>
  eachRate(decidedCases(flight), (decided) => ({ ...decided, ...against(flight.plan, decided) }))

/** The rate that is below its plan with the smallest chance. */
export const weakestOf = (compared: PerRate<Compared>): Compared | undefined =>
  leastLikely(compared, ({ verdict }) => verdict === "below")

/** None, a quarter, half, three quarters and all of the remaining emails, rounded up, without duplicates. */
export const sendings = (left: number): ReadonlyArray<number> => [
  ...new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.ceil(part * left)))
]
