import { Schema } from "effect"

const chance = (description: string, example: number) =>
  Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate({
    description: `${description} From 0 to 1, to 4 decimals.`,
    examples: [example]
  })

const count = (description: string, example: number) => Schema.Int.annotate({ description, examples: [example] })

const StageOutlook = Schema.Struct({
  expected: Schema.Finite.annotate({ description: "Expected number, to 4 decimals.", examples: [3.75] }),
  low: count("The 10 % quantile: at most 10 of 100 such campaigns have fewer.", 1),
  median: count("The 50 % quantile: the number in the middle.", 4),
  high: count("The 90 % quantile: at most 10 of 100 such campaigns have more.", 6),
  chance_within: chance(
    "Chance of low to high. Counts are whole numbers, so it is at least 0.8, and often more.",
    0.8903
  )
}).annotate({
  identifier: "StageOutlook",
  description: "The number of people at a stage in such campaigns.",
  examples: [{ expected: 3.75, low: 1, median: 4, high: 6, chance_within: 0.8903 }]
})

const AmountRange = Schema.Struct({
  low: Schema.Finite.annotate({ description: "At the low number of clients.", examples: [2500] }),
  median: Schema.Finite.annotate({ description: "At the median.", examples: [10_000] }),
  high: Schema.Finite.annotate({ description: "At the high number.", examples: [15_000] })
}).annotate({
  identifier: "AmountRange",
  description: "An amount at the low, median and high number of clients.",
  examples: [{ low: 2500, median: 10_000, high: 15_000 }]
})

const amounts = (description: string) =>
  Schema.NullOr(AmountRange).annotate({ description: `${description} Null when it cannot be computed.` })

const share = Schema.optionalKey(
  Schema.Finite.annotate({ description: "Its share, from 0 to 1, to 4 decimals.", examples: [0.0431] })
)

/** Shares of the variance of the number of clients; a rate stands here if it has evidence. */
const UncertaintyFrom = Schema.Struct({
  chance: Schema.Finite.annotate({ description: "The share of chance itself.", examples: [0.2389] }),
  delivery_rate: share,
  reply_rate: share,
  positive_reply_rate: share,
  meeting_booking_rate: share,
  show_rate: share,
  close_rate: share
}).annotate({
  identifier: "UncertaintyFrom",
  description: "Shares of the variance of the number of clients, which sum to 1.",
  examples: [{ chance: 0.2389, reply_rate: 0.0431, close_rate: 0.718 }]
})

/** How sure a forecast is: how the results of such campaigns differ, sent again and again. */
export const Outlook = Schema.Struct({
  basis: Schema.Literals(["assumed_rates", "evidence"]).annotate({
    description:
      "assumed_rates: the rates are taken to hold exactly, and only chance varies. evidence: rates with evidence are as uncertain as the counts behind them.",
    examples: ["assumed_rates"]
  }),
  interval_percent: Schema.Literal(80).annotate({
    description: "The least that the range from low to high covers, in percent."
  }),
  replies: StageOutlook,
  positive_replies: StageOutlook,
  meetings: StageOutlook,
  clients: StageOutlook,
  revenue: amounts("Revenue of low, median and high clients, to 2 decimals."),
  roi_multiple: amounts("The same revenue over campaign cost, to 1 decimal."),
  chance_of_no_client: chance("Chance that the campaign brings no client at all.", 0.0235),
  clients_to_break_even: Schema.NullOr(Schema.Finite).annotate({
    description: "The fewest clients whose deals cover the cost. Null when it cannot be computed, or no number does.",
    examples: [1]
  }),
  chance_to_break_even: Schema.NullOr(Schema.Finite).annotate({
    description:
      "Chance that revenue covers the cost, from 0 to 1, to 4 decimals. Null without a deal value or a cost.",
    examples: [0.9765]
  }),
  uncertainty_from: Schema.optionalKey(Schema.NullOr(UncertaintyFrom)).annotate({
    description:
      "With evidence only: where the uncertainty about the number of clients comes from, as shares that sum to 1. The rate with the largest share is the one to measure next. Null when the number is certain."
  })
}).annotate({
  identifier: "Outlook",
  description:
    "How sure the forecast is: how much the results of such campaigns vary. Real uncertainty is larger, since lists differ and rates change between campaigns."
})
export type Outlook = typeof Outlook.Type
