import { Schema, Struct } from "effect"
import { McpSchema } from "effect/ai"
import { Assumptions, ForecastRequest } from "../campaign/Assumptions.ts"
import { BenchmarksRequest } from "../forecast/benchmarks/MeasureBenchmarks.ts"
import { CampaignsRequest, maxCampaigns } from "../forecast/list/Campaigns.ts"
import { GoalRequestBody } from "../forecast/goals/GoalRequest.ts"
import { ProgressRequestBody } from "../forecast/progress/ProgressRequest.ts"
import { ForecastAnswer } from "../metering/ForecastsApi.ts"
import { GoalResponse } from "../metering/GoalsApi.ts"
import { ProgressResponse } from "../metering/ProgressApi.ts"
import { KeyUsage } from "../owner/KeyUsage.ts"
import { CampaignsBrief, Detail } from "./CampaignsBrief.ts"
import { inputSchema, outputSchema } from "./toolSchemas.ts"

/** The instructions for an agent before it calls any tool. */
export const instructions =
  "Forecasts the results of a cold-email campaign: replies, meetings, clients, revenue, ROI, and how certain they are. Rates are " +
  "percentages from 0 to 100: 5 means 5 percent, 0.05 does not. The rates come from the user: do not invent them; ask, " +
  "or call benchmarks if they are unknown. Results are estimates, not guarantees. forecast, reach_goal and " +
  "campaign_progress cost one credit each, compare_campaigns one per campaign; benchmarks, usage and failed calls are free. The " +
  "same call within 24 hours gets the same answer and is not charged again."

const once =
  "Repeating the same call within 24 hours gets the same answer and costs nothing; a failed call costs nothing."

const past = "Give the counts of the user's past campaigns as history, if there are any: rates are learned from them."

const noArguments = Schema.Struct({})

/** The fields that are described in the tool `forecast`. */
const campaign = Object.keys(Assumptions.fields)

const asInForecast = "The fields of a campaign are those of the tool forecast."

/** A comparison in either form: the whole answer has more fields. */
const Comparison = Schema.Struct({
  ...CampaignsBrief.fields,
  ranking: Schema.Struct(Struct.pick(CampaignsBrief.fields.ranking.fields, ["by"]))
})

/** The tools that agents can call: purpose, cost, arguments and answer. */
export const tools = {
  forecast: new McpSchema.Tool({
    name: "forecast",
    title: "Forecast a campaign",
    description:
      "Forecasts one cold-email campaign from its assumptions: replies, positive replies, meetings, clients, revenue, ROI " +
      "and cost of each, with the range in which 80 of 100 such campaigns end (outlook), what it takes to break even, risk " +
      `flags and recommendations. ${past} Costs 1 credit. ${once}`,
    inputSchema: inputSchema(ForecastRequest),
    outputSchema: outputSchema(ForecastAnswer),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  }),
  compare_campaigns: new McpSchema.Tool({
    name: "compare_campaigns",
    title: "Compare campaigns",
    description:
      `Forecasts 1 to ${maxCampaigns.toLocaleString("en")} campaigns together, adds them up, and ranks them with the ` +
      `chance that each is really better than the next. ${asInForecast} Costs 1 credit per campaign, or nothing at all ` +
      `if too few credits are left. ${once}`,
    inputSchema: inputSchema(Schema.Struct({ ...CampaignsRequest.fields, ...Detail.fields }), campaign),
    outputSchema: outputSchema(Comparison),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  }),
  reach_goal: new McpSchema.Tool({
    name: "reach_goal",
    title: "Reach a goal",
    description:
      "Solves a forecast backwards: the number of emails, or the rate, deal value or cost, that would by itself reach a given " +
      "number of replies, meetings or clients, or a given revenue, profit or ROI; on average, or with a given chance. " +
      `Null if no value is enough. ${asInForecast} Costs 1 credit. ${once}`,
    inputSchema: inputSchema(GoalRequestBody, campaign),
    outputSchema: outputSchema(GoalResponse),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  }),
  campaign_progress: new McpSchema.Tool({
    name: "campaign_progress",
    title: "Forecast a campaign in flight",
    description:
      "Forecasts the end of a cold-email campaign that is being sent, from its plan and the counts so far: where it ends " +
      "if it continues or stops now, the chance of still reaching the plan, and for each rate whether it is bad luck or a bad " +
      "plan. Ask which emails, replies and meetings are still undecided and pass them as open: they change the answer. " +
      `${asInForecast} Costs 1 credit. ${once}`,
    inputSchema: inputSchema(ProgressRequestBody, campaign),
    outputSchema: outputSchema(ProgressResponse),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  }),
  benchmarks: new McpSchema.Tool({
    name: "benchmarks",
    title: "Published benchmarks",
    description:
      "Published figures on a measure of cold outreach, each with its unit, sample and source, and the bounds beyond " +
      "which a forecast warns. Costs nothing, and needs no key.",
    inputSchema: inputSchema(BenchmarksRequest),
    outputSchema: outputSchema(noArguments),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  }),
  usage: new McpSchema.Tool({
    name: "usage",
    title: "Credits and usage",
    description: "The remaining credits of the key, and its forecasts by month. Costs nothing.",
    inputSchema: inputSchema(noArguments),
    outputSchema: outputSchema(KeyUsage),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }
  })
}

export type ToolName = keyof typeof tools

export const toolNames: ReadonlyArray<ToolName> = [
  "forecast",
  "compare_campaigns",
  "reach_goal",
  "campaign_progress",
  "benchmarks",
  "usage"
]
