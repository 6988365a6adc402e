import { cutLink, cutLinkMessage, historyField } from "./history/Fragment.ts"
import { BigDecimal } from "effect"
import type { Assumptions } from "../campaign/Assumptions.ts"
import { contactsError, countLabel, countsOfRate } from "../campaign/Rates.ts"
import { type FieldName, fields, requiredNames } from "../campaign/Fields.ts"
import { learnsFrom } from "../campaign/PastCampaigns.ts"
import type { Goal } from "../forecast/goals/GoalTarget.ts"
import type { FieldError } from "../input/InvalidInput.ts"
import {
  campaignFields,
  chanceField,
  currencyField,
  goalField,
  isAim,
  isSpread,
  longestName,
  moreFields,
  nameFields,
  type FormNumber,
  type FormValues,
  second,
  secondFields,
  spreadField
} from "./FormFields.ts"
import { checkContradictions, type Flight, readFlight } from "./readFlight.ts"
import { readHistory, toShort } from "./history/PastRows.ts"
import { withoutSigns } from "./Amounts.ts"
import { splitCurrency } from "../input/Currency.ts"
import { readNumber, symbols } from "./readNumber.ts"

/** A campaign and its name. */
export interface NamedCampaign {
  readonly name: string
  readonly assumptions: Assumptions
}

/** The input of a calculation. */
export interface CalculatorInput {
  /** The form that it was read from, with past campaigns in their short form. */
  readonly values: FormValues
  readonly first: NamedCampaign
  readonly second: NamedCampaign | undefined
  readonly goal: Goal | undefined
  /** The results of the first campaign so far, if it is being sent. */
  readonly flight: Flight | undefined
}

/** The result of reading a form: all errors, or the input of a calculation. */
export interface FormReading {
  readonly values: FormValues
  readonly errors: ReadonlyArray<FieldError>
  readonly input: CalculatorInput | undefined
}

type Numbers = Partial<Record<FieldName, BigDecimal.BigDecimal>>

const hasRequired = (numbers: Numbers): numbers is Numbers & Pick<Assumptions, (typeof requiredNames)[number]> =>
  requiredNames.every((name) => numbers[name] !== undefined)

/** Reads the form. */
export const readForm = (typed: FormValues): FormReading => {
  const values = withoutSigns(typed)
  const errors: Array<FieldError> = []
  const fail = (name: string, code: FieldError["code"], message: string) =>
    errors.push({ pointer: `/${name}`, code, message })

  const read = ({ bounds, example, name, unit }: FormNumber): BigDecimal.BigDecimal | undefined => {
    const text = values[name] ?? ""
    if (text === "") return undefined
    const reading = readNumber(text, bounds, example, unit)
    const other = unit === "money" ? splitCurrency(symbols(text)).currency : undefined
    if (other !== undefined) {
      const own = values[currencyField] ?? ""
      fail(
        name,
        "invalid_format",
        `must be in ${own}, as other amounts: none is converted. To use ${other}, write it with each of them`
      )
      return undefined
    }
    if ("value" in reading) return reading.value
    fail(name, reading.fault.code, reading.fault.message)
    return undefined
  }

  const isMissing = (name: string) => (values[name] ?? "") === ""

  if (!isMissing(cutLink)) fail(cutLink, "invalid_format", cutLinkMessage)

  const numbers: Numbers = {}
  for (const field of [...campaignFields, ...moreFields]) {
    const value = read(field)
    if (value !== undefined) numbers[field.name] = value
  }
  for (const name of requiredNames) {
    if (isMissing(name)) fail(name, "required", `is missing; write a number like ${fields[name].form.example}`)
  }

  const spread = values[spreadField.name] ?? ""
  if (spread !== "" && !isSpread(spread)) fail(spreadField.name, "invalid_format", "must be chosen from the list")

  const past = readHistory(values[historyField] ?? "")
  errors.push(...past.errors)

  const flight = readFlight({ read, isMissing, fail }, numbers.emails_sent)
  const goal = readGoal(values, read, fail)
  const [firstName, secondName] = nameFields.map(
    ({ fallback, name }) => (values[name] ?? "").slice(0, longestName) || fallback
  )
  const others: Numbers = {}
  for (const field of secondFields) {
    const value = read(field)
    if (value !== undefined) others[field.of] = value
  }

  if (errors.length > 0 || !hasRequired(numbers)) return { values, errors, input: undefined }
  const exactly: Pick<Assumptions, "spread"> = spread === "none" ? { spread } : {}
  const history: Pick<Assumptions, "history"> = past.campaigns.length === 0 ? {} : { history: past.campaigns }
  const assumptions = { ...numbers, ...exactly, ...history }
  const hasSecond = Object.keys(others).length > 0
  const secondAssumptions = { ...assumptions, ...others }
  const ofContacts = contactsError(assumptions)
  if (ofContacts !== undefined) fail("reply_rate", "out_of_range", ofContacts)
  if (past.campaigns.length > 0 && learnsFrom(assumptions, past.campaigns).length === 0) {
    const { successes, trials } = countsOfRate(assumptions, "reply_rate")
    const example = `${countLabel(trials)} and ${countLabel(successes)}`.toLowerCase()
    fail(historyField, "required", `have nothing to learn from: a rate needs both of its counts, such as ${example}`)
  }
  if (flight !== undefined && errors.length === 0) checkContradictions({ plan: assumptions, ...flight }, { fail })
  if (hasSecond && errors.length === 0) {
    const ofSecond = contactsError(secondAssumptions)
    if (ofSecond !== undefined) fail(`${second}reply_rate`, "out_of_range", ofSecond)
  }
  if (errors.length > 0) return { values, errors, input: undefined }
  return {
    values,
    errors,
    input: {
      values: past.campaigns.length === 0 ? values : { ...values, [historyField]: toShort(past.campaigns) },
      first: { name: firstName ?? "", assumptions },
      second: hasSecond ? { name: secondName ?? "", assumptions: secondAssumptions } : undefined,
      goal,
      flight
    }
  }
}

const readGoal = (
  values: FormValues,
  read: (field: FormNumber) => BigDecimal.BigDecimal | undefined,
  fail: (name: string, code: FieldError["code"], message: string) => void
): Goal | undefined => {
  const aim = values["goal_aim"] ?? "clients"
  if (!isAim(aim)) {
    fail("goal_aim", "invalid_format", "must be chosen from the list")
    return undefined
  }
  const target = read(goalField(aim))
  const percent = read(chanceField)
  if (target === undefined) return undefined
  // Shift by two decimal places: a number of 100 campaigns as a chance from 0 to 1.
  const chance =
    percent === undefined ? undefined : BigDecimal.normalize(BigDecimal.make(percent.value, percent.scale + 2))
  return { aim, target, ...(chance === undefined ? {} : { chance }) }
}
