import { Schema, Struct } from "effect"
import { Assumptions } from "../../campaign/Assumptions.ts"
import { Usage } from "../../credits/Balance.ts"
import { BenchmarksRequest } from "../benchmarks/MeasureBenchmarks.ts"
import { CampaignsRequest } from "../lists/Campaigns.ts"
import { listOperation } from "./paidOperations.ts"
import { KeyUsage } from "../../metering/KeyUsage.ts"
import { CampaignsBrief, Detail } from "./CampaignsBrief.ts"
import { toolOperations } from "./ToolArguments.ts"
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

/** A tool as agents see it; which of its members a revision of the protocol has is up to that. */
export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema: object
  readonly annotations: Readonly<Record<string, boolean>>
}

const annotations = { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: false }

const noArguments = Schema.Struct({})

/** The fields that are described in the tool `forecast`. */
const campaign = Object.keys(Assumptions.fields)

/** A comparison in either form: the whole answer has more fields. */
const Comparison = Schema.Struct({
  ...CampaignsBrief.fields,
  ranking: Schema.Struct(Struct.pick(CampaignsBrief.fields.ranking.fields, ["by"]))
})

const paidTool = (
  { cost, description, name, title }: { readonly [word in "cost" | "description" | "name" | "title"]: string },
  schemas: Pick<Tool, "inputSchema" | "outputSchema">
): Tool => ({
  name,
  title,
  description: `${description} ${cost} ${once}`,
  ...schemas,
  annotations
})

/** Creates every tool, in the order of the list. Their schemas take 10 ms, so the start does not wait for them. */
export const makeTools = (): ReadonlyArray<Tool> => {
  // The first one describes the fields of a campaign for all.
  const metered = toolOperations.map(({ operation: { answer, request }, tool }, index) =>
    paidTool(tool, {
      inputSchema: inputSchema(request, index === 0 ? [] : campaign),
      outputSchema: outputSchema(Schema.Struct({ ...answer.schema.fields, usage: Usage }))
    })
  )
  const comparison = paidTool(listOperation.tool, {
    inputSchema: inputSchema(Schema.Struct({ ...CampaignsRequest.fields, ...Detail.fields }), campaign),
    outputSchema: outputSchema(Comparison)
  })
  return [
    ...metered.toSpliced(1, 0, comparison),
    {
      name: "benchmarks",
      title: "Published benchmarks",
      description:
        "Published figures on a measure of cold outreach, each with its unit, sample and source, and the bounds beyond " +
        "which a forecast warns. Costs nothing, and needs no key.",
      inputSchema: inputSchema(BenchmarksRequest),
      outputSchema: outputSchema(noArguments),
      annotations: { ...annotations, readOnlyHint: true }
    },
    {
      name: "usage",
      title: "Credits and usage",
      description: "The remaining credits of the key, and its forecasts by month. Costs nothing.",
      inputSchema: inputSchema(noArguments),
      outputSchema: outputSchema(KeyUsage),
      annotations: { ...annotations, readOnlyHint: true }
    }
  ]
}
