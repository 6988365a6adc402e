import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Usage } from "../../credits/Balance.ts"
import { CampaignForecast, campaignForecast, CampaignsSummary, summarize } from "./CampaignForecast.ts"
import { CampaignsRequest, exampleListedCampaign } from "./Campaigns.ts"
import { csvBody, exampleComputed } from "../../http/document/PlainSchemas.ts"
import { withIdempotencyKey } from "../../idempotency/IdempotencyDocument.ts"
import { SubKeyAuthentication } from "../../keys/AuthenticationApi.ts"
import { forecastFailures } from "../../metering/ForecastsApi.ts"
import { listOperation } from "./listOperation.ts"

const OneForecast = CampaignForecast.annotate({
  identifier: "CampaignForecast",
  description: "The forecast of one campaign: its name, and the response of POST /api/v1/forecast without the usage."
})

const CampaignsAnswer = Schema.Struct({
  forecasts: Schema.Array(OneForecast).annotate({
    description: "The forecast of each campaign, in the order of the request."
  }),
  totals: CampaignsSummary.fields.totals.annotate({
    identifier: "PortfolioTotals",
    description: "The total of the campaigns: of one sender, if the request does not say that they are independent.",
    examples: exampleComputed(() => summarize(exampleListedCampaign).totals)
  }),
  track_record: CampaignsSummary.fields.track_record,
  ranking: CampaignsSummary.fields.ranking.annotate({
    identifier: "Ranking",
    description: "The campaigns by expected result, best first, and how certain each rank is.",
    examples: exampleComputed(() => summarize(exampleListedCampaign).ranking)
  }),
  calculation_notes: CampaignsSummary.fields.calculation_notes,
  usage: Usage
}).annotate({
  identifier: "CampaignsAnswer",
  description: "The forecasts of many campaigns, their totals, and their ranking.",
  examples: exampleComputed(() => ({
    forecasts: exampleListedCampaign.map((campaign) => campaignForecast(campaign)),
    ...summarize(exampleListedCampaign),
    usage: { month: "2026-11", requests: 2, credits_remaining: 98 }
  }))
})

const csvRequest = csvBody({
  description:
    "A header line with the names of the fields, then a line for each campaign, separated by commas, semicolons or tabs. " +
    "An empty cell is a missing field.",
  example:
    "name,emails_sent,reply_rate,positive_reply_rate,meeting_booking_rate,close_rate,average_deal_value,campaign_cost\n" +
    "Agencies,5000,5,30,20,25,2500,600\nShops,500,5,30,20,25,2500,600\n"
})

const csvAnswer = csvBody({
  description:
    "If Accept asks for text/csv: a header line, then a line for each campaign with its fields, its rank and its " +
    "forecast, without the notes. Text that a spreadsheet would take for a formula starts with an apostrophe.",
  example:
    "name,emails_sent,reply_rate,rank,chance_better_than_next,estimated_replies\r\nAgencies,5000,5,1,0.8611,250\r\n"
})

const { description, id, path, summary } = listOperation

/** Forecasts of many campaigns in one request. */
export const listEndpoint = HttpApiEndpoint.post(id, path, {
  payload: [Schema.toEncoded(CampaignsRequest), csvRequest],
  success: [CampaignsAnswer, csvAnswer],
  error: forecastFailures
})
  .middleware(SubKeyAuthentication)
  .annotateMerge(
    OpenApi.annotations({
      identifier: id,
      summary,
      description,
      transform: withIdempotencyKey
    })
  )

export const ListGroup = HttpApiGroup.make("lists")
  .add(listEndpoint)
  .annotateMerge(OpenApi.annotations({ title: "Forecasts" }))
