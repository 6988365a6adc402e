import { Schema, Struct } from "effect"
import { described } from "../../described.ts"
import { membersOf } from "../../campaign/Fields.ts"
import { optionalRates, rateNames } from "../../campaign/Rates.ts"
import { chance, chanceOrNull, count, figure, figureOrNull, percentage } from "../AnswerFields.ts"
import { stageNames } from "../Campaign.ts"
import { rateBases } from "./Posterior.ts"

export const StageOutlook = Schema.Struct({
  expected: figure("Expected number, to 4 decimals.", 3.75),
  low: count("The 10% quantile: at most 10 of 100 such campaigns have fewer.", 0),
  median: count("The 50% quantile: the number in the middle.", 3),
  high: count("The 90% quantile: at most 10 of 100 such campaigns have more.", 8),
  chance_within: chance(
    "Chance of low to high. Counts are whole numbers, so it is at least 0.8, and often more.",
    0.9209
  )
}).annotate({
  identifier: "StageOutlook",
  description: "The number of people at a stage in such campaigns.",
  examples: [{ expected: 3.75, low: 0, median: 3, high: 8, chance_within: 0.9209 }]
})

const AmountRange = Schema.Struct({
  low: figure("At the low number of clients.", 0),
  median: figure("At the median.", 7500),
  high: figure("At the high number.", 20_000)
}).annotate({
  identifier: "AmountRange",
  description: "An amount at the low, median and high number of clients.",
  examples: [{ low: 0, median: 7500, high: 20_000 }]
})

export const amounts = (description: string) =>
  Schema.NullOr(AmountRange).annotate({ description: `${description} Null when it cannot be computed.` })

const RateOutlook = Schema.Struct({
  basis: described(
    Schema.Literals(rateBases).annotate({ title: "RateBasis" }),
    "as_given: exactly the rate of the request. published_spread: it varies around that rate as published. " +
      "history: learned from past campaigns. so_far, in POST /api/v1/progress: the results of this campaign count too.",
    "published_spread"
  ),
  expected: percentage("The average, to 4 decimals.", 5),
  low: percentage("The 10% quantile, to 2 decimals.", 1.55),
  high: percentage("The 90% quantile, to 2 decimals.", 9.3)
}).annotate({
  identifier: "RateOutlook",
  description: "The uncertainty of a rate: in 80 of 100 such campaigns it is from low to high.",
  examples: [{ basis: "published_spread", expected: 5, low: 1.55, high: 9.3 }]
})

const ReplyRateOutlook = Schema.Struct({
  ...RateOutlook.fields,
  published_percentile: described(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 99 })),
    "How many of 100 published campaigns get fewer replies per email sent, from 1 to 99: 50 is usual, above 90 is rare " +
      "(556 campaigns; Clientium, CC BY 4.0).",
    97
  )
}).annotate({
  identifier: "ReplyRateOutlook",
  description: "The uncertainty of the reply rate, and how ambitious it is.",
  examples: [{ basis: "published_spread", expected: 5, low: 1.55, high: 9.3, published_percentile: 97 }]
})

export const RateOutlooks = Schema.Struct({
  ...Struct.mapPick(
    membersOf(rateNames, () => RateOutlook),
    optionalRates,
    Schema.optionalKey
  ),
  reply_rate: ReplyRateOutlook
}).annotate({
  identifier: "RateOutlooks",
  description:
    "What the ranges assume about each rate. The delivery rate and the show rate are present only if the request has them.",
  examples: [
    {
      reply_rate: { basis: "published_spread", expected: 5, low: 1.55, high: 9.3, published_percentile: 97 },
      positive_reply_rate: { basis: "as_given", expected: 30, low: 30, high: 30 },
      meeting_booking_rate: { basis: "as_given", expected: 20, low: 20, high: 20 },
      close_rate: { basis: "as_given", expected: 25, low: 25, high: 25 }
    }
  ]
})

const ClientRange = Schema.Struct({
  low: count("The 10% quantile.", 1),
  median: count("The 50% quantile.", 4),
  high: count("The 90% quantile.", 6)
})

const ChanceAlone = Schema.Struct({
  clients: ClientRange,
  chance_of_no_client: chance("Chance of no client.", 0.0235),
  chance_to_break_even: chanceOrNull(
    "Chance that revenue covers the cost.",
    0.9765,
    "Null without a deal value or a cost."
  )
}).annotate({
  identifier: "ChanceAlone",
  description: "The outlook if every rate were exactly as expected: the narrowest possible range.",
  examples: [{ clients: { low: 1, median: 4, high: 6 }, chance_of_no_client: 0.0235, chance_to_break_even: 0.9765 }]
})

/** How certain a forecast is: how much the results of such campaigns differ. */
export const Outlook = Schema.Struct({
  basis: described(
    Schema.Literals(rateBases).annotate({ title: "RateBasis" }),
    "The basis of the ranges: the strongest basis of any rate, history before published_spread and as_given.",
    "published_spread"
  ),
  interval_percent: Schema.Literal(80).annotate({
    title: "IntervalPercent",
    description: "The percentage of campaigns that the range from low to high covers at least."
  }),
  rates: RateOutlooks,
  ...membersOf(stageNames, () => StageOutlook),
  revenue: amounts("Revenue of low, median and high clients, to 2 decimals."),
  profit: amounts("The same revenue less campaign cost, to 2 decimals."),
  roi_multiple: amounts("The same revenue over campaign cost, to 1 decimal."),
  chance_of_no_client: chance("Chance that the campaign brings no client at all.", 0.1046),
  clients_to_break_even: figureOrNull(
    "The fewest clients whose deals cover the cost.",
    1,
    "Null if it cannot be computed, or if no number does."
  ),
  chance_to_break_even: chanceOrNull(
    "Chance that revenue covers the cost.",
    0.8954,
    "Null without a deal value or a cost."
  ),
  chance_alone: Schema.NullOr(ChanceAlone).annotate({
    description:
      "The outlook if every rate were exactly as expected: the narrowest possible range. Null if no rate varies."
  })
}).annotate({
  identifier: "Outlook",
  description: "How certain the forecast is: how much the results of such campaigns vary."
})
export type Outlook = typeof Outlook.Type
export type RateOutlook = typeof RateOutlook.Type

/** The date of the last change of figures: the same request gives the same figures until it changes. See docs/changes.md. */
export const modelVersion = "2026-11-26"

export const ModelVersion = Schema.String.annotate({
  description:
    "The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change.",
  examples: [modelVersion]
})
