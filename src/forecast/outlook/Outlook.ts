import { Schema, Struct } from "effect"
import { described } from "../../input/Schemas.ts"
import { membersOf } from "../../campaign/Fields.ts"
import { optionalRates, type RateName, rateNames, rates, requiredRates } from "../../campaign/Rates.ts"
import { chance, chanceOrNull, count, number, numberOrNull, percentage } from "../AnswerFields.ts"
import { stageNames } from "../Campaign.ts"
import { modelVersion } from "../modelVersion.ts"
import { listed } from "../Words.ts"
import { rateBases } from "./Posterior.ts"

export const StageOutlook = Schema.Struct({
  expected: number("Expected number, to 4 decimals.", 3.75),
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
  low: number("At the low number of clients.", 0),
  median: number("At the median.", 7500),
  high: number("At the high number.", 20_000)
}).annotate({
  identifier: "AmountRange",
  description: "An amount at the low, median and high number of clients.",
  examples: [{ low: 0, median: 7500, high: 20_000 }]
})

export const amounts = (description: string) =>
  Schema.NullOr(AmountRange).annotate({ description: `${description} Null when it cannot be computed.` })

const orNull = (description: string, example: number) =>
  numberOrNull(description, example, "Null without a cost or a meeting.")

const MeetingCost = Schema.Struct({
  low: orNull("At the high number of meetings.", 20.69),
  median: orNull("At the median.", 46.15),
  high: orNull("At the low number: this price per meeting covers the cost in 90 of 100.", 150)
}).annotate({
  identifier: "MeetingCost",
  description: "Campaign cost per booked meeting, to 2 decimals.",
  examples: [{ low: 20.69, median: 46.15, high: 150 }]
})

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
    "How many of 100 published campaigns get fewer replies per email sent: 50 is usual, above 90 is rare " +
      "(556 campaigns of 500 emails or more; Clientium, CC BY 4.0).",
    97
  )
}).annotate({
  identifier: "ReplyRateOutlook",
  description: "The uncertainty of the reply rate, and how ambitious it is.",
  examples: [{ basis: "published_spread", expected: 5, low: 1.55, high: 9.3, published_percentile: 97 }]
})

const onlyIfGiven = `${listed(
  optionalRates.map((name, i) => `${i === 0 ? "The" : "the"} ${rates[name].form.label.toLowerCase()}`)
)} are present only if the request has them.`

export const RateOutlooks = Schema.Struct({
  ...Struct.mapPick(
    membersOf(rateNames, () => RateOutlook),
    optionalRates,
    Schema.optionalKey
  ),
  reply_rate: ReplyRateOutlook
}).annotate({
  identifier: "RateOutlooks",
  description: `What the ranges assume about each rate. ${onlyIfGiven}`,
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

/** The certainty of a forecast: how much the results of such campaigns differ. */
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
  cost_per_meeting: MeetingCost,
  cost_per_meeting_held: Schema.NullOr(MeetingCost).annotate({
    description: "The same per held meeting. Null without show_rate."
  }),
  chance_of_no_client: chance("Chance that the campaign brings no client at all.", 0.1046),
  clients_to_break_even: numberOrNull(
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

const lever = (description: string, example: number) => numberOrNull(description, example, "Null if there is none.")

const minRate = (name: RateName) =>
  lever(`Lowest sufficient ${rates[name].form.label.toLowerCase()}, in percent, rounded up.`, rates[name].breakEven)

/** For each input, the value at which the expected revenue covers the cost if all others stay the same. */
export const BreakEven = Schema.Struct({
  emails_sent: lever("Fewest sufficient emails.", 320),
  ...Struct.mapPick(membersOf(rateNames, minRate), optionalRates, Schema.optionalKey),
  average_deal_value: lever("Lowest sufficient deal value, to 2 decimals, rounded up.", 160),
  campaign_cost: lever("Highest cost that is covered, to 2 decimals, rounded down.", 9375)
}).annotate({
  identifier: "BreakEven",
  description: `For each input, the value at which the expected revenue covers the cost if all other inputs stay the same. Null if no value is enough, or if an input that it depends on is missing. ${onlyIfGiven}`,
  examples: [
    {
      emails_sent: 320,
      ...membersOf(requiredRates, (name) => rates[name].breakEven),
      average_deal_value: 160,
      campaign_cost: 9375
    }
  ]
})
export type BreakEven = typeof BreakEven.Type

const TestRow = Schema.Struct({
  lists: count("Number of lists, or of first emails, that are tested.", 3),
  emails_each: count("Emails sent to each of them in the test.", 100),
  replies: number("Expected replies of the whole campaign, if replies choose the list, to 4 decimals.", 356.7147),
  factor: number("The same divided by the expected replies without a test, to 4 decimals.", 1.4269)
}).annotate({
  identifier: "TestFirst",
  description: "A test of some lists, after which all other emails go to the list with the most replies.",
  examples: [{ lists: 3, emails_each: 100, replies: 356.7147, factor: 1.4269 }]
})

/** The gain of testing a few lists, or first emails, and of sending all other emails to the best of them. */
export const TestFirst = Schema.NullOr(Schema.Array(TestRow))
export type TestFirst = typeof TestFirst.Type

const ForecastCount = Schema.Struct({
  low: count("The 10% quantile of the forecast.", 25),
  high: count("The 90% quantile of the forecast.", 131),
  observed: count("The result of the campaign.", 61)
}).annotate({
  identifier: "ForecastCount",
  description: "The 80% range forecast for a past campaign from the others, and its result.",
  examples: [{ low: 25, high: 131, observed: 61 }]
})
export type ForecastCount = typeof ForecastCount.Type

const exampleRow = {
  name: "May",
  replies: { low: 25, high: 131, observed: 61 },
  clients: { low: 0, high: 3, observed: 1 }
}

const RecordedCampaign = Schema.Struct({
  name: described(Schema.NullOr(Schema.String), "The campaign's name in the history; null if it has none.", "May"),
  replies: ForecastCount,
  clients: described(Schema.NullOr(ForecastCount), "Null unless the campaign has all counts.", exampleRow.clients)
}).annotate({
  identifier: "RecordedCampaign",
  description: "The ranges forecast for a past campaign from the others, and what came.",
  examples: [exampleRow]
})

/** The number of times that forecasts from a sender's other campaigns held. */
export const TrackRecord = Schema.Struct({
  campaigns: count("Past campaigns with replies, each forecast from the others at this request's rates.", 7),
  replies_within: count("The number of them that ended within their 80% range of replies.", 6),
  clients_of: count("The number of them with all counts.", 5),
  clients_within: count("The number of these that ended within their 80% range of clients.", 5),
  each: described(Schema.Array(RecordedCampaign), "Each of the campaigns, in the order of the history.", [exampleRow])
}).annotate({
  identifier: "TrackRecord",
  description: "How often past campaigns ended within the 80% ranges forecast for them from the others.",
  examples: [{ campaigns: 7, replies_within: 6, clients_of: 5, clients_within: 5, each: [exampleRow] }]
})
export type TrackRecord = typeof TrackRecord.Type

export const ModelVersion = Schema.String.annotate({
  description:
    "The date of the last change of the figures: it changes when the same request gives different figures. /docs/changes explains each change.",
  examples: [modelVersion]
})
