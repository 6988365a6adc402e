import { Option, Predicate, type Result, Schema, SchemaTransformation, String } from "effect"
import { decodeFields } from "../../input/decodeFields.ts"
import type { FieldError, InvalidInput } from "../../input/InvalidInput.ts"
import { decimal, optional } from "../../input/Schemas.ts"
import { aliases, Assumptions, campaignChecks } from "../../campaign/Assumptions.ts"
import { exampleRequest } from "../../campaign/Fields.ts"
import {
  chanceBounds,
  moneyAimBounds,
  multipleAimBounds,
  type NumberBounds,
  peopleAimBounds
} from "../../campaign/NumberBounds.ts"
import { countSynonyms, lookUpSynonym } from "../../campaign/Rates.ts"
import { zero, toBigDecimal } from "../../forecast/Decimal.ts"
import { listed } from "../../forecast/Words.ts"
import { aims, Goal } from "./GoalTarget.ts"
import { unknownFieldAdvice } from "../../campaign/UnknownFields.ts"

const aim = (bounds: NumberBounds, description: string, example: number) =>
  optional(decimal({ ...bounds, description, example }))

const people = (who: string, example: number) => aim(peopleAimBounds, `Minimum number of ${who}.`, example)
const money = (what: string, example: number) => aim(moneyAimBounds, `Minimum ${what}.`, example)

/**
 * The schema of a goal with this aim; other aims may be null, which is the same as missing. Generators name its class by
 * the title.
 */
const onlyAim = (name: string) => ({
  title: `GoalOf${String.snakeToPascal(name)}`,
  properties: { [name]: { type: "number" } },
  required: [name]
})

/** The error of a goal that does not have exactly one aim. */
const aimsError = (goal: unknown): FieldError | undefined => {
  if (!Predicate.isObject(goal)) return undefined
  const given = aims.filter((aim) => Predicate.isNotNullish(Reflect.get(goal, aim)))
  if (given.length === 1) return undefined
  return given.length === 0
    ? { pointer: "/goal", code: "required", message: `must have one of ${listed(aims, "or")}` }
    : { pointer: "/goal", code: "duplicate_field", message: `must have one aim: keep one of ${listed(given, "and")}` }
}

/** One aim, for the document: `aimsError` reports other goals, whatever else is wrong with them. */
const oneAim = Schema.makeFilter(() => true, {
  toJsonSchema: () => ({ oneOf: aims.map(onlyAim) }),
  // Only such a check is in the document of the encoded side.
  "~structural": true
})

const Target = Schema.Struct({
  replies: people("replies", 400),
  meetings: people("booked meetings", 20),
  clients: people("clients", 4),
  revenue: money("revenue", 10_000),
  profit: money("profit: revenue less campaign cost", 9000),
  roi_multiple: aim(multipleAimBounds, "Minimum revenue as a multiple of the campaign cost.", 20),
  chance: optional(
    decimal({
      ...chanceBounds,
      description: "The chance of reaching it. Without one, the goal is to reach it on average.",
      example: 0.8,
      // Those who send 80 mean 0.8.
      advice: (chance) => (chance >= 50 && chance < 100 ? `; did you mean ${chance / 100}?` : "")
    })
  )
})
  .annotate({
    description: "The goal of the campaign: exactly one aim, and optionally the chance of reaching it."
  })
  .check(oneAim)

const example = { ...exampleRequest, goal: { clients: 4, chance: 0.8 } }

const GoalFields = Schema.Struct({ ...Assumptions.fields, goal: Target })
  .check(...campaignChecks)
  .pipe(
    Schema.annotateEncoded({
      identifier: "GoalRequest",
      description: "The assumptions of a campaign, as for a forecast, and its goal.",
      examples: [example]
    })
  )

const Request = Schema.Struct({ assumptions: Schema.toType(Schema.Struct(Assumptions.fields)), goal: Goal })
export type GoalRequest = typeof Request.Type

/** A campaign and its goal. Encoded, they are the fields of a forecast, and `goal`. */
export const GoalRequest = GoalFields.pipe(
  Schema.decodeTo(
    Request,
    SchemaTransformation.transform<GoalRequest, typeof GoalFields.Type>({
      decode: ({ goal: { chance, ...targets }, ...assumptions }) => {
        const aim = aims.find((aim) => targets[aim] !== undefined) ?? "clients"
        return { assumptions, goal: { aim, target: targets[aim] ?? toBigDecimal(zero), chance } }
      },
      encode: ({ assumptions, goal: { aim, chance, target } }) => ({
        ...assumptions,
        goal: { [aim]: target, ...(chance !== undefined && { chance }) }
      })
    })
  )
)

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
const unknownAdvice = (name: string, within: string, value: unknown, siblings: unknown): string | undefined => {
  if (within === "/goal") {
    const word = synonymOf(name)
    if (word !== undefined) return `did you mean "${word}"?`
    return Object.hasOwn(Assumptions.fields, name) ? "move it out of goal, next to it" : undefined
  }
  return within === "" && isOfGoal(name)
    ? `move it into goal, like {"goal": {"${name}": …}}`
    : unknownFieldAdvice(name, within, value, siblings)
}

/** Decodes a goal and its campaign from a JSON object. Fails with InvalidInput, which lists every error. */
export const decodeGoalRequest: (json: unknown) => Result.Result<GoalRequest, InvalidInput> = decodeFields(
  GoalRequest,
  { aliases, unknown: unknownAdvice, check: ({ goal }) => Option.toArray(Option.fromUndefinedOr(aimsError(goal))) }
)

/** The campaign and the goal that the reference shows as its example. */
export const exampleGoal = Schema.decodeSync(GoalRequest)(example)
