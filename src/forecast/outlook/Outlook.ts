import { type BigDecimal, Schema } from "effect"
import { quotient, round, times, toNumber } from "../Decimal.ts"
import { type Campaign, hasEvidence, rateNames } from "./Campaign.ts"
import { chanceOfAtLeast, chanceOfNone, chanceWithin } from "./Chance.ts"
import { type Counts, quantile } from "./Counts.ts"
import { toDouble, whole } from "./Exact.ts"
import { finish, type Pieces } from "./Pieces.ts"
import { countsOf } from "./StageCounts.ts"
import { meanChance, type Stage, stagesOf } from "./Stages.ts"
import { clientsToBreakEven } from "./Thresholds.ts"
import { uncertaintyShares } from "./UncertaintyShares.ts"

const chance = (description: string, example: number) =>
  Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })).annotate({
    description: `${description} From 0 to 1, to 4 decimals.`,
    examples: [example]
  })

const people = (description: string, example: number) => Schema.Int.annotate({ description, examples: [example] })

/** What chance makes of one stage of the funnel. */
const StageOutlook = (example: { expected: number; low: number; median: number; high: number; within: number }) =>
  Schema.Struct({
    expected: Schema.Finite.annotate({ description: "Expected count, to 4 decimals.", examples: [example.expected] }),
    low: people("In at most 10 of 100 such campaigns the count is lower.", example.low),
    median: people("The count in the middle: half of such campaigns have at most this many.", example.median),
    high: people("In at most 10 of 100 such campaigns the count is higher.", example.high),
    chance_within: chance("What low to high really covers: counts jump, so it is at least 0.8.", example.within)
  })

const Amounts = (description: string, [low, median, high]: readonly [number, number, number]) =>
  Schema.NullOr(Schema.Struct({ low: Schema.Finite, median: Schema.Finite, high: Schema.Finite })).annotate({
    description: `${description} Null when it cannot be computed.`,
    examples: [{ low, median, high }]
  })

/** How sure a forecast is: what chance alone makes of the same campaign, sent again and again. */
export const Outlook = Schema.Struct({
  basis: Schema.Literals(["assumed_rates", "evidence"]).annotate({
    description:
      "assumed_rates: the rates hold exactly, and only chance differs. evidence: the rates are as unsure as what they were measured on.",
    examples: ["assumed_rates"]
  }),
  interval_percent: Schema.Literal(80).annotate({ description: "What low to high covers at least, in percent." }),
  replies: StageOutlook({ expected: 250, low: 230, median: 250, high: 270, within: 0.8167 }),
  positive_replies: StageOutlook({ expected: 75, low: 64, median: 75, high: 86, within: 0.8196 }),
  meetings: StageOutlook({ expected: 15, low: 10, median: 15, high: 20, within: 0.8478 }),
  clients: StageOutlook({ expected: 3.75, low: 1, median: 4, high: 6, within: 0.8903 }),
  revenue: Amounts("Revenue from low, median and high clients, to 2 decimals.", [2500, 10_000, 15_000]),
  roi_multiple: Amounts("The same revenue over campaign cost, to 1 decimal.", [4.2, 16.7, 25]),
  chance_of_no_client: chance("Chance that the campaign brings no client at all.", 0.0235),
  clients_to_break_even: Schema.NullOr(Schema.Finite).annotate({
    description: "The fewest clients whose deals cover the cost. Null when it cannot be computed or none are enough.",
    examples: [1]
  }),
  chance_to_break_even: Schema.NullOr(chance("Chance that the deals cover the cost.", 0.9765)).annotate({
    description: "Chance that the deals cover the cost, to 4 decimals. Null without a deal value or a cost.",
    examples: [0.9765]
  }),
  uncertainty_from: Schema.optionalKey(
    Schema.NullOr(
      Schema.Struct({
        chance: Schema.Finite,
        ...Object.fromEntries(rateNames.map((rate) => [rate, Schema.optionalKey(Schema.Finite)]))
      })
    )
  )
})
export type Outlook = typeof Outlook.Type
