import { type Option, Result, Schema } from "effect"
import { aims, type Goal } from "../forecast/outlook/GoalTarget.ts"
import { decodeFields } from "../input/decodeFields.ts"
import { InvalidInput } from "../input/InvalidInput.ts"
import { count, decimal } from "../input/Numbers.ts"
import { givenNumbers } from "./CampaignInput.ts"

const people = (description: string, example: number) =>
  Schema.optionalKey(count({ minimum: 1, maximum: 100_000_000, description, example }))

const amount = (minimum: number, description: string, example: number) =>
  Schema.optionalKey(decimal(Schema.Finite, { minimum, maximum: 1_000_000_000_000, description, example }))

const GoalFields = Schema.Struct({
  replies: people("Replies to reach.", 300),
  meetings: people("Meetings to reach.", 20),
  clients: people("Clients to reach.", 4),
  revenue: amount(0, "Revenue to reach.", 10_000),
  profit: amount(-1_000_000_000, "Profit to reach.", 9000),
  roi_multiple: amount(0, "Revenue over cost to reach.", 20),
  chance: Schema.optionalKey(
    decimal(Schema.Finite, { minimum: 0.5, maximum: 0.999, description: "Chance to reach it with.", example: 0.8 })
  )
})

const decode = decodeFields(GoalFields, new Map())

/** The values of the flags that say what is to be reached. */
export type GoalGiven = { readonly [name in keyof typeof GoalFields.fields]: Option.Option<string> }

const aimFlags = aims.map((aim) => `--${aim.replaceAll("_", "-")}`).join(", ")

const needsOneAim = new InvalidInput({
  errors: [{ pointer: "", code: "required", message: `needs exactly one of ${aimFlags}` }]
})

/** The goal of a command's flags: one aim, and with what chance. Fails with InvalidInput. */
export const readGoal = (given: GoalGiven): Result.Result<Goal, InvalidInput> =>
  Result.flatMap(decode({ value: givenNumbers(given), duplicates: [] }), (fields) => {
    const [goal, ...others] = aims.flatMap((aim) => {
      const target = fields[aim]
      return target === undefined ? [] : [{ aim, target, chance: fields.chance }]
    })
    return goal === undefined || others.length > 0 ? Result.fail(needsOneAim) : Result.succeed(goal)
  })
