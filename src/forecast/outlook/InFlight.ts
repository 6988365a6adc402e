import type { BigDecimal } from "effect"
import { countsOfRate, type OptionalRate, type PassedName, type RequiredRate } from "../../campaign/Rates.ts"
import { compare, percentOf, times } from "../Decimal.ts"
import { binomial } from "./Binomial.ts"
import { type Campaign, type Observation, type RateName, rateNames } from "./Campaign.ts"
import type { Counts } from "./Counts.ts"
import { complementToDouble, hundred, one, toDouble, whole } from "./Exact.ts"
import { beliefOf, type Posterior } from "./Posterior.ts"
import { countsOf } from "./StageCounts.ts"
import { behind, everyEmail, type Stage, type StageName } from "./Stages.ts"
import { SummedCounts } from "./SummedCounts.ts"
import { type Chances, type Passing, thin } from "./Thinning.ts"

type Decimal = BigDecimal.BigDecimal

/** What has happened until now: whole numbers, none above the one before it. */
export type SoFar = { readonly emails_sent: number } & {
  readonly [Rate in RequiredRate as PassedName<Rate>]: number
} & { readonly [Rate in OptionalRate as PassedName<Rate>]?: number }

/** How many of each are undecided: at most those that have not come as far as the next count. */
export type Open = { readonly emails: number } & {
  readonly [Count in Exclude<PassedName, "delivered" | "clients">]: number
}

/** A campaign of which a part is sent. Its plan has no evidence of its own. */
export interface InFlight {
  readonly plan: Campaign
  readonly soFar: SoFar
  readonly open: Open
}

interface Step {
  readonly rate: RateName
  readonly from: keyof SoFar
  readonly to: keyof SoFar
  readonly open: keyof Open | undefined
}

/** What may be undecided of the cases of a rate: whether an email was delivered is known at once. */
const openAt = ({ successes, trials }: ReturnType<typeof countsOfRate>): keyof Open | undefined => {
  if (successes === "delivered" || trials === "clients") return undefined
  return trials === "emails_sent" || trials === "delivered" ? "emails" : trials
}

const stepsOf = (campaign: Campaign): ReadonlyArray<Step> =>
  rateNames
    .filter((rate) => campaign[rate] !== undefined)
    .map((rate) => {
      const counts = countsOfRate(campaign, rate)
      return { rate, from: counts.trials, to: counts.successes, open: openAt(counts) }
    })

const openOf = ({ open }: InFlight, step: Step): number => (step.open === undefined ? 0 : open[step.open])

/** The decided cases of a step, and how many of them passed. */
const decidedOf = (flight: InFlight, step: Step): { readonly passed: number; readonly cases: number } => ({
  passed: flight.soFar[step.to] ?? 0,
  cases: (flight.soFar[step.from] ?? 0) - openOf(flight, step)
})

/** The rates that cannot be true: 100 with a decided failure, 0 with a decided success. */
export const contradictedRates = (flight: InFlight): ReadonlyArray<RateName> =>
  stepsOf(flight.plan).flatMap((step) => {
    const rate = flight.plan[step.rate]
    if (rate === undefined) return []
    const { cases, passed } = decidedOf(flight, step)
    const isContradicted = (rate.value === 0n && passed > 0) || (compare(rate, hundred) === 0 && passed < cases)
    return isContradicted ? [step.rate] : []
  })

/** The plan with its decided cases as evidence: the rates of the campaign as they are known now. */
export const knownNow = (flight: InFlight): Campaign => {
  const evidence: { [rate in RateName]?: Observation } = {}
  for (const step of stepsOf(flight.plan)) {
    const { cases, passed } = decidedOf(flight, step)
    if (cases > 0) evidence[step.rate] = { observed: whole(passed), out_of: whole(cases) }
  }
  return { ...flight.plan, evidence }
}

/** A count that some of are there already. */
class CountsOnTop implements Counts {
  readonly least: number
  readonly most: number
  readonly counts: Counts
  readonly base: number

  constructor(counts: Counts, base: number) {
    this.least = base + counts.least
    this.most = base + counts.most
    this.counts = counts
    this.base = base
  }

  atLeast(count: number): number {
    return this.counts.atLeast(count - this.base)
  }

  smallestReaching(level: number): number {
    return this.base + this.counts.smallestReaching(level)
  }
}

/** The end of a stage: how many there will have been. */
export interface StageEnd {
  readonly counts: Counts
  readonly expected: number
}

const nobody = (): Counts => new SummedCounts(binomial(1, 0, 1), 0, 0)

const summed = ({ lowest, values }: Chances, least: number, most: number): Counts => {
  let sum = 0
  const sums = values.map((chance) => (sum += chance))
  return new SummedCounts({ lowest, sums, first: 0, last: sums.length - 1 }, least, most)
}

const passingOf = (belief: Posterior | Decimal): Passing => {
  if (!("alpha" in belief)) return { known: toDouble(belief), rest: complementToDouble(belief) }
  // A rate may be too small for a double.
  return belief.beta < Infinity ? belief : { known: 0, rest: 1 }
}

/** A number of people who all pass the same rates; those of two sources, who do not, have chances instead. */
interface OneSource {
  readonly people: number
  readonly stage: Stage
}

