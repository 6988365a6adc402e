import { Schema } from "effect"
import { membersOf } from "../../campaign/Fields.ts"
import { described } from "../../input/Schemas.ts"
import { numberOrNull, summary } from "../../forecast/AnswerFields.ts"
import { rateNames } from "../../forecast/Campaign.ts"
import { ModelVersion } from "../../forecast/outlook/Outlook.ts"

/** One input changed alone: its current value, the needed value, and their quotient. */
const LeverAnswer = Schema.Struct({
  current: numberOrNull("The current value of the input.", 5000, "Null if it is missing."),
  needed: numberOrNull("The value that it needs.", 11_944, "Null if no value within its bounds is enough."),
  factor: numberOrNull("needed ÷ current, to 4 decimals.", 2.3888, "Null if either is null, or current is 0.")
}).annotate({
  identifier: "NeededInput",
  description: "The value that an input would need if all others stay the same.",
  examples: [{ current: 5000, needed: 11_944, factor: 2.3888 }]
})
export type LeverAnswer = typeof LeverAnswer.Type

const RateLeverAnswer = Schema.Struct({
  ...LeverAnswer.fields,
  beyond_published: described(
    Schema.NullOr(Schema.Boolean),
    "True if the needed rate is above the bound of its optimistic flag, or if no rate is enough. Null for a rate without such a bound.",
    true
  )
}).annotate({
  identifier: "NeededRate",
  description: "The value that a rate would need, and whether it is beyond what is published.",
  examples: [{ current: 5, needed: 10.84, factor: 2.168, beyond_published: true }]
})

const lever = Schema.optionalKey(LeverAnswer)
const aim = Schema.optionalKey(Schema.Finite)

/** The levers of a goal in their order; those that do not affect it are left out. */
const NeededLevers = Schema.Struct({
  emails_sent: LeverAnswer,
  ...membersOf(rateNames, () => Schema.optionalKey(RateLeverAnswer)),
  average_deal_value: lever,
  campaign_cost: lever
})

/** The answer to a goal: the inputs needed to reach it. */
export const GoalAnswer = Schema.Struct({
  summary: summary("The campaign reaches 1 client on average as it is."),
  goal: Schema.Struct({
    replies: aim,
    meetings: aim,
    clients: aim,
    revenue: aim,
    profit: aim,
    roi_multiple: aim,
    chance: aim
  }).annotate({ description: "The goal of the request.", examples: [{ clients: 4, chance: 0.8 }] }),
  expected_now: numberOrNull("The average result of the campaign without changes.", 3.75),
  chance_now: numberOrNull("Chance that the campaign reaches the goal without changes, to 4 decimals.", 0.4446),
  reached: described(
    Schema.Boolean,
    "True if the campaign reaches the goal without changes: on average, or with the requested chance.",
    false
  ),
  needed: NeededLevers.annotate({
    description:
      "The value that each input needs if it alone is changed; inputs that do not affect the goal are left out."
  }),
  calculation_notes: described(
    Schema.Array(Schema.String),
    "How the answer was computed, why a figure is null, and what the answer cannot know.",
    ["As it is, the campaign reaches 4 clients in 44 of 100 such campaigns."]
  ),
  model_version: ModelVersion
}).annotate({ description: "What it takes to reach a goal by changing one input at a time." })
export type GoalAnswer = typeof GoalAnswer.Type
