import { Predicate, Record } from "effect"
import { spreads } from "../../campaign/Rates.ts"
import { isUnknown, visible } from "../../input/visible.ts"
import {
  campaignFields,
  chanceField,
  currencyField,
  emailsLeftField,
  type FormNumber,
  goalField,
  moreFields,
  openFields,
  secondFields,
  soFarFields,
  spreadField
} from "./FormFields.ts"
import type { HistoryReading } from "../tables/PastRows.ts"
import { type NumberReading, readNumber, splitUnit, symbols } from "../tables/readNumber.ts"
import type { FormValues } from "../../site/form.ts"

/** Members of a JSON object. */
type Members = Readonly<Record<string, unknown>>

/** A form as the JSON of requests to the API; a text that is not a number stays one. */
export interface FormRequest {
  /** The assumptions of the first campaign, without past ones. */
  readonly plan: Members
  /** Past campaigns, if there are any. */
  readonly past: Members
  /** The fields of a campaign in flight besides its plan; empty if there are none. */
  readonly flight: Members
  /** Undefined without a target, whatever its chance. */
  readonly goal: Members | undefined
  /** The chance of a goal, which may have no target yet. */
  readonly chance: Members
  /** The assumptions in which the second campaign differs. */
  readonly second: Members
}

/** Reads the text in a field; amounts must be in the currency of the form. */
export const readField = ({ bounds, example, name, unit }: FormNumber, values: FormValues): NumberReading => {
  const text = values[name] ?? ""
  const reading = readNumber(text, bounds, example, unit)
  const other = unit === "money" && "value" in reading ? splitUnit(symbols(text)).currency : undefined
  if (other === undefined) return reading
  const own = values[currencyField] ?? ""
  const fault = `must be in ${own}, as other amounts: none is converted. To use ${other}, write it with each of them`
  return { fault, suggestions: [] }
}

const members = (fields: ReadonlyArray<FormNumber>, values: FormValues): Members =>
  Object.fromEntries(
    fields.flatMap((field): ReadonlyArray<readonly [string, number | string]> => {
      const text = values[field.name] ?? ""
      if (isUnknown(visible(text))) return []
      const reading = readField(field, values)
      const name = field.pointer.slice(field.pointer.lastIndexOf("/") + 1)
      return [[name, "value" in reading ? reading.value : text]]
    })
  )

const flightOf = (values: FormValues): Members => {
  const soFar = members(soFarFields, values)
  const open = members(openFields, values)
  const left = members([emailsLeftField], values)
  return [soFar, open, left].every(Record.isEmptyReadonlyRecord)
    ? {}
    : { so_far: soFar, ...(!Record.isEmptyReadonlyRecord(open) && { open }), ...left }
}

const chanceOf = (values: FormValues): Members => {
  const { chance } = members([chanceField], values)
  if (chance === undefined) return {}
  // A number of 100 campaigns; 99.9 ÷ 100 would be more than 0.999.
  return { chance: Predicate.isNumber(chance) ? Number(`${chance}e-2`) : chance }
}

/** A form, and the past campaigns in it, as the JSON of requests to the API. */
export const formRequest = (values: FormValues, { json: history }: HistoryReading): FormRequest => {
  const { [spreadField.name]: spread = "" } = values
  const target = members([goalField(values["goal_aim"])], values)
  const chance = chanceOf(values)
  return {
    plan: {
      ...members([...campaignFields, ...moreFields], values),
      // The default is left out.
      ...(spread !== "" && spread !== spreads[0] && { spread })
    },
    past: history === undefined ? {} : { history },
    flight: flightOf(values),
    goal: Record.isEmptyReadonlyRecord(target) ? undefined : { ...target, ...chance },
    chance,
    second: members(secondFields, values)
  }
}
