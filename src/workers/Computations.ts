import { Schema } from "effect"
import { Rpc, RpcGroup } from "effect/rpc"
import { places } from "../calculator/Views.ts"
import { Overview } from "../forecast/list/CampaignForecast.ts"
import { CampaignList, CampaignsFormat, ListedForecast } from "../forecast/list/CampaignList.ts"
import { McpMessage } from "../mcp/McpMessage.ts"
import { InvalidInput, MalformedJson } from "../input/InvalidInput.ts"
import { NeighbourChances, Ranking } from "../forecast/outlook/PortfolioAnswer.ts"

const texts = Schema.Array(Schema.String)

/** What a single request asks for: a forecast, one with a score and a risk level, or what it takes to reach a goal. */
export const AnswerKind = Schema.Literals(["forecast", "legacy", "goal"])
export type AnswerKind = typeof AnswerKind.Type

/** What workers compute: texts in, texts out. Those that take many items do as many as fit into a turn, at least one. */
export class Computations extends RpcGroup.make(
  Rpc.make("Answer", { payload: { kind: AnswerKind, request: Schema.String }, success: Schema.String }),
  Rpc.make("ReadList", {
    payload: { text: Schema.String, format: CampaignsFormat },
    success: CampaignList,
    error: Schema.Union([InvalidInput, MalformedJson])
  }),
  Rpc.make("ForecastListed", {
    payload: { campaigns: texts, format: CampaignsFormat },
    success: Schema.Array(ListedForecast)
  }),
  Rpc.make("SummarizeListed", { payload: { contributions: texts, campaigns: texts }, success: Overview }),
  Rpc.make("CompareListed", {
    payload: { by: Ranking.fields.by, pairs: Schema.Array(Schema.Tuple([Schema.String, Schema.String])) },
    success: Schema.Array(NeighbourChances)
  }),
  Rpc.make("ReadMessage", {
    payload: { text: Schema.String },
    success: Schema.UndefinedOr(McpMessage),
    error: Schema.Union([InvalidInput, MalformedJson])
  }),
  Rpc.make("Calculate", {
    payload: {
      values: Schema.Record(Schema.String, Schema.String),
      address: Schema.Struct({ baseUrl: Schema.String, hasDemoKey: Schema.Boolean })
    },
    success: Schema.Record(Schema.Literals(places), Schema.String)
  })
) {}
