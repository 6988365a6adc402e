import { BigDecimal, Predicate, Result, Schema } from "effect"
import { decodeFields } from "../../input/decodeFields.ts"
import { type FieldError, InvalidInput } from "../../input/InvalidInput.ts"
import { decimal } from "../../input/numberSchemas.ts"
import { requestSchema } from "../../input/requestSchema.ts"
import { aliases, Assumptions, checkTogether, exampleAssumptions } from "../../campaign/Assumptions.ts"
import { exampleRequest } from "../../campaign/Fields.ts"
import {
  chanceBounds,
  moneyAimBounds,
  multipleAimBounds,
  type NumberBounds,
  peopleAimBounds
} from "../../campaign/NumberBounds.ts"
import { countSynonyms, lookUpSynonym } from "../../campaign/Rates.ts"
import { listed } from "../Words.ts"
import { aims, Goal } from "./GoalTarget.ts"
import { unknownFieldAdvice } from "../../campaign/UnknownFields.ts"

const aim = (bounds: NumberBounds, description: string, example: number) =>
  Schema.optionalKey(decimal(Schema.Finite, { ...bounds, description, example }))

const people = (who: string, example: number) => aim(peopleAimBounds, `Minimum number of ${who}.`, example)
const money = (what: string, example: number) => aim(moneyAimBounds, `Minimum ${what}.`, example)

/** The schema of a goal with this aim; other aims may be null, which is the same as missing. */
const onlyAim = (name: string) => ({ properties: { [name]: { type: "number" } }, required: [name] })

const Target = Schema.Struct({
  replies: people("replies", 400),
  meetings: people("booked meetings", 20),
  clients: people("clients", 4),
  revenue: money("revenue", 10_000),
  profit: money("profit: revenue less campaign cost", 9000),
  roi_multiple: aim(multipleAimBounds, "Minimum revenue as a multiple of the campaign cost.", 20),
  chance: Schema.optionalKey(
    decimal(Schema.Finite, {
      ...chanceBounds,
      description: "The chance of reaching it. Without one, the goal is to reach it on average.",
      example: 0.8
    })
  )
})
  .annotate({
    description: "The goal of the campaign: exactly one aim, and optionally the chance of reaching it."
  })
  .check(
    // `checkAims` reports invalid aims, together with all other errors.
    Schema.makeFilter(() => true, { toJsonSchema: () => ({ oneOf: aims.map(onlyAim) }) })
  )

const GoalFields = Schema.Struct({ ...Assumptions.fields, goal: Target })

/** A campaign and its goal. */
export const GoalRequest = Schema.Struct({ assumptions: Assumptions, goal: Goal })
export type GoalRequest = typeof GoalRequest.Type

/** The JSON object of a goal request: the fields of a forecast, and `goal`. */
export const GoalRequestBody = requestSchema(GoalFields).annotate({
  identifier: "GoalRequest",
  description: "The assumptions of a campaign, as for a forecast, and its goal.",
  examples: [{ ...exampleRequest, goal: { clients: 4, chance: 0.8 } }]
})

/** Checks that a goal has exactly one aim. */
const checkAims = (goal: unknown): ReadonlyArray<FieldError> => {
  if (!Predicate.isObject(goal)) return []
  const given = aims.filter((aim) => Predicate.hasProperty(goal, aim))
  if (given.length === 0) {
    return [{ pointer: "/goal", code: "required", message: `must have one of ${listed(aims, "or")}` }]
  }
  return given.length === 1
    ? []
    : [{ pointer: "/goal", code: "duplicate_field", message: `must have one aim: keep one of ${listed(given, "and")}` }]
}

/** The field of a goal that a synonym stands for. */
const synonymOf = lookUpSynonym({
  clients: countSynonyms.clients,
  meetings: countSynonyms.meetings,
  replies: countSynonyms.replies,
  revenue: "turnover expected_revenue",
  roi_multiple: "roi roas",
  chance: "probability confidence confidence_level certainty likelihood"
})

const isOfGoal = (name: string) => name === "chance" || aims.some((aim) => aim === name)

/** Advice on an unknown field of a goal or of the request around it. */
const unknownAdvice = (name: string, within: string, value: unknown): string | undefined => {
  if (within === "/goal") {
    const word = synonymOf(name)
    if (word !== undefined) return `did you mean "${word}"?`
    return Object.hasOwn(Assumptions.fields, name) ? "move it out of goal, next to it" : undefined
  }
  return within === "" && isOfGoal(name)
    ? `move it into goal, like {"goal": {"${name}": …}}`
    : unknownFieldAdvice(name, within, value)
}

const decode = decodeFields(GoalFields, {
  aliases,
  unknown: unknownAdvice,
  check: (fields) => checkAims(fields["goal"]),
  checkTogether
})

/** Suggests 0.8 to those who send a chance of 80. */
const suggestChance =
  (json: unknown) =>
  (failure: InvalidInput): InvalidInput => {
    const goal = Predicate.hasProperty(json, "goal") ? json.goal : undefined
    const chance = Predicate.hasProperty(goal, "chance") ? goal.chance : undefined
    if (!Predicate.isNumber(chance) || chance < 50 || chance >= 100) return failure
    return new InvalidInput({
      errors: failure.errors.map((error) =>
        error.pointer === "/goal/chance" && error.code === "out_of_range"
          ? { ...error, message: `${error.message}; did you mean ${chance / 100}?` }
          : error
      )
    })
  }

/** Decodes a goal and its campaign from a JSON object. Fails with InvalidInput, which lists every error. */
export const decodeGoalRequest = (json: unknown): Result.Result<GoalRequest, InvalidInput> =>
  Result.flatMap(
    Result.mapError(decode(json), suggestChance(json)),
    ({ goal: { chance, ...targets }, ...assumptions }) => {
      const aim = aims.find((aim) => targets[aim] !== undefined)
      const target = aim === undefined ? undefined : targets[aim]
      return aim === undefined || target === undefined
        ? Result.fail(new InvalidInput({ errors: checkAims(targets) }))
        : Result.succeed({ assumptions, goal: { aim, target, chance } })
    }
  )

/** The campaign and the goal that the reference shows as its example. */
export const exampleGoal: GoalRequest = {
  assumptions: exampleAssumptions,
  goal: { aim: "clients", target: BigDecimal.make(4n, 0), chance: BigDecimal.make(8n, 1) }
}
