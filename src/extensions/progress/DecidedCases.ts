import {
  type CountName,
  countsOfRate,
  isOptional,
  type OpenName,
  openNames,
  type OptionalRate,
  type PassedName,
  rateBefore,
  rateNames,
  rates,
  type RequiredRate
} from "../../campaign/Rates.ts"
import { fields, membersOf } from "../../campaign/Fields.ts"
import { type Decimal, compare, hundred, isZero } from "../../forecast/Decimal.ts"
import { type Campaign, eachRate, type PerRate, type RateName } from "../../forecast/Campaign.ts"

/** The results so far: whole numbers, none greater than the one before it. */
export type SoFar = { readonly emails_sent: number } & {
  readonly [Rate in RequiredRate as PassedName<Rate>]: number
} & { readonly [Rate in OptionalRate as PassedName<Rate>]?: number }

/** The undecided part of each count: at most those that have not reached the next count. */
export type Open = { readonly [name in OpenName]: number }

export const nothingOpen: Open = membersOf(openNames, () => 0)

/** A campaign that is partly sent. */
export interface InFlight {
  readonly plan: Campaign
  readonly soFar: SoFar
  readonly open: Open
}

/** The counts before and after a rate, and the cases that are still open between them. */
interface Step {
  readonly from: CountName
  readonly to: PassedName
  readonly open: keyof Open | undefined
}

/** The rates that a plan has. */
type PlannedRates = { readonly [Rate in RateName]?: unknown }

/** The open cases of the rate after this one, or of the first one; undefined if there can be none. */
const openAfter = (plan: PlannedRates, rate: RateName | undefined): OpenName | undefined => {
  if (rate === undefined) return "emails"
  if (rates[rate].isKnownAtOnce === true) return openAfter(plan, rateBefore(plan, rate))
  return openNames.find((name) => name === fields[rate].passed.name)
}

/** The counts before and after a rate, given the rates that the plan has. */
export const stepOf = (plan: PlannedRates, rate: RateName): Step => {
  const { successes, trials } = countsOfRate(plan, rate)
  const isKnown = rates[rate].isKnownAtOnce === true
  return { from: trials, to: successes, open: isKnown ? undefined : openAfter(plan, rateBefore(plan, rate)) }
}

/** The steps of a plan that can have open cases: at most those of `from` that have not reached `to`. */
export const openSteps = (plan: { readonly [Rate in OptionalRate]?: unknown }) => {
  const names = rateNames.filter((rate) => !isOptional(rate) || plan[rate] !== undefined)
  const given: { readonly [Rate in RateName]?: unknown } = Object.fromEntries(names.map((name) => [name, true]))
  return names.flatMap((rate) => {
    const { from, open, to } = stepOf(given, rate)
    return open === undefined ? [] : [{ from, open, to }]
  })
}

/** The open cases of a step. */
export const openOf = ({ open }: InFlight, step: Step): number => (step.open === undefined ? 0 : open[step.open])

/** The decided cases of a rate, the number of them that passed, and the number of open cases. */
export interface Decided {
  readonly rate: RateName
  /** The rate of the plan, in percent. */
  readonly planned: Decimal
  readonly from: CountName
  readonly to: PassedName
  readonly passed: number
  readonly cases: number
  readonly open: number
}

/** The decided cases of each rate of the plan. */
export const decidedCases = (flight: InFlight): PerRate<Decided> =>
  eachRate(flight.plan, (planned, rate) => {
    const step = stepOf(flight.plan, rate)
    const { from, to } = step
    const open = openOf(flight, step)
    return {
      rate,
      planned,
      from,
      to,
      passed: flight.soFar[to] ?? 0,
      cases: (flight.soFar[from] ?? 0) - open,
      open
    }
  })

/** The rates that the results rule out: 100 after a failure, 0 after a success. */
export const contradictions = (flight: InFlight): ReadonlyArray<Decided> =>
  Object.values<Decided>(decidedCases(flight)).filter(
    ({ cases, passed, planned }) =>
      (isZero(planned) && passed > 0) || (compare(planned, hundred) === 0 && passed < cases)
  )

/** A result less likely than this is not as planned: where rates vary, and where the planned rate is taken as exact. */
export const unlikely = { varying: 0.1, exact: 0.01 }