const meanOf = (belief: Posterior | Decimal): number =>
  "alpha" in belief ? toDouble(belief.mean.numerator) / toDouble(belief.mean.denominator) : toDouble(belief)

/**
 * How a campaign in flight ends if it sends this many emails more. At each step the open cases pass with the same unknown
 * rate as the new ones. Where open cases join others it takes sums, in a time that grows with the square of the counts;
 * else it is a forecast of its own.
 */
export const endOf = (flight: InFlight, emails: number): { readonly [stage in StageName]: StageEnd } => {
  const campaign = knownNow(flight)
  const ends = new Map<keyof SoFar, StageEnd>()
  const passed: Array<{ readonly open: number; readonly passing: Passing }> = []
  let source: OneSource | undefined = { people: emails, stage: everyEmail }
  let chances: Chances = { lowest: emails, values: Float64Array.of(1) }
  let [expected, least, most] = [emails, emails, emails]
  for (const step of stepsOf(flight.plan)) {
    const belief = beliefOf(campaign, step.rate, campaign[step.rate] ?? hundred)
    const passing = passingOf(belief)
    const open = openOf(flight, step)
    if (source !== undefined && open > 0) source = most === 0 ? { people: open, stage: everyEmail } : undefined
    if (source === undefined) {
      chances = [...passed.splice(0), { open, passing }].reduce(
        (before, next) => thin(before, next.open, next.passing),
        chances
      )
    } else {
      source = { people: source.people, stage: behind(source.stage, belief) }
      passed.push({ open, passing })
    }
    const isCertain = !("alpha" in belief) && compare(belief, one) === 0
    const isImpossible = !("alpha" in belief) && belief.value === 0n
    expected = (expected + open) * meanOf(belief)
    least = isCertain ? least + open : 0
    most = isImpossible ? 0 : most + open
    const counts =
      most === 0
        ? nobody()
        : source === undefined
          ? summed(chances, least, most)
          : countsOf(source.stage, source.people)
    const base = flight.soFar[step.to] ?? 0
    ends.set(step.to, { counts: new CountsOnTop(counts, base), expected: base + expected })
  }
  const end = (stage: StageName): StageEnd => ends.get(stage) ?? { counts: nobody(), expected: 0 }
  return {
    replies: end("replies"),
    positive_replies: end("positive_replies"),
    meetings: end("meetings"),
    clients: end("clients")
  }
}

/** What was observed of a rate beside its plan; all null where nothing is decided. */
export interface AgainstThePlan {
  /** The share of decided cases that passed. */
  readonly observed: number | null
  /** The chance of as few or fewer, or of as many or more, if the plan's rate were exact: 1 where it is met. */
  readonly by_chance_alone: number | null
  /** The same as rates vary between campaigns; null also where the plan knows no variation. */
  readonly as_campaigns_vary: number | null
  readonly verdict: "below" | "above" | "as_planned" | null
}

/** Below these chances an observation is not as planned: where rates vary, and where the plan is taken as exact. */
const unlikely = { varying: 0.1, exact: 0.01 }

const undecided: AgainstThePlan = { observed: null, by_chance_alone: null, as_campaigns_vary: null, verdict: null }

const against = (flight: InFlight, step: Step, rate: Decimal): AgainstThePlan => {
  const { cases, passed } = decidedOf(flight, step)
  if (cases <= 0) return undecided
  const sign = compare(times(whole(passed), hundred), times(whole(cases), rate))
  const tail = (counts: Counts) => (sign === 0 ? 1 : sign < 0 ? 1 - counts.atLeast(passed + 1) : counts.atLeast(passed))
  const alone = tail(countsOf({ known: percentOf(one, rate), uncertain: [] }, cases))
  const belief = beliefOf(flight.plan, step.rate, rate)
  const varying = "alpha" in belief ? tail(countsOf({ known: one, uncertain: [belief] }, cases)) : null
  const isUnlikely = varying === null ? alone < unlikely.exact : varying < unlikely.varying
  return {
    observed: passed / cases,
    by_chance_alone: alone,
    as_campaigns_vary: varying,
    verdict: !isUnlikely || sign === 0 ? "as_planned" : sign < 0 ? "below" : "above"
  }
}

/** Each rate of a campaign in flight beside its plan, and the one that falls short of it beyond doubt the most. */
export const againstThePlan = (
  flight: InFlight
): { readonly rates: { readonly [rate in RateName]?: AgainstThePlan }; readonly weakest: RateName | null } => {
  const rates: { [rate in RateName]?: AgainstThePlan } = {}
  let weakest: RateName | null = null
  let smallest = Infinity
  for (const step of stepsOf(flight.plan)) {
    const rate = flight.plan[step.rate]
    if (rate === undefined) continue
    const result = against(flight, step, rate)
    rates[step.rate] = result
    const chance = result.as_campaigns_vary ?? result.by_chance_alone
    if (result.verdict === "below" && chance !== null && chance < smallest) {
      smallest = chance
      weakest = step.rate
    }
  }
  return { rates, weakest }
}

/** Nothing, a quarter, a half, three quarters and all of the emails that are left, rounded up, each once. */
export const sendings = (left: number): ReadonlyArray<number> => [
  ...new Set([0, 0.25, 0.5, 0.75, 1].map((part) => Math.ceil(part * left)))
]
