import { Result, Schema, Struct } from "effect"
import { Usage } from "../../credits/Balance.ts"
import { boundRates } from "../../forecast/benchmarks/PublishedRates.ts"
import { RiskFlag } from "../../forecast/benchmarks/RiskFlags.ts"
import { CampaignForecast, CampaignsSummary } from "../lists/CampaignForecast.ts"
import { abovePublished } from "../lists/spokenList.ts"
import { PortfolioTotals, Ranking } from "../lists/PortfolioAnswer.ts"
import { TrackRecord } from "../../forecast/outlook/Outlook.ts"
import { optional } from "../../input/Schemas.ts"
import { computation } from "../../workers/Computation.ts"
import { inOneStep } from "../../workers/Steps.ts"

const { estimated_clients, estimated_profit, name } = CampaignForecast.fields

/** The form of a comparison. */
export const Detail = Schema.Struct({
  detail: optional(
    Schema.Boolean.annotate({ description: "true for the whole forecast of each campaign: 1,000 tokens each." })
  )
})

/**
 * A campaign in the ranking: its name or, from 0, its position in the request; low to high is the range of its clients,
 * above_published its rates that few campaigns have, if there are any.
 */
const RankedCampaign = Schema.Struct({
  name: Ranking.fields.order.value,
  clients: estimated_clients,
  low: Schema.Int,
  high: Schema.Int,
  profit: estimated_profit,
  above_published: Schema.optionalKey(Schema.Array(Schema.Literals(boundRates))),
  chance_better_than_next: Schema.NullOr(Schema.Finite)
})
type RankedCampaign = typeof RankedCampaign.Type

const summary = {
  ...CampaignsSummary.fields,
  track_record: Schema.NullOr(Schema.Struct(Struct.omit(TrackRecord.fields, ["each"])))
}

/**
 * The comparison of campaigns without the whole forecast of each, which would be ten times as long, and without each
 * past campaign.
 */
export const CampaignsBrief = Schema.Struct({
  ...summary,
  ranking: Schema.Struct({ by: Ranking.fields.by, campaigns: Schema.Array(RankedCampaign) }),
  usage: Usage
})
export type CampaignsBrief = typeof CampaignsBrief.Type

const Whole = Schema.fromJsonString(
  Schema.Struct({
    ...summary,
    // A list that was stored before totals had a summary has none.
    totals: Schema.Struct({ ...PortfolioTotals.fields, summary: Schema.optionalKey(Schema.String) }),
    forecasts: Schema.Array(
      Schema.Struct({
        name,
        estimated_clients,
        estimated_profit,
        risk_flags: Schema.Array(RiskFlag),
        outlook: Schema.Struct({ clients: Schema.Struct({ low: Schema.Int, high: Schema.Int }) })
      })
    ),
    usage: Usage
  })
)

const decode = Schema.decodeSync(Whole)

/** Shortens the answer to a comparison of campaigns. */
export const briefOf = (answer: string): CampaignsBrief => {
  const { forecasts, ranking, totals, ...rest } = decode(answer)
  const indexByName = new Map<string | number, number>(forecasts.map(({ name }, index) => [name ?? index, index]))
  const ranked = ranking.order.flatMap((name) => {
    const forecast = forecasts[indexByName.get(name) ?? -1]
    return forecast === undefined ? [] : [[name, forecast] as const]
  })
  const campaigns = ranked.map(([name, forecast], rank): RankedCampaign => {
    const { low, high } = forecast.outlook.clients
    const above = abovePublished(forecast)
    return {
      name,
      clients: forecast.estimated_clients,
      low,
      high,
      profit: forecast.estimated_profit,
      ...(above.length > 0 && { above_published: above }),
      chance_better_than_next: ranking.neighbours[rank]?.chance_first_is_better ?? null
    }
  })
  return { totals: { summary: "", ...totals }, ...rest, ranking: { by: ranking.by, campaigns } }
}

/** `briefOf` for a long answer. */
export const briefing = computation(
  "shorten a comparison",
  { input: Schema.String, success: CampaignsBrief },
  inOneStep((answer) => Result.succeed(briefOf(answer)))
)
