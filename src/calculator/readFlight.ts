import { BigDecimal } from "effect"
import { emailsLeftBounds } from "../campaign/NumberBounds.ts"
import { risingCounts } from "../campaign/PastCampaigns.ts"
import { countLabel, type CountName, type OptionalRate, requiredRates, rates } from "../campaign/Rates.ts"
import {
  contradictions,
  type InFlight,
  nothingOpen,
  type Open,
  openSteps,
  type SoFar
} from "../forecast/progress/InFlight.ts"
import type { ProgressRequest } from "../forecast/progress/ProgressRequest.ts"
import { integer } from "../text/Figures.ts"
import { emailsLeftField, fieldLabels, flightFields, openFields, soFarFields, type FormNumber } from "./FormFields.ts"

/** The results of a campaign so far, its open cases, and the emails still to be sent. */
export type Flight = Omit<ProgressRequest, "assumptions">

/** A form during reading. */
interface Form {
  readonly isMissing: (name: string) => boolean
  /** The number in a field; reports an error if there is something else. */
  readonly read: (field: FormNumber) => BigDecimal.BigDecimal | undefined
  readonly fail: (name: string, code: "required" | "out_of_range", message: string) => void
}

/** The emails of a plan that are not sent yet. */
export const emailsLeftOf = (planned: BigDecimal.BigDecimal, { emails_sent: sent }: SoFar): number =>
  Math.max(BigDecimal.toNumberUnsafe(planned) - sent, 0)

const isComplete = (counts: { readonly [name in CountName]?: number }): counts is SoFar =>
  ["emails_sent" as const, ...requiredRates.map((rate) => rates[rate].passed.name)].every((name) =>
    Object.hasOwn(counts, name)
  )

const inWords = (count: CountName) => countLabel(count).toLowerCase()

/** Reports counts without their rate, and rates without their count. */
const checkNeeded = ({ fail, isMissing }: Form): void => {
  for (const { name, neededRate } of [...soFarFields, ...openFields]) {
    if (neededRate !== undefined && isMissing(neededRate) && !isMissing(name)) {
      fail(neededRate, "required", `is needed for ${(fieldLabels[name] ?? "").toLowerCase()}`)
    }
  }
  for (const { name, neededRate } of soFarFields) {
    if (!isMissing(name) || (neededRate !== undefined && isMissing(neededRate))) continue
    const why = neededRate === undefined ? "" : `; the plan has a ${(fieldLabels[neededRate] ?? "").toLowerCase()}`
    fail(name, "required", `is missing${why}; write 0 if there are none yet`)
  }
}

/** Reads a campaign in flight, if the form has one, with the emails of its plan. */
export const readFlight = (form: Form, planned: BigDecimal.BigDecimal | undefined): Flight | undefined => {
  const { fail, isMissing, read } = form
  if (flightFields.every(({ name }) => isMissing(name))) return undefined
  checkNeeded(form)
  const count = (field: FormNumber): number | undefined => {
    const value = read(field)
    return value === undefined ? undefined : BigDecimal.toNumberUnsafe(value)
  }
  const soFar: { [name in CountName]?: number } = {}
  for (const field of soFarFields) {
    const value = count(field)
    if (value !== undefined) soFar[field.count] = value
  }
  for (const { before, name } of risingCounts(soFar)) {
    fail(`so_far_${name}`, "out_of_range", `must be at most the number of ${inWords(before)}`)
  }
  const open: { -readonly [name in keyof Open]: number } = { ...nothingOpen }
  for (const field of openFields) open[field.open] = count(field) ?? 0
  const given = (rate: OptionalRate) => (isMissing(rate) ? undefined : true)
  const steps = openSteps({ delivery_rate: given("delivery_rate"), show_rate: given("show_rate") })
  for (const { from, open: name, to } of steps) {
    const before = soFar[from]
    const after = soFar[to]
    if (before === undefined || after === undefined || after > before || open[name] <= before - after) continue
    const most = `${integer(before - after)}: ${inWords(from)} less ${inWords(to)}`
    fail(`open_${name}`, "out_of_range", `must be at most ${most}`)
  }
  const [first] = openFields
  const { maximum } = emailsLeftBounds
  if (first !== undefined && Object.values(open).reduce((sum, each) => sum + each, 0) > maximum) {
    fail(first.name, "out_of_range", `must be at most ${integer(maximum)} together with the other open cases`)
  }
  const emailsLeft = count(emailsLeftField)
  if (planned === undefined || !isComplete(soFar)) return undefined
  const left = emailsLeftOf(planned, soFar)
  if (isMissing(emailsLeftField.name) && left > emailsLeftBounds.maximum) {
    const most = integer(emailsLeftBounds.maximum)
    fail(emailsLeftField.name, "required", `must be given, at most ${most}: the plan leaves ${integer(left)}`)
  }
  return { soFar, open, emailsLeft: emailsLeft ?? left }
}

/** Reports rates of the plan that the decided cases contradict. */
export const checkContradictions = (flight: InFlight, { fail }: Pick<Form, "fail">): void => {
  for (const { cases, passed, planned, rate } of contradictions(flight)) {
    const decided = `${integer(passed)} of ${integer(cases)} decided cases passed`
    fail(rate, "out_of_range", `cannot be ${planned.value === 0n ? 0 : 100}%: so far ${decided}`)
  }
}
