import { Record, Result } from "effect"
import { type Assumptions, decodeAssumptions } from "../../campaign/Assumptions.ts"
import { decodeGoalRequest } from "../goals/GoalRequest.ts"
import type { Goal } from "../goals/GoalTarget.ts"
import { decodeProgressRequest, type ProgressRequest } from "../progress/ProgressRequest.ts"
import type { FieldError, InvalidInput } from "../../input/InvalidInput.ts"
import { withoutSigns } from "./Amounts.ts"
import {
  campaignFields,
  chanceField,
  flightFields,
  goalField,
  isAim,
  longestName,
  moreFields,
  nameFields,
  secondFields
} from "./FormFields.ts"
import { formErrors } from "./formErrors.ts"
import { type FormRequest, formRequest } from "./formRequest.ts"
import { cutLink, cutLinkMessage, historyField } from "../tables/Fragment.ts"
import { readHistory, toShort } from "../tables/PastRows.ts"
import type { FormValues } from "../../site/form.ts"

/** A campaign and its name. */
interface NamedCampaign {
  readonly name: string
  readonly assumptions: Assumptions
}

/** The results of a campaign so far, its open cases, and the emails still to be sent. */
export type Flight = Omit<ProgressRequest, "assumptions">

/** The input of a calculation. */
export interface CalculatorInput {
  /** The form that it was read from, with past campaigns in their short form. */
  readonly values: FormValues
  /** The same as requests to the API. */
  readonly request: FormRequest
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

const errorsOf = (result: Result.Result<unknown, InvalidInput>): ReadonlyArray<FieldError> =>
  Result.isFailure(result) ? result.failure.errors : []

const invalid = (name: string, message: string): FieldError => ({
  pointer: `/${name}`,
  code: "invalid_format",
  message
})

/** Reads the form by way of requests to the API: it accepts what they do, and their errors are its own. */
export const readForm = (typed: FormValues): FormReading => {
  const values = withoutSigns(typed)
  const history = readHistory(values[historyField] ?? "")
  const request = formRequest(values, history)
  const { chance, flight, goal: aimed, past, plan, second: others } = request
  const first = Record.isEmptyReadonlyRecord(flight)
    ? Result.map(decodeAssumptions({ ...plan, ...past }), (assumptions) => ({ assumptions, flight: undefined }))
    : Result.map(decodeProgressRequest({ ...plan, ...past, ...flight }), ({ assumptions, ...flight }) => ({
        assumptions,
        flight
      }))
  const { goal_aim: aim = "clients" } = values
  // A chance is checked before there is a target, too.
  const goal = decodeGoalRequest({ ...plan, goal: aimed ?? { clients: 1, ...chance } })
  const second = Record.isEmptyReadonlyRecord(others)
    ? Result.succeed(undefined)
    : decodeAssumptions({ ...plan, ...others })

  const inForm = formErrors(
    values,
    [...campaignFields, ...moreFields, ...flightFields, goalField(aim), chanceField],
    history
  )
  const ofFirst = errorsOf(first)
  const errors = [
    ...(values[cutLink] === undefined ? [] : [invalid(cutLink, cutLinkMessage)]),
    ...ofFirst.map(inForm),
    ...(isAim(aim)
      ? errorsOf(goal)
          .filter(({ pointer }) => pointer.startsWith("/goal"))
          .map(inForm)
      : [invalid("goal_aim", "must be chosen from the list")]),
    // A number that the second campaign takes from the first one has been reported.
    ...errorsOf(second)
      .filter(({ pointer }) => pointer.slice(1) in others || ofFirst.every((error) => error.pointer !== pointer))
      .map(formErrors(values, secondFields, history))
  ]
  const read = Result.all({ first, goal, second })
  if (errors.length > 0 || Result.isFailure(read)) return { values, errors, input: undefined }
  const { assumptions } = read.success.first
  const [firstName, secondName] = nameFields.map(
    ({ fallback, name }) => (values[name] ?? "").slice(0, longestName) || fallback
  )
  return {
    values,
    errors,
    input: {
      values: assumptions.history === undefined ? values : { ...values, [historyField]: toShort(assumptions.history) },
      request,
      first: { name: firstName ?? "", assumptions },
      second: read.success.second && {
        name: secondName ?? "",
        assumptions: { ...read.success.second, ...(assumptions.history && { history: assumptions.history }) }
      },
      goal: aimed === undefined ? undefined : read.success.goal.goal,
      flight: read.success.first.flight
    }
  }
}
