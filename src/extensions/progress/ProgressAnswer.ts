import { Schema, Struct } from "effect"
import { membersOf } from "../../campaign/Fields.ts"
import { optionalRates } from "../../campaign/Rates.ts"
import { described } from "../../input/Schemas.ts"
import { chance, chanceOrNull, count, numberOrNull, percentage, summary } from "../../forecast/AnswerFields.ts"
import { rateNames, stageNames } from "../../forecast/Campaign.ts"
import { amounts, ModelVersion, RateOutlooks, StageOutlook } from "../../forecast/outlook/Outlook.ts"

const { expected, high, low, median } = StageOutlook.fields

const StageEndAnswer = Schema.Struct({
  so_far: count("The number so far.", 1),
  ...StageOutlook.fields
}).annotate({
  identifier: "StageEnd",
  description: "The number of people at a stage when the campaign is over.",
  examples: [{ so_far: 1, expected: 5.0049, low: 2, median: 4, high: 9, chance_within: 0.8049 }]
})

const RateAgainstPlan = Schema.Struct({
  planned: percentage("The rate of the plan.", 5),
  observed: numberOrNull(
    "The decided cases that passed, in percent, to 4 decimals.",
    3.1,
    "Null if nothing is decided."
  ),
  chance_by_chance_alone: chanceOrNull(
    "If the planned rate were exact, the chance of this result or one further from the plan; 1 if the plan is met.",
    0.0001,
    "Null if nothing is decided."
  ),
  chance_as_campaigns_vary: chanceOrNull(
    "The same, given how rates vary between campaigns, as published or in your history.",
    0.3263,
    "Null too if that is unknown."
  ),
  verdict: described(
    Schema.NullOr(Schema.Literals(["below", "above", "as_planned"]).annotate({ title: "Verdict" })),
    "below or above if a result this far from the plan is seen in fewer than 10 of 100 campaigns as they vary or, " +
      "where the variation is unknown, in fewer than 1 of 100 by chance alone. Null if nothing is decided.",
    "as_planned"
  )
}).annotate({
  identifier: "RateAgainstPlan",
  description: "An observed rate, and whether its deviation may be bad luck.",
  examples: [
    {
      planned: 5,
      observed: 3.1,
      chance_by_chance_alone: 0.0001,
      chance_as_campaigns_vary: 0.3263,
      verdict: "as_planned"
    }
  ]
})

/** The expected end of a campaign in flight, and its comparison with the plan. */
export const ProgressAnswer = Schema.Struct({
  summary: summary("It ended with 2 clients; the plan, rounded up, was 3 clients."),
  end: Schema.Struct({
    ...membersOf(stageNames, () => StageEndAnswer),
    revenue: amounts("Revenue of low, median and high clients, to 2 decimals."),
    roi_multiple: amounts("The same revenue over campaign cost, to 1 decimal."),
    chance_of_no_client: chance("Chance that the campaign brings no client at all.", 0),
    chance_to_break_even: chanceOrNull(
      "Chance that revenue covers the cost.",
      1,
      "Null without a deal value or a cost."
    )
  }).annotate({ description: "The end of the campaign if all remaining emails are sent." }),
  plan: Schema.Struct({
    clients: count("The expected clients of the plan, rounded up.", 4),
    chance_of_at_least: chance("Chance that the campaign ends with as many or more.", 0.6106)
  }).annotate({ description: "The planned clients, and the chance of still reaching them." }),
  if_you_stop_now: Schema.Struct({
    clients: Schema.Struct({ expected, low, median, high }).annotate({
      description: "Clients at the end if no further email is sent: those already won, and those from open cases."
    }),
    chance_of_another_client: chance("Chance of at least one more client.", 0.6958)
  }).annotate({ description: "The end of the campaign without another email." }),
  if_you_send: Schema.Array(
    Schema.Struct({ emails: count("Further emails.", 750), expected, low, high }).annotate({
      identifier: "IfYouSend",
      description: "Clients at the end if this many further emails are sent.",
      examples: [{ emails: 750, expected: 2.9845, low: 1, high: 5 }]
    })
  ).annotate({
    description: "Clients at the end if none, a quarter, half, three quarters or all of the remaining emails are sent."
  }),
  against_the_plan: Schema.Struct(
    Struct.mapPick(
      membersOf(rateNames, () => RateAgainstPlan),
      optionalRates,
      Schema.optionalKey
    )
  ).annotate({ description: "Each rate of the plan, compared with what was observed." }),
  weakest: described(
    Schema.NullOr(Schema.Literals(rateNames).annotate({ title: "RateName" })),
    "The rate that is below its plan with the smallest chance. Null if none is.",
    null
  ),
  rates: RateOutlooks,
  recommendations: described(Schema.Array(Schema.String), "What to do, at most three sentences.", [
    "Work on what is open first: 7 replies, 4 positive replies and 2 meetings."
  ]),
  calculation_notes: described(
    Schema.Array(Schema.String),
    "The counts that were taken as decided, how the answer was computed, and its limits.",
    ["Decided: 62 replies of 2,000 emails."]
  ),
  model_version: ModelVersion
}).annotate({
  description: "The expected end of a campaign in flight, and whether its results are bad luck or a bad plan."
})
export type ProgressAnswer = typeof ProgressAnswer.Type
